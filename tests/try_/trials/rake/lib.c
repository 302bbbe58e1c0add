#include "lib.h"
static const float *row_of(const float *soil, size_t row, ptrdiff_t step) { return soil + (ptrdiff_t)row * step; }
double rake_sum(const float *soil, size_t rows, size_t columns, ptrdiff_t step)
{
    double sum = 0;
    if (columns == 0) return 0;
    for (size_t r = 0; r < rows; r++) {
        const float *row = row_of(soil, r, step);
        for (size_t c = 0; c < columns; c++) sum += (double)row[c];
    }
    return sum;
}
float rake_peak(const float *soil, size_t rows, size_t columns, ptrdiff_t step)
{
    float peak = 0;
    if (columns == 0) return 0;
    for (size_t r = 0; r < rows; r++) {
        const float *row = row_of(soil, r, step);
        for (size_t c = 0; c < columns; c++) {
            if (row[c] > peak) peak = row[c];
        }
    }
    return peak;
}
