#pragma once
#include <stddef.h>
#include <stdint.h>
/* out[i] = x[i] * factor; `out` may be `x`. */
void glaze_coat(const float *x, size_t n, float factor, float *out);
/* Copies n elements; both arrays may overlap. */
void glaze_move(const float *x, size_t n, float *out);
