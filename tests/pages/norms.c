/* The library of an example in docs/using.md. */
#include "norms.h"

#include <math.h>

double norm_f64(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

float norm_f32(const float *x, size_t n)
{
    float sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrtf(sum);
}

double norm_weighted(const double *x, size_t n, double weight)
{
    return weight * norm_f64(x, n);
}
