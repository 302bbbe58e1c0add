#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct core core;
/* A core with `layers` layers. NULL if there are none, or more than 1000. */
core *core_drill(int layers);
/* The top and the bottom of each layer: two numbers for each of `n` layers. */
const float *core_depths(const core *c, int *n);
void core_break(core *c);
