#ifndef SERIES_H
#define SERIES_H

#include <stddef.h>

typedef double series_real;
typedef struct series {
    series_real *values;
    size_t length;
} series;

int series_init(series *s, size_t length);
void series_clear(series *s);
int series_resize(series *s, size_t length);
int series_split(const series *s, size_t at, series *head, series *tail);
series series_window(series *s, size_t first, size_t length);
series_real series_mean(series s);
int series_fit(const series_real *x, const series_real *y, size_t count, series_real *slope);

#endif
