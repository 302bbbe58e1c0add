/* SPDX-License-Identifier: MIT */
/* Functions whose stream depends on values of several types. */

#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct queue {
    intptr_t stream;
} queue;

/* A struct that is passed by value. */
typedef struct lane {
    int number;
    intptr_t stream;
} lane;

/* A struct that Python makes. */
typedef struct options {
    intptr_t stream;
    int level;
} options;

typedef struct context_impl *context;
typedef enum speed { SLOW, FAST } speed;

/* An array of a GPU, or of the CPU if `own` is negative. `ready_for`: the stream that may use the data; `own`: the stream on which the library works. */
typedef struct block {
    float *data;
    long n;
    intptr_t ready_for, own;
} block;

queue *queue_new(intptr_t stream);
void queue_free(queue *q);
lane lane_new(intptr_t stream);
context context_new(intptr_t stream);
void context_free(context c);
intptr_t context_stream(context c);

block *block_new(long n, intptr_t own);
block *block_of(const queue *q, const float *x, long n);
void block_free(block *b);
void block_wait(block *b, intptr_t stream);
void block_set(block *b, const float *first);
int block_call(block *b, const DLTensor *x);

int by_value(lane l, const DLTensor *x);
int by_typedef(context c, const DLTensor *x);
int by_options(const options *o, const DLTensor *x);
int options_last(const DLTensor *x, const options *o);
int queue_last(const DLTensor *x, const queue *q);
int by_taken(queue *q, const DLTensor *x, const DLTensor *y);
int by_enum(speed s, const DLTensor *x);
int by_string(const char *name, const DLTensor *x);
int by_address(const long *number, const DLTensor *x);
int by_several(const char *arrays, const DLTensor *x, long given, bool more, double result_);
