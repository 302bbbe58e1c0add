#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct grain {
    const float *at;
    size_t count;
} grain;
typedef struct mill mill;
mill *mill_build(void);
void mill_feed(mill *m, const grain *g); /* copies the struct, and reads its elements later */
double mill_grind(mill *m);              /* the sum of the elements of the last feed */
void mill_raze(mill *m);
