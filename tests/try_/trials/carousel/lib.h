#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct carousel {
    float *start, *at; /* the memory, and the first used element in it */
    int used, size;
} carousel;
carousel *carousel_build(int size); /* NULL for less than 1 or more than 1000 */
int carousel_push(carousel *c, float seat);  /* 0, or -1 if there is no room behind the last element */
int carousel_pop(carousel *c, float *seat);  /* 0, or -1 if there is no element */
void carousel_free(carousel *c);
