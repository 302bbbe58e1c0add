/* The library of the specs in this folder. It has no type wire, of which only this comment speaks. */
#pragma once
#include "coil_parts.h"
#include <stdint.h>

typedef struct {
    float *at;
    long n;
} coil_t; // not: coil

typedef coil_t *coil_list; /* "no /* second comment" */

struct spool {
    coil_t *coils;
    int count;
};

union reading {
    double volts;
    int64_t ticks;
};

#define COIL_URL "https://coils.example" /* the sign // in a string begins no comment */
double coil_sum(const coil_t *coil, winding_mode_t mode, union reading first, float *winding);
int spool_count(const struct spool *spool);
