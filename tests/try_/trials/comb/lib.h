#pragma once
#include <stddef.h>
#include <stdint.h>
/* Sets all teeth to `height`. `step` counts the bytes from one row to the next. */
void comb_cut(uint16_t *teeth, size_t rows, size_t columns, ptrdiff_t step, uint16_t height);
/* The sum of the teeth. */
uint64_t comb_sum(const uint16_t *teeth, size_t n);
