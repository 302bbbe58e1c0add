#ifndef SERIES_H
#define SERIES_H

#include <stddef.h>

typedef double series_real;
typedef struct series {
    series_real *values;
    size_t length;
} series;

/* The number of a series in its archive: a macro, not a function. */
#define series_number(s) ((int)(s)->length % 100)

/* Sliding windows over a series: window i has the values from i on. */
typedef struct series_windows {
    series_real *values;
    size_t count, width;
} series_windows;

int series_init(series *s, size_t length);
void series_clear(series *s);
int series_resize(series *s, size_t length);
int series_split(const series *s, size_t at, series *head, series *tail);
series series_window(series *s, size_t first, size_t length);
series_real series_mean(series s);
int series_fit(const series_real *x, const series_real *y, size_t count, series_real *slope);

#endif
