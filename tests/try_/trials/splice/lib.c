#include "lib.h"
double splice_mean(const float *tape, size_t n, size_t begin, size_t count)
{
    double sum = 0;
    if (n == 0 || count == 0) return 0;
    const float *at = tape + begin;
    for (size_t i = 0; i < count; i++) sum += (double)at[i];
    return sum / (double)count;
}
void splice_erase(float *tape, size_t n, size_t begin)
{
    for (size_t i = begin; i < n; i++) tape[i] = 0;
}
