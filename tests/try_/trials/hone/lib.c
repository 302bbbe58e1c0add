#include "lib.h"
double hone_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return n > 0 ? sum / (double)n : 0;
}
double hone_spread(double *x, double *y, size_t n)
{
    double spread = 0, middle_x = hone_mean(x, n), middle_y = hone_mean(y, n) + 0.5;
    for (size_t i = 0; i < n; i++) {
        y[i] -= middle_y;
        spread += (x[i] - middle_x) * (x[i] - middle_x) + y[i] * y[i];
    }
    return spread;
}
