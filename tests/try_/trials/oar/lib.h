#pragma once
#include <stddef.h>
#include <stdint.h>
/* The sum of n elements. A negative step goes from the last element to the first, as in BLAS: `x` is the lowest address. */
double oar_sum(ptrdiff_t n, const double *x, ptrdiff_t step);
double oar_dot(ptrdiff_t n, const double *x, ptrdiff_t step, const double *y, ptrdiff_t step_y);
