/* SPDX-License-Identifier: MIT-0 */
/* What holds of anybody's tensor: its size, where its strides lead, which memory it is in, and what that is called. */
#ifndef DLB_TENSOR_H_
#define DLB_TENSOR_H_

#include "dlb_describe.h"
#include "dlb_platform.h"

#include <stdarg.h>

/* The number of elements, for an array whose checks have passed. */
DLB_API int64_t dlb_element_count(const DLTensor *tensor);

/* The bytes of that many elements; packed below eight bits. */
static inline int64_t dlb_nbytes(DLDataType dtype, int64_t count)
{
    const int64_t bits = (int64_t)dtype.bits * dtype.lanes;

    return bits % 8 == 0 ? count * (bits / 8) : (count * bits + 7) / 8;
}

/* The extents of anybody's tensor are not negative, and their bytes fit in 63 bits. `what` starts the message. */
DLB_API int dlb_check_extents(const DLTensor *tensor, const char *what, int64_t *count, dlb_error *error);
/* The strides of a tensor with elements lead nowhere that has no address. */
DLB_API int dlb_check_span(const DLTensor *tensor, const char *what, dlb_error *error);

/* The elements follow each other without gaps, as `order` says; axes of extent 1 do not matter. */
DLB_API int dlb_is_compact(const DLTensor *tensor, dlb_order order);

/* Gives axes of extent 1 or less, and all axes of empty arrays, the stride that they would have if compact. */
DLB_API void dlb_normalise_strides(DLTensor *tensor, dlb_order order);

/* kDLTPUHost, pinned memory of the host: in headers after DLPack 1.3. */
enum { DLB_TPU_HOST = 20 };

/* The device is one whose memory the CPU reads like its own. */
static inline int dlb_host_readable(DLDeviceType type)
{
    return type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost || type == kDLCUDAManaged || (int)type == DLB_TPU_HOST;
}

/* The data is an address, of whatever memory, and not a handle. */
static inline int dlb_has_address(DLDeviceType type)
{
    return type != kDLOpenCL && type != kDLVulkan && type != kDLMetal && type != kDLWebGPU;
}

/* dlpack.h: without axes, and only then, there need be neither shape nor strides. */
static inline void dlb_leave_out_axes(DLTensor *tensor)
{
    if (DLB_UNLIKELY(tensor->ndim == 0)) {
        tensor->shape = NULL;
        tensor->strides = NULL;
    }
}

/* ---- Messages ---- */

/* What vsnprintf() writes for a format of nothing but texts and plain integers: how long it is, or -1, where it is another format, a
 * text is NULL, or there is no room. */
DLB_API int dlb_write_plain(char *text, size_t size, const char *format, va_list arguments);
/* snprintf(), soon done where it is such a format. */
DLB_API void dlb_write(char *text, size_t size, const char *format, ...) DLB_PRINTF(3, 4);

/* ---- Names ---- */

/* The name of a dtype in the spec language ("float32"), written into `text` where it has none. */
enum { DLB_NAME_TEXT = 40 };
DLB_API const char *dlb_dtype_name(DLDataType dtype, char text[DLB_NAME_TEXT]);
/* 0 and `*dtype`, or -1 for a name that there is not. */
DLB_API int dlb_dtype_from_name(const char *name, DLDataType *dtype);
/* The name of a device type ("cpu"), or "device 99". */
DLB_API const char *dlb_device_name(DLDeviceType type, char text[DLB_NAME_TEXT]);

#endif
