#include "lib.h"
static double root(double x)
{
    double low = 0, high = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (middle * middle > x) high = middle;
        else low = middle;
    }
    return low;
}
int fuse_roots(const double *x, int n, double *out)
{
    for (int i = 0; i < n; i++) {
        if (!(x[i] >= 0)) return -1;
        out[i] = root(x[i]);
    }
    return 0;
}
int fuse_mean(const double *x, int n, double *mean)
{
    double sum = 0;
    if (n == 0) return -1;
    for (int i = 0; i < n; i++) sum += x[i];
    *mean = sum / n;
    return 0;
}
