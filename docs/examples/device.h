#ifndef DEVICE_H
#define DEVICE_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rt_status { RT_OK, RT_LOST } rt_status;
enum rt_kind { RT_HOST, RT_PINNED, RT_GPU, RT_TPU, RT_OTHER };
typedef void *rt_stream;

struct rt_buffer {
    void *address;
    enum rt_kind kind;
    int ordinal;
};

typedef struct rt_array {
    struct rt_buffer *buffer;
    int rank;
    struct {
        uint8_t code, bits;
    } type;
    const int64_t *extents, *steps;
} rt_array;

typedef struct rt_heap {
    void *handle;
    size_t offset, size;
    int ordinal;
} rt_heap;

typedef struct rt_context {
    rt_stream stream;
} rt_context;

typedef struct rt_span {
    float *address;
    size_t count;
    int ordinal;
    const rt_context *context;
} rt_span;

rt_status rt_wait(rt_array *array, rt_stream stream);
rt_status rt_download(rt_array *array, void *dst, int64_t nbytes);
const char *rt_message(rt_status status);
void rt_retain(rt_array *array);
void rt_release(rt_array *array);
rt_status rt_pin(rt_heap *heap);
void rt_unpin(rt_heap *heap);
void rt_context_free(rt_context *context);
rt_status rt_scale(const rt_context *context, DLTensor *x, float factor);

#endif
