/* SPDX-License-Identifier: MIT */
/* Structs with less room than DLPack has axes, with a dtype of any width, and objects to which a deleter is attached. */
#ifndef EDGES_H_
#define EDGES_H_

#include <stdint.h>
#include <stdlib.h>

typedef struct edge {
    uint8_t *data;
    int rank;
    int64_t shape[4];
    int64_t strides[8];
    int64_t beyond[8]; /* what a loop that runs too far would meet */
} edge;

typedef struct decoded {
    void *data;
    int code, bits;
    int64_t height, width, pitch;
} decoded;

typedef struct clip {
    void *data;
    int64_t count;
    int borrowed; /* the data is not to be freed */
} clip;

static int clips, clip_resources;

static inline clip *clip_new(void)
{
    clips++;
    return (clip *)calloc(1, sizeof(clip));
}

static inline void clip_detach(clip *self)
{
    self->data = NULL;
}

static inline void clip_free(clip *self)
{
    clips--;
    free(self->data);
    free(self);
}

static inline int clip_attach(clip *self, void (*deleter)(void *user), void *user)
{
    (void)self, (void)deleter, (void)user;
    return -1;
}

#endif
