#include "lib.h"
static void cut_row(uint16_t *row, size_t columns, uint16_t height)
{
    for (size_t c = 0; c < columns; c++) row[c] = height;
}
void comb_cut(uint16_t *teeth, size_t rows, size_t columns, ptrdiff_t step, uint16_t height)
{
    char *row = (char *)teeth;
    for (size_t r = 0; r < rows; r++) {
        cut_row((uint16_t *)(void *)row, columns, height);
        if (r + 1 < rows) row += step / 2 * 2;
    }
}
uint64_t comb_sum(const uint16_t *teeth, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += teeth[i];
    return sum;
}
