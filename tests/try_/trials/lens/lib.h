#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct lens lens;
/* A lens along `curve`, which must stay in its place as long as the lens. NULL for less than 2 points. */
lens *lens_grind(const float *curve, size_t n);
float lens_at(const lens *l, float where); /* 0 <= where <= 1; beyond: the nearest point */
void lens_drop(lens *l);
