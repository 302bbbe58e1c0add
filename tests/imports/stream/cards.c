/* SPDX-License-Identifier: MIT */

#include "cards.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of the driver of CUDA. All return 0 on success. */
static struct {
    int (*init)(unsigned flags);
    int (*device_get)(int *device, int ordinal);
    int (*device_name)(char *name, int size, int device);
    int (*context_retain)(void **context, int device);
    int (*context_set)(void *context);
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_synchronize)(void *stream);
    int (*stream_wait)(void *stream, void *event, unsigned flags);
    int (*event_create)(void **event, unsigned flags);
    int (*event_record)(void *event, void *stream);
    int (*event_destroy)(void *event);
    int (*allocate)(uintptr_t *address, size_t size);
    int (*release)(uintptr_t address);
    int (*set)(uintptr_t address, unsigned value, size_t count, void *stream);
    int (*download)(void *to, uintptr_t from, size_t size, void *stream);
} cuda;

static queue *queues;
static char next_name = 'A';
static char log_lines[1024];
static char card_name[128];

/* Adds "WORK STREAM" to the log. A stream has the name of its queue, or else its number. */
static void write_log(const char *work, const void *stream)
{
    const size_t used = strlen(log_lines);
    const queue *q = queues;

    while (q != NULL && q->stream != stream) {
        q = q->next;
    }
    if (q != NULL) {
        snprintf(log_lines + used, sizeof log_lines - used, "%s %c\n", work, q->name);
    } else {
        snprintf(log_lines + used, sizeof log_lines - used, "%s %lld\n", work, (long long)(intptr_t)stream);
    }
}

const char *cards_open(const char *driver)
{
    static const char *const names[] = {
        "cuInit", "cuDeviceGet", "cuDeviceGetName", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuStreamCreate",
        "cuStreamDestroy_v2", "cuStreamSynchronize", "cuStreamWaitEvent", "cuEventCreate", "cuEventRecord", "cuEventDestroy_v2",
        "cuMemAlloc_v2", "cuMemFree_v2", "cuMemsetD32Async", "cuMemcpyDtoHAsync_v2",
    };
    void *const library = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
    void *context = NULL;
    int device = 0;

    if (library == NULL) {
        return "there is no driver of CUDA";
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *const function = dlsym(library, names[i]);

        if (function == NULL) {
            return names[i];
        }
        memcpy((char *)&cuda + i * sizeof function, &function, sizeof function);
    }
    if (cuda.init(0) != 0 || cuda.device_get(&device, 0) != 0) {
        return "the driver of CUDA finds no GPU";
    }
    if (cuda.device_name(card_name, (int)sizeof card_name, device) != 0 || cuda.context_retain(&context, device) != 0 ||
        cuda.context_set(context) != 0) {
        return "the GPU cannot be used";
    }
    return "";
}

const char *cards_card(void)
{
    return card_name;
}

const char *cards_log(void)
{
    return log_lines;
}

void cards_clear(void)
{
    log_lines[0] = '\0';
    next_name = 'A';
}

static queue *add_queue(void *stream, char name)
{
    queue *const q = calloc(1, sizeof *q);

    *q = (queue){stream, queues, name};
    queues = q;
    return q;
}

queue *queue_new(void)
{
    void *stream = NULL;

    return cuda.stream_create(&stream, 1) == 0 ? add_queue(stream, next_name++) : NULL; /* 1: it waits for no default stream */
}

queue *queue_default(void)
{
    return add_queue(NULL, '0');
}

void queue_free(queue *q)
{
    queue **place = &queues;

    while (*place != q) {
        place = &(*place)->next;
    }
    *place = q->next;
    if (q->stream != NULL) {
        (void)cuda.stream_destroy(q->stream);
    }
    free(q);
}

