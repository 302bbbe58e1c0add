/* SPDX-License-Identifier: MIT */
/* A library that writes to numbers in every way that a spec knows: for the tests of tensors that require grad. */
#ifndef DESCENT_H_
#define DESCENT_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct layer {
    float *values;
    size_t count;
} layer;

typedef struct trained {
    float *values;
    size_t count;
} trained;

typedef struct copied {
    float *values;
    size_t count;
} copied;

typedef struct net {
    float *weights;
    size_t count;
} net;

static inline float values_sum(const float *values, size_t count)
{
    float sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

static inline void values_step(float *values, size_t count, float by)
{
    for (size_t i = 0; i < count; i++) {
        values[i] -= by;
    }
}

static inline void values_add(const float *first, const float *second, float *sums, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sums[i] = first[i] + second[i];
    }
}

static inline void counts_step(int *counts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        counts[i]--;
    }
}

static inline float layer_sum(const layer *of) { return values_sum(of->values, of->count); }
static inline void layer_step(layer *of, float by) { values_step(of->values, of->count, by); }

static inline void layers_step(layer *const *list, size_t count, float by)
{
    for (size_t i = 0; i < count; i++) {
        layer_step(list[i], by);
    }
}

static inline void rows_step(float **rows, size_t height, size_t width, float by)
{
    for (size_t i = 0; i < height; i++) {
        values_step(rows[i], width, by);
    }
}

static inline void tensor_step(DLTensor *of, float by) { values_step(of->data, (size_t)of->shape[0], by); }
static inline float tensor_sum(const DLTensor *of) { return values_sum(of->data, (size_t)of->shape[0]); }

static inline void memory_step(void *memory, size_t bytes, float by) { values_step(memory, bytes / sizeof(float), by); }

static inline net *net_new(float *weights, size_t count)
{
    net *const made = malloc(sizeof *made);

    if (made != NULL) {
        *made = (net){weights, count};
    }
    return made;
}

static inline void net_free(net *ended) { free(ended); }
static inline void net_step(net *of, float by) { values_step(of->weights, of->count, by); }
static inline void net_attach(net *of, float *weights, size_t count) { *of = (net){weights, count}; }

#endif
