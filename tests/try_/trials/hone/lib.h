#pragma once
#include <stddef.h>
#include <stdint.h>
/* The distance of n points from their mean. Moves the points of `y` so that their mean is 0, and leaves `x`. */
double hone_spread(double *x, double *y, size_t n);
double hone_mean(const double *x, size_t n); /* 0 for no points */
