#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct awning {
    uint8_t *pixels;
    int rows, columns;
    ptrdiff_t pitch; /* bytes from a row to the one below, which lies before it */
} awning;
awning *awning_hang(int rows, int columns); /* NULL unless both are from 1 to 100 */
void awning_roll(awning *a);
/* The sum of rows * columns pixels; the pitch may be negative. */
uint64_t awning_sum(const uint8_t *pixels, size_t rows, size_t columns, ptrdiff_t pitch);
