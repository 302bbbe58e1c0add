/* SPDX-License-Identifier: MIT */
/* The library of docs/using.md#arrays-on-a-gpu, without a GPU. */

#include "queues.h"

#include <stdlib.h>

queue *queue_new(intptr_t stream)
{
    queue *const q = malloc(sizeof *q);

    if (q != NULL) {
        q->stream = stream;
    }
    return q;
}

void queue_free(queue *q)
{
    free(q);
}

float queue_sum(const queue *q, const float *x, int64_t n)
{
    float sum = 0;

    (void)q;
    for (int64_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

block *block_new(int64_t count)
{
    block *const b = malloc(sizeof *b);
    float *const data = calloc((size_t)count, sizeof *data);

    if (b == NULL || data == NULL) {
        free(b);
        free(data);
        return NULL;
    }
    *b = (block){data, count, 0};
    return b;
}

void block_wait(block *b, intptr_t stream)
{
    b->ready_for = stream;
}

void block_free(block *b)
{
    free(b->data);
    free(b);
}
