#ifndef SERIES_H
#define SERIES_H

#include <stddef.h>

typedef struct series {
    double *values;
    size_t length;
} series;

int series_init(series *s, size_t length);
void series_clear(series *s);
int series_resize(series *s, size_t length);
int series_split(const series *s, size_t at, series *head, series *tail);
series series_window(series *s, size_t first, size_t length);
double series_mean(series s);

#endif
