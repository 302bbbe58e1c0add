#include "grids.h"

float grid_sum(const grid *g)
{
    float sum = 0;
    for (int i = 0; i < g->rows * g->columns; i++) {
        sum += g->data[i];
    }
    return sum;
}
