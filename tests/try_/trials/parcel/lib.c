#include "lib.h"
double parcel_weight(const parcel *all, size_t size)
{
    double weight = 0;
    for (size_t i = 0; i < size; i++) {
        if (all[i].zone >= 0) weight += all[i].weight;
    }
    return weight;
}
void parcel_move(parcel *all, size_t n, int zone)
{
    for (parcel *p = all; n > 0; n--, p++) p->zone = zone;
}
