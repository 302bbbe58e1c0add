#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct point {
    float x, y;
    int32_t tag;
} point;

typedef struct inner {
    double w;
    char k;
} inner;

typedef struct big {
    int8_t b;
    inner several[2];
    char name[8];
    float m[2][3];
    inner last;
} big;

#pragma pack(push, 1)
typedef struct packed {
    char c;
    int32_t n;
    double d;
} packed;
#pragma pack(pop)

typedef struct cloud {
    point *at;
    size_t rows, columns;
} cloud;

typedef struct bigs {
    const big *at;
    size_t count;
} bigs;

typedef struct packs {
    packed at[3];
} packs;

/* The struct in it is aligned, and its place is not. */
#pragma pack(push, 1)
typedef struct holder {
    int8_t first;
    inner in;
} holder;
#pragma pack(pop)
typedef struct holders {
    holder at[2];
} holders;

/* Numbers at places that fit them, in a size that does not: the second one lies elsewhere. */
#pragma pack(push, 1)
typedef struct tail {
    int32_t n;
    int8_t c;
} tail;
typedef struct shifted {
    int8_t c;
    int32_t n;
    int8_t rest[3];
} shifted;
#pragma pack(pop)
typedef struct tails {
    tail at[2];
} tails;

/* A packed struct at a place that fits its numbers. */
typedef struct crate {
    int32_t n;
    shifted in;
} crate;
typedef struct crates {
    crate at[2];
} crates;

/* A struct of a struct of a struct. */
typedef struct chest {
    int8_t first;
    struct drawer {
        inner in;
    } drawer;
} chest;
typedef struct shelf {
    int8_t number;
    chest chest;
} shelf;
typedef struct shelves {
    shelf at[2];
} shelves;

static inline cloud *cloud_new(size_t rows, size_t columns)
{
    cloud *const c = malloc(sizeof *c);
    if (c != NULL) {
        *c = (cloud){calloc(rows * columns, sizeof(point)), rows, columns};
        for (size_t i = 0; i < rows * columns && c->at != NULL; i++) {
            c->at[i] = (point){(float)i, 1, 2};
        }
    }
    return c;
}
static inline void cloud_free(cloud *c)
{
    free(c->at);
    free(c);
}
static inline double cloud_sum(const cloud *c)
{
    double total = 0;
    for (size_t i = 0; i < c->rows * c->columns; i++) {
        total += c->at[i].x;
    }
    return total;
}
static inline void cloud_shift(cloud *c, float by)
{
    for (size_t i = 0; i < c->rows * c->columns; i++) {
        c->at[i].x += by;
    }
}
static inline double sum(const point *p, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += p[i].x + p[i].y + p[i].tag;
    }
    return total;
}
static inline double total(const float *x, size_t n)
{
    return n > 0 ? (double)x[0] : 0;
}
static inline const bigs *bigs_all(void)
{
    static const big two[2] = {{1, {{2, 'a'}, {3, 'b'}}, "four", {{0, 0, 0}, {0, 0, 5}}, {6, 'c'}}, {7, {{8, 'd'}, {9, 'e'}}, "ten", {{0}}, {0, 'f'}}};
    static const bigs all = {two, 2};
    return &all;
}
