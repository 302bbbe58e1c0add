/* SPDX-License-Identifier: MIT */

#include "values.h"

#include <stdlib.h>

struct context_impl {
    intptr_t stream;
};

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

lane lane_new(intptr_t stream)
{
    return (lane){1, stream};
}

context context_new(intptr_t stream)
{
    context c = malloc(sizeof *c);

    if (c != NULL) {
        c->stream = stream;
    }
    return c;
}

void context_free(context c)
{
    free(c);
}

intptr_t context_stream(context c)
{
    return c->stream;
}

block *block_new(long n, intptr_t own)
{
    float *const data = n >= 0 && n < 1000 ? calloc((size_t)n + 1, sizeof *data) : NULL;
    block *const b = data != NULL ? calloc(1, sizeof *b) : NULL;

    if (b == NULL) {
        free(data);
        return NULL;
    }
    *b = (block){data, n, -9, own};
    return b;
}

block *block_of(const queue *q, const float *x, long n)
{
    (void)x;
    return block_new(n, q->stream);
}

void block_free(block *b)
{
    free(b->data);
    free(b);
}

void block_wait(block *b, intptr_t stream)
{
    b->ready_for = stream;
}

void block_set(block *b, const float *first)
{
    b->data[0] = first[0];
}

int block_call(block *b, const DLTensor *x)
{
    (void)b;
    return x->ndim;
}

int by_value(lane l, const DLTensor *x)
{
    return l.number * x->ndim;
}

int by_typedef(context c, const DLTensor *x)
{
    return c != NULL ? x->ndim : 0;
}

int by_options(const options *o, const DLTensor *x)
{
    return o->level >= 0 ? x->ndim : 0;
}

int options_last(const DLTensor *x, const options *o)
{
    return by_options(o, x);
}

int queue_last(const DLTensor *x, const queue *q)
{
    return q->stream > 0 ? x->ndim : 0;
}

int by_taken(queue *q, const DLTensor *x, const DLTensor *y)
{
    queue_free(q);
    return x->ndim * y->ndim;
}

int by_enum(speed s, const DLTensor *x)
{
    return s == SLOW ? 0 : x->ndim;
}

int by_string(const char *name, const DLTensor *x)
{
    return name[0] != '\0' ? x->ndim : 0;
}

int by_address(const long *number, const DLTensor *x)
{
    return *number > 0 ? x->ndim : 0;
}

int by_several(const char *arrays, const DLTensor *x, long given, bool more, double result_)
{
    return arrays[0] != '\0' && given > 0 && more && result_ > 0 ? x->ndim : 0;
}
