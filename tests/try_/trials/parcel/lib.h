#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct parcel {
    double weight;
    int32_t zone;
} parcel;
/* The weight of `size` parcels. */
double parcel_weight(const parcel *all, size_t size);
/* Moves n parcels to a zone. */
void parcel_move(parcel *all, size_t n, int zone);
