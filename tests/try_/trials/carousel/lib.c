#include "lib.h"
#include <stdlib.h>
carousel *carousel_build(int size)
{
    if (size < 1 || size > 1000) return NULL;
    carousel *c = malloc(sizeof *c);
    c->start = c->at = calloc((size_t)size, sizeof *c->start);
    c->used = 0;
    c->size = size;
    return c;
}
int carousel_push(carousel *c, float seat)
{
    if (c->used == 0) c->at = c->start;
    if (c->at + c->used == c->start + c->size) return -1;
    c->at[c->used++] = seat;
    return 0;
}
int carousel_pop(carousel *c, float *seat)
{
    if (c->used == 0) return -1;
    *seat = *c->at++;
    c->used--;
    return 0;
}
void carousel_free(carousel *c)
{
    free(c->start);
    free(c);
}
