#include "lib.h"
void tide_limit(double *levels, size_t n, double high)
{
    for (size_t i = 0; i < n; i++) {
        if (levels[i] > high) levels[i] = high;
    }
}
void tide_turn(double *levels, size_t n)
{
    if (n < 2) return;
    double kept = levels[0];
    levels[0] = levels[1];
    levels[1] = kept;
}
void tide_total(double *levels, size_t n)
{
    double sum = 0;
    if (n == 0) return;
    for (size_t i = 0; i + 1 < n; i++) sum += levels[i];
    levels[n - 1] = sum;
}
