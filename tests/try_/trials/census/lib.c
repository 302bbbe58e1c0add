#include "lib.h"
#include <stdlib.h>
static size_t kinds_of(const uint8_t *x, size_t n)
{
    size_t kinds = 1;
    for (size_t i = 0; i < n; i++) {
        if ((size_t)x[i] + 1 > kinds) kinds = (size_t)x[i] + 1;
    }
    return kinds;
}
int32_t *census_count(const uint8_t *x, size_t n, size_t *kinds)
{
    *kinds = kinds_of(x, n);
    int32_t *counts = calloc(*kinds, sizeof *counts);
    if (counts == NULL) return NULL;
    for (size_t i = 0; i < n; i++) counts[x[i]]++;
    return counts;
}
