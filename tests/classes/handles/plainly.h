/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
typedef double real;
extern int opened;
static inline int file_open(int mode, int *id) { opened++; *id = 10 * mode; return mode < 0; }
static inline void file_close(int id) { if (id >= 10) { opened--; } }
static inline int file_grow(int by, int id, int *size) { *size = id + by; return 0; }
static inline int file_size(int id) { return id; }
static inline int file_copy(int id) { opened++; return id + 1; }
static inline int file_same(int id, int other) { return id == other; }
static inline int file_seek(int whence, int id) { return id + whence; }
static inline int files_opened(void) { return opened; }
static inline float *block_new(int n, float first)
{
    float *x = calloc((size_t)n, 4);
    opened++;
    x[0] = first;
    return x;
}
static inline void block_free(float *x) { free(x); opened--; }
static inline float sum(const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) { s += x[i]; }
    return s;
}
static inline void twice(float *x, int n) { for (int i = 0; i < n; i++) { x[i] *= 2; } }
static inline real mean(const real *x, const int *n)
{
    real s = 0;
    for (int i = 0; i < *n; i++) { s += x[i] / *n; }
    return s;
}
static inline void *halve(void *x, int *n)
{
    static unsigned char kept[8];
    *n /= 2;
    memcpy(kept, x, (size_t)*n);
    return kept;
}
static inline float first(const float *x) { return x[0]; }
static inline real *tail(real *x, int *n)
{
    static real kept[2];
    kept[0] = x[1];
    kept[1] = x[2];
    *n = 2;
    return kept;
}
