/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct storage { float *data; int code; } storage;
typedef struct layout { int64_t *extents, *steps; int rank; } layout;
typedef struct tens { storage *held; storage *far[1]; layout at[1]; storage *gpu; int place; float own; } tens;
static inline tens *tens_new(int held, int far, int rank, int extents, int steps, int place)
{
    tens *t = calloc(1, sizeof *t);
    t->held = held ? calloc(1, sizeof *t->held) : NULL;
    t->far[0] = far ? calloc(1, sizeof *t->held) : NULL;
    if (t->held != NULL) {
        t->held->data = calloc(1, sizeof(float));
    }
    if (t->far[0] != NULL) {
        t->far[0]->code = 7;
    }
    t->at[0].rank = rank;
    t->at[0].extents = extents ? calloc(64, sizeof(int64_t)) : NULL;
    t->at[0].steps = steps ? calloc(64, sizeof(int64_t)) : NULL;
    t->place = place;
    return t;
}
static inline void tens_free(tens *t)
{
    if (t->held != NULL) {
        free(t->held->data);
    }
    free(t->held);
    free(t->far[0]);
    free(t->at[0].extents);
    free(t->at[0].steps);
    free(t);
}
