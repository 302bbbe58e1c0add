/* SPDX-License-Identifier: MIT */
/* A small library whose arrays have any rank, any strides and a dtype of their own. */
#ifndef ARRAY_H_
#define ARRAY_H_

#include <stdint.h>

enum { ARRAY_MOST = 66 }; /* more than DLPack consumers take */

enum { KIND_U8 = 1, KIND_F32, KIND_F64, KIND_F4, KIND_I16, KIND_C128 };

typedef struct array {
    void *data;
    int rank;
    int64_t shape[ARRAY_MOST];
    int64_t strides[ARRAY_MOST]; /* in elements */
    int kind;
    void *own;  /* what array_new() allocated */
    int locked; /* must not be written */
    int place;  /* 0: the CPU; else an accelerator, or the memory that it shares with the CPU */
} array;

/* One that counts its axes in a large number; all its extents are 1. */
typedef struct counted {
    void *data;
    uint64_t count;
} counted;

/* Takes the arrays as they are; with calloc(), so that a test that counts malloc() counts the runtime's alone. */
array *array_wrap(void *data, int rank, const int64_t *shape, const int64_t *strides, int kind);

/* The same with zeroed memory of its own, compact by rows. */
array *array_new(int rank, const int64_t *shape, int kind);

/* Never works. */
array *failing_wrap(void *data);

void array_free(array *self);

extern int arrays_living;
extern int arrays_freed;

#endif
