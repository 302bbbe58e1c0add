/* Sheets whose rows are `step` units apart, whatever that means for the elements. */
#include <stdlib.h>

typedef struct point {
    float x, y;
} point;

typedef struct sheet {
    void *cells;
    long rows, columns;
    long step, right;
    int kind;
    void **table; /* the rows */
    long shape[3], steps[3];
    int rank;
} sheet;

/* Returns a sheet of 4096 bytes of zeros. The rows of its table are `step` bytes apart. */
static inline sheet *sheet_new(long rows, long columns, long step, long right)
{
    sheet *const made = calloc(1, sizeof *made);

    made->cells = calloc(1, 4096);
    made->rows = rows;
    made->columns = columns;
    made->step = step;
    made->right = right;
    made->rank = 2;
    made->shape[0] = rows;
    made->shape[1] = columns;
    made->steps[0] = step;
    made->steps[1] = right;
    made->table = calloc((size_t)rows + 1, sizeof *made->table);
    for (long row = 0; row < rows; row++) {
        made->table[row] = (char *)made->cells + (step < 0 ? -step * (rows - 1) : 0) + row * step;
    }
    return made;
}

static inline void sheet_free(sheet *s)
{
    free(s->table);
    free(s->cells);
    free(s);
}

static inline void sheet_set_kind(sheet *s, int kind)
{
    s->kind = kind;
}

/* Sums the bytes of all rows. */
static inline long sheet_sum(const sheet *s)
{
    long sum = 0;

    for (long row = 0; row < s->rows; row++) {
        for (long column = 0; column < s->columns; column++) {
            sum += ((unsigned char *)s->cells)[row * s->step + column * s->right];
        }
    }
    return sum;
}

static inline long sum_bytes(const unsigned char *x, long n, long m, long down, long right)
{
    long sum = 0;

    for (long row = 0; row < n; row++) {
        for (long column = 0; column < m; column++) {
            sum += x[row * down + column * right];
        }
    }
    return sum;
}
