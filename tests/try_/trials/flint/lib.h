#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct flint {
    void *block;
    float *edge; /* at a multiple of 64 bytes in the block */
    int count;
} flint;
flint *flint_strike(int count); /* NULL for less than 1 or more than 1000 */
void flint_drop(flint *f);
