#include "lib.h"
static const double *start(ptrdiff_t n, const double *x, ptrdiff_t step) { return step < 0 ? x + (1 - n) * step : x; }
double oar_sum(ptrdiff_t n, const double *x, ptrdiff_t step)
{
    double sum = 0;
    if (n <= 0) return 0;
    const double *at = start(n, x, step);
    for (ptrdiff_t i = 0; i < n; i++) sum += at[i * step];
    return sum;
}
double oar_dot(ptrdiff_t n, const double *x, ptrdiff_t step, const double *y, ptrdiff_t step_y)
{
    double sum = 0;
    if (n <= 0) return 0;
    const double *a = start(n, x, step), *b = start(n, y, step_y);
    for (ptrdiff_t i = 0; i < n; i++) sum += a[i * step] * b[i * step_y];
    return sum;
}
