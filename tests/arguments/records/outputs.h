#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct point {
    float x, y;
    int32_t tag;
} point;

static inline void fill(point *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        p[i] = (point){(float)i, 2, 3};
    }
}
static inline void twice(const point *p, point *q, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        q[i] = p[i];
        q[i].x *= 2;
    }
}
static inline void columns(point *p, int rows, int n)
{
    for (int i = 0; i < rows * n; i++) {
        p[i] = (point){(float)i, 0, 0};
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
static inline void numbers(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = 1;
    }
}
static inline point *make(size_t n)
{
    point *const p = n < 100 ? calloc(n + 1, sizeof *p) : NULL;
    if (p != NULL) {
        fill(p, n);
    }
    return p;
}
static inline const point *table(size_t *n)
{
    static const point two[2] = {{1, 2, 3}, {4, 5, 6}};
    *n = 2;
    return two;
}
static inline const point *constant(const point *p, size_t n) { return p != NULL ? table(&n) : NULL; }
static inline size_t some(size_t n, point *found)
{
    fill(found, n);
    return n > 1 ? n - 1 : n;
}
static inline size_t any(const void *x, size_t n)
{
    (void)x;
    return n;
}
static inline int lanes(const DLTensor *x)
{
    return x->dtype.lanes;
}
