/* SPDX-License-Identifier: MIT-0 */
/* Functions for any array: its checks, its layout, the memory that it occupies, and the names of dtypes and devices. */
#ifndef DLB_CORE_TENSOR_H_
#define DLB_CORE_TENSOR_H_

#include "dlb_emit.h"

#include <stdarg.h>
#include <stdlib.h>

/* Returns the number of elements of an array that dlb_check_extents() has accepted. */
DLB_API int64_t dlb_element_count(const DLTensor *tensor);

/* Returns the size of `count` elements in bytes. Elements of less than eight bits are packed. */
static inline int64_t dlb_nbytes(DLDataType dtype, int64_t count)
{
    const int64_t bits = (int64_t)dtype.bits * dtype.lanes;

    return bits % 8 == 0 ? count * (bits / 8) : (count * bits + 7) / 8;
}

/* Checks that no extent is negative, and that the size in bytes fits in 63 bits. Sets `*count` to the number of elements. The
 * message starts with `what`. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_check_extents(const DLTensor *tensor, const char *what, int64_t *count, dlb_error *error);
/* Checks that all elements of a nonempty tensor are less than 2^63 bytes before or after the first element. Returns 0, or -1 with `error`
 * filled. */
DLB_API int dlb_check_span(const DLTensor *tensor, const char *what, dlb_error *error);
/* Checks the strides as dlb_check_span() does, and that all elements lie in the address space. If the data is a handle, checks that no
 * element lies before the memory of the handle. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_check_addresses(const DLTensor *tensor, const char *what, dlb_error *error);

/* An axis whose stride is too short. */
typedef struct dlb_overlap {
    int32_t axis;
    uint64_t least; /* the smallest absolute value of the stride with which no elements would overlap */
} dlb_overlap;
/* Returns whether elements overlap: the stride of an axis is smaller than the memory that the axes with shorter strides span. If elements
 * overlap, fills `found`, unless it is NULL. Axes of extent 1 have no effect. `size` is the size of an element in units of the strides. A
 * stride of 0 repeats elements, which is an overlap unless `repeats`. The tensor must have elements, and dlb_check_span() must have
 * accepted its strides. */
DLB_API bool dlb_overlaps_itself(const DLTensor *tensor, uint64_t size, bool repeats, dlb_overlap *found);

/* Returns the axis that is `depth` steps away from the innermost one. */
static inline int32_t dlb_axis_at(const DLTensor *tensor, dlb_order order, int32_t depth)
{
    return order == DLB_ORDER_F ? depth : tensor->ndim - 1 - depth;
}

/* Returns whether the elements are compact in `order`. Strides of axes with extent 1 have no effect. */
DLB_API int dlb_is_compact(const DLTensor *tensor, dlb_order order);
/* Returns whether all axes but the outermost one are compact, and the outermost one does not overlap them. */
DLB_API bool dlb_is_inner_compact(const DLTensor *tensor, dlb_order order);
/* Returns whether each stride is the stride of the next inner axis times its extent, and the innermost stride is 1. Axes whose bit is set
 * in `strided` may have any stride. */
DLB_API bool dlb_is_compact_except(const DLTensor *tensor, dlb_order order, uint64_t strided);

/* Sets the strides of axes of extent 1 or less, and of all axes of empty arrays, to those of a compact array. */
DLB_API void dlb_normalise_strides(DLTensor *tensor, dlb_order order);

/* kDLTPUHost, pinned memory of the host. Headers up to DLPack 1.3 lack it. */
enum { DLB_TPU_HOST = 20 };

/* Returns whether the CPU can read memory of the device directly. */
static inline int dlb_host_readable(DLDeviceType type)
{
    return type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost || type == kDLCUDAManaged || (int)type == DLB_TPU_HOST;
}

/* Returns whether the data is an address, and not a handle. */
static inline int dlb_has_address(DLDeviceType type)
{
    return type != kDLOpenCL && type != kDLVulkan && type != kDLMetal && type != kDLWebGPU;
}

/* Clears shape and strides of a tensor of rank 0: dlpack.h allows NULL only there. */
static inline void dlb_leave_out_axes(DLTensor *tensor)
{
    if (DLB_UNLIKELY(tensor->ndim == 0)) {
        tensor->shape = NULL;
        tensor->strides = NULL;
    }
}

