#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct trellis {
    float *slats;
    int count, window;
} trellis;
trellis *trellis_put(int count, int window); /* NULL unless 1 <= window <= count <= 1000 */
void trellis_remove(trellis *t);
