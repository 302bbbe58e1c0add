/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdlib.h>
typedef struct reader { const unsigned char *bytes; size_t size; } reader;
typedef struct solver { const double *x; int m, n; ptrdiff_t step, ldx; } solver;
static inline void reader_set(reader *r, const unsigned char *bytes, size_t size) { *r = (reader){bytes, size}; }
static inline reader *reader_new(const unsigned char *bytes, size_t size)
{
    reader *r = malloc(sizeof *r);
    reader_set(r, bytes, size);
    return r;
}
static inline int reader_at(const reader *r, size_t index) { return r->bytes[index]; }
static inline solver *solver_new(void) { return calloc(1, sizeof(solver)); }
static inline void solver_set(solver *s, const double *x, int m, int n, int ldx) { *s = (solver){x, m, n, 1, ldx}; }
static inline void solver_set_vector(solver *s, const double *x, int n, ptrdiff_t inc)
{
    *s = (solver){x, n, 1, inc, 0};
}
static inline double solver_sum(const solver *s) /* each element times its place, columns first */
{
    double sum = 0;
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < s->m; i++) {
            sum += (1 + i + j * s->m) * s->x[i * s->step + j * s->ldx];
        }
    }
    return sum;
}
