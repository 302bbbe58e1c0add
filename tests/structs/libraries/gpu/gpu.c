#include "gpu.h"

#include <stdlib.h>

static int live;

rt_tensor *rt_create(rt_kind kind, int ordinal, void *address, int rank, const int64_t *dims, const int64_t *stride)
{
    rt_tensor *tensor = calloc(1, sizeof *tensor);

    tensor->references = 1;
    tensor->buffer = (rt_buffer){kind, ordinal, (uintptr_t)address};
    tensor->rank = (uint8_t)rank;
    for (int i = 0; i < rank; i++) {
        tensor->dims[i] = dims[i];
        tensor->stride[i] = stride[i];
    }
    live++;
    return tensor;
}

void rt_destroy(rt_tensor *tensor)
{
    free(tensor);
    live--;
}

int rt_live(void)
{
    return live;
}
