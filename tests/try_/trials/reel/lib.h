#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct reel {
    float *frames;
    int count, capacity;
} reel;
reel *reel_wind(int capacity);           /* an empty reel; NULL for less than 1 or more than 1000 */
int reel_add(reel *r, float frame);      /* 0, or -1 if the reel is full */
int reel_reserve(reel *r, int capacity); /* may move the frames; 0, or -1 for a wrong number */
void reel_free(reel *r);
