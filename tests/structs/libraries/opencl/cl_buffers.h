/* OpenCL's memory objects: a pointer typedef for an opaque handle, an offset beside it, memory that must be mapped. */
#ifndef CL_BUFFERS_H
#define CL_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_mem_flags;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_command_queue *cl_command_queue;

#define CL_SUCCESS 0
#define CL_INVALID_VALUE (-30)
#define CL_INVALID_MEM_OBJECT (-38)
#define CL_MEM_READ_WRITE ((cl_mem_flags)1 << 0)
#define CL_MEM_WRITE_ONLY ((cl_mem_flags)1 << 1)
#define CL_MEM_READ_ONLY ((cl_mem_flags)1 << 2)
#define CL_MEM_FLAGS 0x1101
#define CL_MEM_SIZE 0x1102
#define CL_MEM_OFFSET 0x1108

cl_mem cl_create_buffer(cl_mem_flags flags, size_t size);
cl_mem cl_create_sub_buffer(cl_mem parent, size_t offset, size_t size);
cl_int clRetainMemObject(cl_mem memory);
cl_int clReleaseMemObject(cl_mem memory);
cl_int clGetMemObjectInfo(cl_mem memory, cl_uint name, size_t room, void *value, size_t *needed);
void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, size_t offset, size_t size, cl_int *status);
cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *mapped);
/* Only the queue NULL can read. */
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, size_t offset, size_t size, void *dst);
cl_int clFinish(cl_command_queue queue);

cl_command_queue cl_queue(void);
size_t cl_size(cl_mem memory);
int cl_maps(void);
int cl_finished(void);
void cl_break(cl_mem memory, int broken); /* 1: no question is answered, 2: it cannot be mapped */
void *cl_memory(cl_mem memory);
int cl_live(void);

#endif
