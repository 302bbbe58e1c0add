/* SPDX-License-Identifier: MIT-0 */
/* The requirements of a factory on arrays. */

#include "exchange.h"

#include <inttypes.h>
#include <stdio.h>

static bool nonnegative_strides(const DLTensor *tensor)
{
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        if (tensor->strides[axis] < 0 && tensor->shape[axis] != 1) {
            return false;
        }
    }
    return true;
}

/* The number of dtypes that a message lists. It counts the rest. */
enum { LISTED_DTYPES = 8 };

/* Reports "the dtype is int32, not uint8, float32 or float64"; returns -1. */
DLB_COLD static int refuse_dtype(const dlb_requirements *require, const DLTensor *tensor, const char *name, dlb_error *error)
{
    const size_t count = require->dtype_count < LISTED_DTYPES ? require->dtype_count : LISTED_DTYPES;
    char list[LISTED_DTYPES * (DLB_NAME_SIZE + 4) + 32];
    char buffer[DLB_NAME_SIZE];
    int end = 0;

    if (count == 1 && require->dtype_count == 1) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the dtype is %s, not %s", name, dlb_dtype_name(tensor->dtype, buffer),
                        dlb_dtype_name(require->dtypes[0], list));
    }
    for (size_t i = 0; i < count; i++) {
        const char *const between = i == 0 ? "" : i + 1 == require->dtype_count ? " or " : ", ";

        end += snprintf(list + end, sizeof list - (size_t)end, "%s%s", between, dlb_dtype_name(require->dtypes[i], buffer));
    }
    if (count < require->dtype_count) {
        (void)snprintf(list + end, sizeof list - (size_t)end, " or one of %d more", (int)(require->dtype_count - count));
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the dtype is %s, not %s", name, dlb_dtype_name(tensor->dtype, buffer),
                    list);
}

int dlb_check_request(const dlb_requirements *require, const DLTensor *tensor, const char *name, dlb_error *error)
{
    size_t i = 0;

    if (tensor->ndim < require->min_ndim || tensor->ndim > require->max_ndim) {
        const char *const axes = tensor->ndim == 1 ? "axis" : "axes";

        if (require->min_ndim == require->max_ndim) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array has %" PRId32 " %s, not %" PRId32, name,
                            tensor->ndim, axes, require->min_ndim);
        }
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array has %" PRId32 " %s, not %" PRId32 " to %" PRId32, name,
                        tensor->ndim, axes, require->min_ndim, require->max_ndim);
    }
    while (i < require->dtype_count && !dlb_same_dtype(require->dtypes[i], tensor->dtype)) {
        i++;
    }
    if (require->dtype_count == 0 && (tensor->dtype.bits == 0 || tensor->dtype.lanes == 0)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array declares elements of %d bits and %d lanes", name,
                        tensor->dtype.bits, tensor->dtype.lanes);
    }
    if (require->dtype_count > 0 && i == require->dtype_count) {
        return refuse_dtype(require, tensor, name, error);
    }
    for (int32_t axis = 0; require->extents != NULL && axis < tensor->ndim; axis++) {
        if (require->extents[axis] >= 0 && require->extents[axis] != tensor->shape[axis]) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: shape[%" PRId32 "] is %" PRId64 ", not %" PRId64, name, axis,
                            tensor->shape[axis], require->extents[axis]);
        }
    }
    return 0;
}

/* Checks that the factory accepts the device. Returns 0, or -1 with `error` filled. */
static int check_device(const dlb_requirements *require, DLDevice device, const char *name, dlb_error *error)
{
    char buffer[DLB_NAME_SIZE];
    char expected[DLB_NAME_SIZE];

    for (size_t i = 0; i < require->device_count; i++) {
        if (require->devices[i] == device.device_type ||
            (require->devices[i] == kDLCPU && dlb_host_readable(device.device_type))) {
            return 0;
        }
    }
    if (require->device_count == 0) {
        return 0;
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data is on %s, not %s", name,
                    dlb_device_name(device.device_type, buffer), dlb_device_name(require->devices[0], expected));
}

