/* SPDX-License-Identifier: MIT */
#include "dlb_array.h"
#include <stdlib.h>
#include <string.h>
typedef struct block { int64_t count; double *data; } block;
static inline block *block_new(int64_t count)
{
    block *made = count >= 0 ? calloc(1, sizeof *made + 8 * (size_t)count) : NULL;
    if (made != NULL) {
        *made = (block){count, (double *)(made + 1)};
    }
    return made;
}
static inline void block_free(block *self) { free(self); }
static inline void halve(const block *x, block *y)
{
    for (int64_t i = 0; i < x->count; i++) {
        y->data[i] = x->data[i] / 2;
    }
}
static inline void shaped(const double *x, double y[3][3]) { memcpy(y, x, 9 * sizeof *x); }
static inline void weighted(const double *x, const double *w, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = w != NULL ? w[i] * x[i] : x[i];
    }
}
static inline void twice(const double *x, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 2 * x[i];
    }
}
static inline void zeros(int n, float *y) { (void)n, (void)y; }
static inline int outer(const float *a, int m, const float *b, int n, float *c)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            c[i * n + j] = a[i] * b[j];
        }
    }
    return m > 0 && a[0] < 0;
}
static inline void columns(int m, int n, double *c, int ldc)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            c[i + j * ldc] = 10 * i + j;
        }
    }
}
static inline void spectrum(const void *x, long nbytes, unsigned bins[256])
{
    for (long i = 0; i < nbytes; i++) {
        bins[((const unsigned char *)x)[i]]++;
    }
}
static inline void identity(double y[3][3])
{
    for (int i = 0; i < 3; i++) {
        y[i][i] = 1;
    }
}
static inline void plain(const double *x, double *y) { y[0] = x[0]; }
static inline void typeless(const void *x, void *y, long nbytes) { memcpy(y, x, (size_t)nbytes); }
static inline void halves(void *y, int n) { memset(y, 0x3c, 2 * (size_t)n); }
static inline int64_t tensor(const DLTensor *x, DLTensor *y) { return x->shape[0] * 100 + y->shape[0]; }
static inline void grid(DLTensor *y, int64_t n) { ((int32_t *)y->data)[n] = 7; }
static inline dlb_array *load(int n)
{
    const int64_t shape[] = {n};
    dlb_array *made = dlb_array_new(1, shape, (DLDataType){kDLFloat, 64, 1});
    if (made != NULL && n > 0) {
        ((double *)made->data)[n - 1] = 3;
    }
    return made;
}
static inline double first(const dlb_array *x) { return ((const double *)x->data)[0]; }
static inline int lists(const dlb_array *const *list, int n) { return list != NULL ? n : 0; }
static inline double stepped(const dlb_array *x)
{
    double sum = 0;
    for (int64_t i = 0; x->ndim == 1 && i < x->shape[0]; i++) {
        sum += ((const double *)x->data)[i * (x->strides != NULL ? x->strides[0] : 1)];
    }
    return sum;
}
static inline double total(const dlb_array *x)
{
    double sum = 0;
    for (int64_t i = 0; x->ndim == 1 && i < x->shape[0]; i++) {
        sum += ((const double *)x->data)[i];
    }
    return sum;
}
