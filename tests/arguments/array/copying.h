/* SPDX-License-Identifier: MIT */
#include <stddef.h>
typedef struct { float *at; long size; } strip;
typedef struct { float *at; long size; } slab;
static inline double total(const void *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += ((const float *)x)[i]; }
    return sum;
}
static inline double total_floats(const float *x, size_t n) { return total(x, n); }
static inline void negate(float *x, size_t n) { for (size_t i = 0; i < n; i++) { x[i] = -x[i]; } }
static inline double total_rows(const float *const *x, int h, int w)
{
    double sum = 0;
    for (int i = 0; i < h; i++) { sum += total(x[i], (size_t)w); }
    return sum;
}
static inline double strip_total(const strip *x) { return total(x->at, (size_t)x->size); }
static inline double strips_total(const strip *const *x, int n) { return n > 0 ? strip_total(x[0]) : 0; }
static inline double total_bytes(const void *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += ((const unsigned char *)x)[i]; }
    return sum;
}
static inline void flip_bytes(void *x, size_t n)
{
    for (size_t i = 0; i < n; i++) { ((unsigned char *)x)[i] = (unsigned char)(255 - ((unsigned char *)x)[i]); }
}