slab *slab_new(const queue *q, long n)
{
    slab *const s = calloc(1, sizeof *s);
    uintptr_t address = 0;

    if (cuda.allocate(&address, (size_t)n * sizeof(float)) != 0) {
        free(s);
        return NULL;
    }
    *s = (slab){(float *)address, n, 0, q->stream};
    (void)cuda.set(address, 0, (size_t)n, q->stream);
    (void)cuda.stream_synchronize(q->stream);
    return s;
}

void slab_free(slab *s)
{
    (void)cuda.stream_synchronize(s->stream);
    (void)cuda.release((uintptr_t)s->at);
    free(s);
}

void slab_fill(slab *s, int number, int repeats)
{
    const float value = (float)number;
    unsigned bits;

    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < repeats; i++) {
        (void)cuda.set((uintptr_t)s->at, 0, (size_t)s->n, s->stream);
    }
    (void)cuda.set((uintptr_t)s->at, bits, (size_t)s->n, s->stream);
    write_log("fill", s->stream);
}

int slab_wait(const slab *s, void *stream)
{
    void *event = NULL;
    int result = cuda.event_create(&event, 2); /* 2: without times */

    if (result == 0) {
        result = cuda.event_record(event, s->stream);
        write_log("record", s->stream);
    }
    if (result == 0) {
        result = cuda.stream_wait(stream, event, 0);
        write_log("wait", stream);
    }
    (void)cuda.event_destroy(event);
    return result;
}

int slab_last(const slab *s)
{
    float value = -1;

    (void)cuda.download(&value, (uintptr_t)(s->at + s->n - 1), sizeof value, s->stream);
    write_log("copy", s->stream);
    (void)cuda.stream_synchronize(s->stream);
    return (int)value;
}

int slab_last_on(const queue *q, const slab *s)
{
    return q->stream == s->stream ? slab_last(s) : -1;
}

static unsigned last_on(void *stream, const void *x, long n)
{
    unsigned bits = 0;

    if (n == 0) {
        return 0;
    }
    (void)cuda.download(&bits, (uintptr_t)x + (size_t)(n - 1) * sizeof bits, sizeof bits, stream);
    write_log("copy", stream);
    (void)cuda.stream_synchronize(stream);
    return bits;
}

int stream_last(const float *x, long n, intptr_t stream)
{
    const unsigned bits = last_on((void *)stream, x, n);
    float value;

    memcpy(&value, &bits, sizeof value);
    return (int)value;
}

int queue_last(const queue *q, const float *x, long n)
{
    return stream_last(x, n, (intptr_t)(q != NULL ? q->stream : NULL));
}

int queue_last_int(const queue *q, const int *x, long n)
{
    return (int)last_on(q->stream, x, n);
}

int queue_last_slab(const queue *q, const slab *s)
{
    return queue_last(q, s->at, s->n);
}

const slab *slab_same(const slab *s, const queue *q)
{
    (void)q;
    return s;
}

int queue_sum(const queue *q, slab *const *slabs, long n)
{
    int sum = 0;

    for (long i = 0; i < n; i++) {
        sum += queue_last_slab(q, slabs[i]);
    }
    return sum;
}

int queue_last_tensor(const queue *q, const DLTensor *x)
{
    return queue_last(q, (const float *)((const char *)x->data + x->byte_offset), (long)x->shape[0]);
}

int slab_last_beside(const slab *s, const float *x, long n)
{
    return stream_last(x, n, (intptr_t)s->stream);
}

static void fill_on(void *stream, float *x, long n, float value)
{
    unsigned bits;

    memcpy(&bits, &value, sizeof bits);
    (void)cuda.set((uintptr_t)x, bits, (size_t)n, stream);
    write_log("fill", stream);
}

void queue_fill(const queue *q, float *x, long n, int number)
{
    fill_on(q->stream, x, n, (float)number);
}

slab *queue_slab(const queue *q, const float *x, long n)
{
    slab *const s = slab_new(q, n);

    if (s != NULL) {
        fill_on(q->stream, s->at, n, (float)queue_last(q, x, n));
    }
    return s;
}