/* ---- Copies of elements ---- */

/* Copies are aligned to this many bytes: JAX copies arrays with a smaller alignment. */
enum { DLB_COPY_ALIGNMENT = 64 };

/* The addresses of the elements of a nonempty array. `steps` are strides in bytes. If there is a table `rows`, it has the address of each
 * row along `rows_axis`, which has at least two rows and a step of 0. */
typedef struct dlb_layout {
    int32_t ndim;
    int32_t rows_axis;
    const int64_t *shape;
    const int64_t *steps;
    int64_t itemsize;
    const void *data;
    const void *const *rows; /* NULL: no table */
} dlb_layout;

/* Returns the layout of a nonempty `tensor`, whose strides count units of `unit` bytes. Fills `steps`, which must have space for its axes
 * and outlive the result. */
DLB_API dlb_layout dlb_layout_of(const DLTensor *tensor, int64_t unit, int64_t *steps);

/* Copies all elements to compact row-major memory at `to`. */
DLB_API void dlb_gather_elements(const dlb_layout *from, void *to);

/* Copies the elements of a compact tensor to the layout `to`, which has an equal shape. */
DLB_API void dlb_scatter_elements(const DLTensor *from, const dlb_layout *to);

/* Copies the elements of a nonempty tensor, whose strides count units of `unit` bytes, to `to`, compact in `order`. Packed elements must be
 * compact already. Invalidates the strides of the tensor. Returns `to`. */
DLB_API void *dlb_copy_compact(DLTensor *tensor, int64_t unit, dlb_order order, void *to);

/* Returns the first multiple of `alignment` above `place`; it is at most `alignment` bytes away. */
static inline void *dlb_next_aligned(char *place, size_t alignment)
{
    return place + alignment - (size_t)((uintptr_t)place % alignment);
}

/* Returns the alignment in bytes of copies that an import makes. */
static inline size_t dlb_copy_alignment(const dlb_requirements *require)
{
    return require->alignment > DLB_COPY_ALIGNMENT ? require->alignment : DLB_COPY_ALIGNMENT;
}

/* ---- Memory ---- */

/* The addresses of an array: `begin` of its lowest byte, and `end` after its highest byte. If it has no elements, both are the address of
 * the data. */
typedef struct dlb_span {
    uintptr_t begin;
    uintptr_t end;
} dlb_span;
/* Returns the span of an array. If `strides` is NULL, the array is compact. */
DLB_API dlb_span dlb_span_of(const DLTensor *tensor);
/* Returns whether `part` lies entirely in `whole`. */
DLB_API bool dlb_lies_in(dlb_span part, dlb_span whole);
/* Returns whether the spans have an address in common. */
static inline bool dlb_overlaps(dlb_span one, dlb_span other)
{
    return one.begin < other.end && other.begin < one.end;
}

/* ---- Messages ---- */

/* Formats like vsnprintf(), for formats with only strings and integers without options. Returns the length, or -1 if the format has other
 * conversions, a string is NULL, or `size` is too small. */
DLB_API int dlb_write_plain(char *buffer, size_t size, const char *format, va_list arguments);
/* Formats like snprintf(), but faster for the formats of dlb_write_plain(). */
DLB_API void dlb_write(char *buffer, size_t size, const char *format, ...) DLB_PRINTF(3, 4);

/* ---- Names ---- */

/* Returns the name of a dtype ("float32"). The name of a dtype that the table of names lacks is written to `buffer`. */
enum { DLB_NAME_SIZE = 40 };
DLB_API const char *dlb_dtype_name(DLDataType dtype, char buffer[DLB_NAME_SIZE]);
/* Sets `*dtype` to the dtype with this name. Returns 0, or -1 if the name is unknown. */
DLB_API int dlb_dtype_from_name(const char *name, DLDataType *dtype);
/* Returns the name of a device type ("cpu"). For an unknown type, writes a name such as "device 99" to `buffer`. */
DLB_API const char *dlb_device_name(DLDeviceType type, char buffer[DLB_NAME_SIZE]);

#endif
