#pragma once
#include <stddef.h>
#include <stdint.h>
/* The index of the highest of n points; n is not 0. */
size_t summit_find(const double *heights, size_t n);
/* The height of the highest of n points; n is not 0. */
double summit_height(const double *heights, size_t n);
