/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct shelf { double *at; size_t n; } shelf;
static inline shelf *shelf_new(size_t n)
{
    shelf *made = malloc(sizeof *made);
    *made = (shelf){calloc(n + 1, sizeof(double)), n};
    return made;
}
static inline void shelf_free(shelf *s)
{
    free(s->at);
    free(s);
}
static inline size_t labels(const char *const *names, int n) { (void)n; return names[0] != NULL; }
static inline int open_at(const char *path, int n) { (void)path; return n; }
static inline double total(const double *x, size_t n, const char *unit)
{
    double sum = 0;
    (void)unit;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}
static inline int twice(int n) { return 2 * n; }
static inline double half(double x) { return x / 2; }
