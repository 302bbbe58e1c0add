/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
typedef struct poly { int degree; double at[8]; } poly;
static inline void poly_make(poly *p, int degree)
{
    p->degree = degree;
    for (int i = 0; i < 8; i++) { p->at[i] = i + 0.5; }
}
static inline int poly_roots(const poly *p, double *roots, int *count)
{
    *count = p->degree / 2;
    for (int i = 0; i < *count; i++) { roots[i] = p->at[i]; }
    return p->degree == 7 ? -1 : 0;
}
static inline size_t poly_name_size(const poly *p) { return p->degree == 0 ? 0 : 10; }
static inline void poly_name(const poly *p, char *name, size_t size)
{
    (void)snprintf(name, size, "degree %d", p->degree);
}
static inline void poly_story(const poly *p, char *name)
{
    name[0] = 'p';
    name[99999] = (char)p->degree;
}
static inline size_t above(const float *x, size_t n, float limit, float *out, size_t *where)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] > limit) {
            out[k] = x[i];
            where[k++] = i;
        }
    }
    return k;
}
static inline int claim(int n, int *out)
{
    for (int i = 0; i < n; i++) { out[i] = i; }
    return n == 5 ? 6 : n == 6 ? -1 : n - 1;
}
static inline int points(int n, float *xy)
{
    for (int i = 0; i < 2 * n; i++) { xy[i] = (float)i; }
    return n - 1;
}
/* The room before the call, and what is there after it. */
static inline void shrink(short *items, long *count) { items[0] = 7; *count = 1; }
