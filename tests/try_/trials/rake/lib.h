#pragma once
#include <stddef.h>
#include <stdint.h>
/* The sum of a bed of rows and columns. `step` counts the elements from one row to the next. */
double rake_sum(const float *soil, size_t rows, size_t columns, ptrdiff_t step);
/* The largest element; 0 for an empty bed. */
float rake_peak(const float *soil, size_t rows, size_t columns, ptrdiff_t step);