/* Writes "strides (12, 4)", cut off if there are too many axes. */
static void write_strides(const DLTensor *tensor, char buffer[96])
{
    int used = snprintf(buffer, 96, "strides (");

    for (int32_t axis = 0; axis < tensor->ndim && used < 70; axis++) {
        used += snprintf(buffer + used, (size_t)(96 - used), axis == 0 ? "%" PRId64 : ", %" PRId64, tensor->strides[axis]);
    }
    (void)snprintf(buffer + used, (size_t)(96 - used), ")");
}

size_t dlb_required_alignment(const dlb_requirements *require, const DLTensor *tensor)
{
    if (require->alignment > 0 || require->dtype_count == 0 || !dlb_host_readable(tensor->device.device_type)) {
        return require->alignment;
    }
    return dlb_natural_alignment(tensor->dtype);
}

/* Returns the required layout that a nonempty array does not have, for a message. Returns NULL if it has all of them. */
static const char *missing_of(const dlb_requirements *require, const DLTensor *tensor)
{
    static const char *const compact[] = {"compact (row-major)", "compact (column-major)", "compact (row-major)"};
    static const char *const inner[] = {"compact but for the outermost axis",
                                        "compact (column-major) but for the outermost axis",
                                        "compact but for the outermost axis"};
    const unsigned layout = require->layout;

    if ((layout & DLB_COMPACT) != 0 && !dlb_is_compact(tensor, require->order)) {
        return compact[require->order];
    }
    if ((layout & DLB_INNER_COMPACT) != 0 && !dlb_is_inner_compact(tensor, require->order)) {
        return inner[require->order];
    }
    if (require->strided != 0 && !dlb_is_compact_except(tensor, require->order, require->strided)) {
        return "compact but for the axes whose strides are passed";
    }
    if ((layout & (DLB_NO_OVERLAP | DLB_WRITABLE)) != 0 && dlb_overlaps_itself(tensor, 1, false, NULL)) {
        return "without overlap";
    }
    return (layout & DLB_NONNEGATIVE_STRIDES) != 0 && !nonnegative_strides(tensor) ? "without negative strides" : NULL;
}

int dlb_is_certain(const dlb_requirements *require, const DLTensor *tensor)
{
    uint64_t step = 1;

    if (!dlb_is_strided(tensor->data, tensor->dtype, tensor->ndim, tensor->shape, tensor->strides)) {
        return 0;
    }
    for (int32_t depth = 0; depth < tensor->ndim; depth++) {
        const int32_t axis = dlb_axis_at(tensor, require->order, depth);

        if (tensor->shape[axis] == 1 && (uint64_t)tensor->strides[axis] != step) {
            return 0;
        }
        step = (uint64_t)tensor->strides[axis] * (uint64_t)tensor->shape[axis];
    }
    return missing_of(require, tensor) == NULL;
}

int dlb_check_layout(const dlb_requirements *require, const DLTensor *tensor, int readonly, const char *name, dlb_error *error)
{
    const size_t alignment = dlb_required_alignment(require, tensor);
    const char *missing;
    char strides[96];

    if (check_device(require, tensor->device, name, error) != 0) {
        return -1;
    }
    if ((require->layout & DLB_WRITABLE) != 0 && readonly) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array is read-only, and must be writable", name);
    }
    if (dlb_element_count(tensor) == 0) {
        return 0;
    }
    missing = missing_of(require, tensor);
    if (missing != NULL) {
        write_strides(tensor, strides);
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array must be %s; it has %s", name, missing, strides);
    }
    if (alignment > 0 && (uintptr_t)tensor->data % alignment != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data must be aligned to %" PRIu64 " bytes", name,
                        (uint64_t)alignment);
    }
    return 0;
}
