#include "lib.h"
size_t gauze_above(const float *threads, size_t rows, size_t columns, size_t step, float limit)
{
    size_t above = 0;
    if (rows == 0 || columns == 0) return 0;
    const float *end = threads + rows * step;
    for (const float *t = threads; t != end; t++) above += *t > limit;
    return above;
}
double gauze_mean(const float *threads, size_t rows, size_t columns)
{
    double sum = 0;
    size_t n = rows * columns;
    for (size_t i = 0; i < n; i++) sum += (double)threads[i];
    return n > 0 ? sum / (double)n : 0;
}
