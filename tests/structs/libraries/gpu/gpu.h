/* In the style of a device runtime: counted references by macros, memory of several kinds, streams left out. */
#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { RT_HOST, RT_CUDA, RT_PINNED, RT_PRIVATE } rt_kind;

typedef struct {
    rt_kind kind;
    int ordinal;
    uintptr_t address;
} rt_buffer;

typedef struct {
    int references;
    rt_buffer buffer;
    bool frozen;
    uint8_t rank;
    int64_t dims[8];
    int64_t stride[8];
} rt_tensor;

#define RT_POINTER(buffer) ((float *)(buffer).address)
#define RT_RETAIN(tensor) \
    do { \
        (tensor)->references++; \
    } while (0)
#define RT_RELEASE(tensor) ((void)(--(tensor)->references == 0 ? rt_destroy(tensor) : (void)0))

rt_tensor *rt_create(rt_kind kind, int ordinal, void *address, int rank, const int64_t *dims, const int64_t *stride);
void rt_destroy(rt_tensor *tensor);
int rt_live(void);

#endif
