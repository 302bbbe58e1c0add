/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct { int columns; unsigned char data[64]; } nibbles;
static inline nibbles *nibbles_new(int columns)
{
    nibbles *made = calloc(1, sizeof(nibbles));
    made->columns = columns;
    return made;
}
static inline double first_of_rows(const float *x, int h, int pitch, int step)
{
    double all = 0;
    for (int i = 0; i < h; i++) { all = 10 * all + *(const float *)((const char *)x + i * pitch); }
    return step > 0 ? all : -1;
}
static inline double sum(const float *x, int h, int w, int pitch)
{
    double all = 0;
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            all += ((const float *)((const char *)x + i * pitch))[j];
        }
    }
    return all;
}
static inline int any(const void *x, int h, int w, int pitch, int step)
{
    (void)x, (void)h, (void)w;
    return 1000 * pitch + step;
}
static inline int rows(const void *x, int pitch) { (void)x; return pitch; }
static inline int narrow(const double *x, int h, int w, signed char pitch) { (void)x, (void)h, (void)w; return pitch; }
