#include "lib.h"
size_t summit_find(const double *heights, size_t n)
{
    const double *highest = heights;
    for (const double *h = heights + 1; h < heights + n; h++) {
        if (*h > *highest) highest = h;
    }
    return (size_t)(highest - heights);
}
double summit_height(const double *heights, size_t n)
{
    double highest = heights[0];
    for (size_t i = 1; i < n; i++) {
        if (heights[i] > highest) highest = heights[i];
    }
    return highest;
}
