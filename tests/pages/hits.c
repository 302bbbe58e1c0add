#include "hits.h"

double hits_total(const hit *hits, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += hits[i].energy;
    }
    return total;
}

void hits_scale(hit *hits, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++) {
        hits[i].energy *= factor;
    }
}
