#include "cl_buffers.h"

#include <stdlib.h>
#include <string.h>

struct _cl_mem {
    int references;
    cl_mem_flags flags;
    size_t offset, size;
    unsigned char *memory; /* where the device has it */
    cl_mem parent;
    int broken;
};

struct _cl_command_queue {
    int finished;
};

static struct _cl_command_queue queue;
static int live, maps;

static cl_mem create(struct _cl_mem filled)
{
    cl_mem memory = malloc(sizeof *memory);

    filled.references = 1;
    *memory = filled;
    live++;
    return memory;
}

cl_mem cl_create_buffer(cl_mem_flags flags, size_t size)
{
    unsigned char *bytes = malloc(size);

    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)i;
    }
    return create((struct _cl_mem){.flags = flags, .size = size, .memory = bytes});
}

cl_mem cl_create_sub_buffer(cl_mem parent, size_t offset, size_t size)
{
    clRetainMemObject(parent);
    return create((struct _cl_mem){
        .flags = parent->flags, .offset = offset, .size = size, .memory = parent->memory, .parent = parent});
}

cl_int clRetainMemObject(cl_mem memory)
{
    memory->references++;
    return CL_SUCCESS;
}

cl_int clReleaseMemObject(cl_mem memory)
{
    if (--memory->references > 0) {
        return CL_SUCCESS;
    }
    if (memory->parent != NULL) {
        clReleaseMemObject(memory->parent);
    } else {
        free(memory->memory);
    }
    free(memory);
    live--;
    return CL_SUCCESS;
}

cl_int clGetMemObjectInfo(cl_mem memory, cl_uint name, size_t room, void *value, size_t *needed)
{
    (void)needed;
    if (memory->broken == 1) {
        return CL_INVALID_MEM_OBJECT;
    }
    memcpy(value, name == CL_MEM_FLAGS ? (const void *)&memory->flags : name == CL_MEM_SIZE ? &memory->size : &memory->offset,
           room);
    return CL_SUCCESS;
}

void *clEnqueueMapBuffer(cl_command_queue q, cl_mem memory, size_t offset, size_t size, cl_int *status)
{
    (void)q;
    if (offset + size > memory->size) {
        *status = CL_INVALID_VALUE;
        return NULL;
    }
    *status = memory->broken ? CL_INVALID_MEM_OBJECT : CL_SUCCESS; /* the pointer means nothing then, but is not NULL */
    maps += !memory->broken;
    return memory->memory + memory->offset + offset;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue q, cl_mem memory, void *mapped)
{
    (void)q;
    (void)memory;
    maps -= mapped != NULL;
    return CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem memory, size_t offset, size_t size, void *dst)
{
    if (q != NULL || offset + size > memory->size) {
        return CL_INVALID_VALUE;
    }
    memcpy(dst, memory->memory + memory->offset + offset, size);
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue q)
{
    q->finished++;
    return CL_SUCCESS;
}

cl_command_queue cl_queue(void)
{
    return &queue;
}

size_t cl_size(cl_mem memory)
{
    return memory->size;
}

int cl_maps(void)
{
    return maps;
}

int cl_finished(void)
{
    return queue.finished;
}

void cl_break(cl_mem memory, int broken)
{
    memory->broken = broken;
}

void *cl_memory(cl_mem memory)
{
    return memory->memory;
}

int cl_live(void)
{
    return live;
}
