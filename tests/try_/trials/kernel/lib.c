#include "lib.h"
#include <stdlib.h>
kernel *kernel_new(int rows, int columns)
{
    if (rows < 0 || columns < 0 || rows > 100 || columns > 100) return NULL;
    size_t n = (size_t)rows * (size_t)columns;
    kernel *k = calloc(1, sizeof *k + n * sizeof *k->weights);
    k->rows = rows;
    k->columns = columns;
    for (size_t i = 0; i < n; i++) k->weights[i] = 1.0 / (double)n;
    return k;
}
double kernel_norm(const kernel *k)
{
    double norm = 0;
    for (int i = 0; i < k->rows * k->columns; i++) norm += k->weights[i];
    return norm;
}
