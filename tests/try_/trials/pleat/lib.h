#pragma once
#include <stddef.h>
#include <stdint.h>
/* Replaces each pair of elements by its mean and half of its difference. */
void pleat_fold(float *cloth, size_t n);
float pleat_widest(const float *cloth, size_t n); /* 0 for n = 0 */
