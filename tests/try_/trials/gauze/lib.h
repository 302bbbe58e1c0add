#pragma once
#include <stddef.h>
#include <stdint.h>
/* The number of threads above `limit`, in all of rows * step elements. */
size_t gauze_above(const float *threads, size_t rows, size_t columns, size_t step, float limit);
/* The mean of rows * columns elements; 0 if there are none. */
double gauze_mean(const float *threads, size_t rows, size_t columns);
