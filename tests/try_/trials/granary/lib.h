#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct sack {
    int32_t *grains;
    int count;
} sack;
typedef struct granary granary;
granary *granary_build(void);
sack *granary_fill(granary *g, int count); /* NULL if there is no more room for them; freed with the granary */
int granary_room(const granary *g);
void granary_raze(granary *g);
