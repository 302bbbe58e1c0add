#include "lib.h"
#include <stdlib.h>
#include <string.h>
reel *reel_wind(int capacity)
{
    if (capacity < 1 || capacity > 1000) return NULL;
    reel *r = malloc(sizeof *r);
    r->count = 0;
    r->capacity = capacity;
    r->frames = calloc((size_t)capacity, sizeof *r->frames);
    return r;
}
int reel_add(reel *r, float frame)
{
    if (r->count == r->capacity) return -1;
    r->frames[r->count++] = frame;
    return 0;
}
int reel_reserve(reel *r, int capacity)
{
    if (capacity < r->count || capacity < 1 || capacity > 1000) return -1;
    float *frames = calloc((size_t)capacity, sizeof *frames);
    memcpy(frames, r->frames, (size_t)r->count * sizeof *frames);
    free(r->frames);
    r->frames = frames;
    r->capacity = capacity;
    return 0;
}
void reel_free(reel *r)
{
    free(r->frames);
    free(r);
}
