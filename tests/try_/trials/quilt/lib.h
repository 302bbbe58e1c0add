#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct quilt {
    int16_t *patches;
    int rows, columns;
    int skip; /* bytes from one row to the next */
} quilt;
/* NULL if a number is below 1 or above 1000. Rows begin at multiples of 8 bytes. */
quilt *quilt_sew(int rows, int columns);
void quilt_unpick(quilt *q);
