/* SPDX-License-Identifier: MIT */
/* A library that works on streams of CUDA: each function starts its work and returns. `cards_open` loads the driver. */

#include <dlpack/dlpack.h>
#include <stdint.h>

/* A stream on which the library works. */
typedef struct queue {
    void *stream;
    struct queue *next;
    char name;
} queue;

/* An array in the memory of a GPU. `stream`: the last work on it. */
typedef struct slab {
    float *at;
    long n;
    int number;
    void *stream;
} slab;

const char *cards_open(const char *driver);
const char *cards_card(void);
const char *cards_log(void);
void cards_clear(void);

queue *queue_new(void);
queue *queue_default(void);
void queue_free(queue *q);

slab *slab_new(const queue *q, long n);
void slab_free(slab *s);
void slab_fill(slab *s, int number, int repeats);
int slab_wait(const slab *s, void *stream);
int slab_last(const slab *s);
static inline int slab_number(const slab *s) { return s->number; }
static inline int slabs_number(const slab *s, const slab *t) { return s->number + t->number; }
int slab_last_on(const queue *q, const slab *s);

/* Functions that work on a stream, with arrays in the memory of a GPU. */
int queue_last(const queue *q, const float *x, long n);
int queue_last_int(const queue *q, const int *x, long n);
int queue_last_slab(const queue *q, const slab *s);
const slab *slab_same(const slab *s, const queue *q);
int queue_sum(const queue *q, slab *const *slabs, long n);
int queue_last_tensor(const queue *q, const DLTensor *x);
int stream_last(const float *x, long n, intptr_t stream);
int slab_last_beside(const slab *s, const float *x, long n);
void queue_fill(const queue *q, float *x, long n, int number);
slab *queue_slab(const queue *q, const float *x, long n);
