#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct slate {
    int16_t *rows;
    int height, width, step; /* elements; there is no gap behind the last row */
} slate;
slate *slate_split(int height, int width, int step); /* NULL unless 1 <= height, width <= step <= 100 */
void slate_break(slate *s);
/* The largest element of rows with a distance of `step` elements. */
int slate_peak(const int16_t *rows, int height, int width, int step);
