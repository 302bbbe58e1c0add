/* SPDX-License-Identifier: MIT */
/* The driver of CUDA without a GPU. A stream does its work only when somebody waits for it: work that is not ordered by an event is
 * seen too late. Memory of the GPU is memory of the CPU. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

struct stream;

typedef struct event {
    struct stream *of;
    int position;
} event;

typedef struct operation {
    enum { SET, DOWNLOAD, WAIT } kind;
    void *to;
    const void *from;
    size_t count;
    unsigned value;
    event until;
} operation;

/* Destroyed streams stay in the list, since other streams may still wait for their work, which is done. */
typedef struct stream {
    int count, done; /* of all operations so far */
    struct stream *next;
    operation operations[MOST];
} stream;

static stream default_streams[2];
static stream *streams;

static stream *stream_of(void *handle)
{
    return (uintptr_t)handle <= 2 ? &default_streams[(uintptr_t)handle == 2] : handle;
}

static void run(stream *s, int position)
{
    while (s->done < position) {
        const operation *const each = &s->operations[s->done++ % MOST];

        if (each->kind == SET) {
            for (size_t i = 0; i < each->count; i++) {
                ((unsigned *)each->to)[i] = each->value;
            }
        } else if (each->kind == DOWNLOAD) {
            memcpy(each->to, each->from, each->count);
        } else {
            run(each->until.of, each->until.position);
        }
    }
}

static int add(void *handle, operation each)
{
    stream *const s = stream_of(handle);

    if (s->count - s->done == MOST) {
        return 2;
    }
    s->operations[s->count++ % MOST] = each;
    return 0;
}

int cuInit(unsigned flags)
{
    return (int)flags;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

int cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    strncpy(name, "no card", (size_t)size);
    return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = default_streams;
    return 0;
}

int cuCtxSetCurrent(void *context)
{
    return context == NULL;
}

int cuStreamCreate(void **handle, unsigned flags)
{
    stream *const s = calloc(1, sizeof *s);

    (void)flags;
    if (s == NULL) {
        return 2;
    }
    s->next = streams;
    streams = s;
    *handle = s;
    return 0;
}

int cuStreamSynchronize(void *handle)
{
    run(stream_of(handle), stream_of(handle)->count);
    return 0;
}

int cuStreamDestroy_v2(void *handle)
{
    return cuStreamSynchronize(handle);
}

int cuStreamWaitEvent(void *handle, void *event_handle, unsigned flags)
{
    (void)flags;
    return add(handle, (operation){.kind = WAIT, .until = *(const event *)event_handle});
}

int cuEventCreate(void **handle, unsigned flags)
{
    (void)flags;
    *handle = calloc(1, sizeof(event));
    return *handle == NULL;
}

int cuEventRecord(void *event_handle, void *handle)
{
    *(event *)event_handle = (event){stream_of(handle), stream_of(handle)->count};
    return 0;
}

int cuEventDestroy_v2(void *event_handle)
{
    free(event_handle);
    return 0;
}

int cuMemAlloc_v2(uintptr_t *address, size_t size)
{
    *address = (uintptr_t)calloc(1, size);
    return *address == 0;
}

int cuMemFree_v2(uintptr_t address)
{
    free((void *)address);
    return 0;
}

int cuMemsetD32Async(uintptr_t address, unsigned value, size_t count, void *handle)
{
    return add(handle, (operation){.kind = SET, .to = (void *)address, .value = value, .count = count});
}

int cuMemcpyDtoHAsync_v2(void *to, uintptr_t from, size_t size, void *handle)
{
    return add(handle, (operation){.kind = DOWNLOAD, .to = to, .from = (const void *)from, .count = size});
}
