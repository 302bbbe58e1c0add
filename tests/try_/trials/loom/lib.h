#pragma once
#include <stddef.h>
#include <stdint.h>
/* The largest gap between neighbours. Each row has `gaps` + 1 elements. */
double loom_widest(double **warp, int rows, int gaps);
/* Turns each row around. */
void loom_mirror(double **warp, int rows, int columns);
