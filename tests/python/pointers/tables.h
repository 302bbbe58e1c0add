/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct table_s {
    float **rows; /* NULL where there are none */
    long count, columns;
} *table;
typedef table odd; /* of which none is ever made */

extern long tables; /* that live */

static inline void table_free(table self)
{
    for (long row = 0; row < self->count; row++) {
        free(self->rows[row]);
    }
    free(self->rows);
    free(self);
    tables--;
}

/* Rows of blocks of their own, in falling order and at no constant distance; NULL: not so many. */
static inline table table_new(long count, long columns)
{
    table made = count < 0 ? NULL : calloc(1, sizeof *made);

    if (made == NULL) {
        return NULL;
    }
    tables++;
    made->count = count;
    made->columns = columns;
    made->rows = count > 0 ? calloc((size_t)count, sizeof *made->rows) : NULL;
    for (long row = 0; row < count; row++) {
        made->rows[row] = calloc((size_t)(columns + 100 * row % 7 + 1), sizeof **made->rows);
    }
    return made;
}

static inline table table_or_none(table self, int wanted) { return wanted ? self : NULL; }
static inline void table_out(table self, int wanted, table *out) { *out = wanted ? table_new(self->count, 1) : NULL; }
/* Takes the table, unless it refuses. */
static inline table table_moved(table self, int wanted)
{
    table made = wanted ? table_new(self->count, 2) : NULL;

    if (made != NULL) {
        table_free(self);
    }
    return made;
}
static inline long table_count(void) { return tables; }
