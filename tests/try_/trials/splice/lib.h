#pragma once
#include <stddef.h>
#include <stdint.h>
/* The mean of `count` samples from `begin` on; the caller makes sure that they exist. */
double splice_mean(const float *tape, size_t n, size_t begin, size_t count);
/* Erases the samples from `begin` on. */
void splice_erase(float *tape, size_t n, size_t begin);
