#include "lib.h"
#include <stdlib.h>
awning *awning_hang(int rows, int columns)
{
    if (rows < 1 || columns < 1 || rows > 100 || columns > 100) return NULL;
    awning *a = malloc(sizeof *a);
    size_t size = (size_t)rows * (size_t)columns;
    a->rows = rows;
    a->columns = columns;
    a->pitch = -columns;
    uint8_t *block = malloc(size);
    for (size_t i = 0; i < size; i++) block[i] = (uint8_t)(i % 256);
    a->pixels = block + (size - (size_t)columns);
    return a;
}
void awning_roll(awning *a)
{
    free(a->pixels + (a->rows - 1) * a->pitch);
    free(a);
}
uint64_t awning_sum(const uint8_t *pixels, size_t rows, size_t columns, ptrdiff_t pitch)
{
    uint64_t sum = 0;
    if (columns == 0) return 0;
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) sum += (pixels + (ptrdiff_t)r * pitch)[c];
    }
    return sum;
}
