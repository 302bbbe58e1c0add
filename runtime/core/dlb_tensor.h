/* SPDX-License-Identifier: MIT-0 */
/* Functions for any DLTensor: its size, the span of its strides, its device, and the names of dtypes and devices. */
#ifndef DLB_TENSOR_H_
#define DLB_TENSOR_H_

#include "dlb_describe.h"
#include "dlb_platform.h"

#include <stdarg.h>

/* Returns the number of elements of an array whose checks have passed. */
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
/* Checks that the strides of a nonempty tensor stay within the address space. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_check_span(const DLTensor *tensor, const char *what, dlb_error *error);

/* Returns whether the elements are compact in `order`. Strides of axes with extent 1 do not matter. */
DLB_API int dlb_is_compact(const DLTensor *tensor, dlb_order order);

/* Gives axes of extent 1 or less, and all axes of empty arrays, the strides of a compact array. */
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

/* ---- Messages ---- */

/* Formats like vsnprintf(), for formats with only strings and plain integers. Returns the length, or -1 if the format is another
 * one, a string is NULL, or `size` is too small. */
DLB_API int dlb_write_plain(char *text, size_t size, const char *format, va_list arguments);
/* Formats like snprintf(), but faster for such formats. */
DLB_API void dlb_write(char *text, size_t size, const char *format, ...) DLB_PRINTF(3, 4);

/* ---- Names ---- */

/* Returns the name of a dtype in the spec language ("float32"). A dtype without a name is written to `text`. */
enum { DLB_NAME_SIZE = 40 };
DLB_API const char *dlb_dtype_name(DLDataType dtype, char text[DLB_NAME_SIZE]);
/* Sets `*dtype` to that of the name and returns 0, or returns -1 if the name is unknown. */
DLB_API int dlb_dtype_from_name(const char *name, DLDataType *dtype);
/* Returns the name of a device type ("cpu"). A type without a name is written to `text` ("device 99"). */
DLB_API const char *dlb_device_name(DLDeviceType type, char text[DLB_NAME_SIZE]);

#endif
