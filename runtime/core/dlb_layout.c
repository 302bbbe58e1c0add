/* SPDX-License-Identifier: MIT-0 */
/* Checks the layout of imported arrays: the keys of the spec language for it. Strides of axes with extent 1 never matter. */
#include "dlb_import.h"

#include <inttypes.h>
#include <stdio.h>

/* Returns the axis that is `depth` steps away from the innermost one. */
static int32_t axis_at(const DLTensor *tensor, dlb_order order, int32_t depth)
{
    return order == DLB_ORDER_F ? depth : tensor->ndim - 1 - depth;
}

void dlb_normalise_strides(DLTensor *tensor, dlb_order order)
{
    const bool empty = dlb_element_count(tensor) == 0;
    uint64_t step = 1;

    for (int32_t depth = 0; depth < tensor->ndim; depth++) {
        const int32_t axis = axis_at(tensor, order, depth);
        const int64_t extent = tensor->shape[axis];

        if (empty || extent == 1) {
            tensor->strides[axis] = (int64_t)step;
        }
        step = (uint64_t)tensor->strides[axis] * (uint64_t)(extent > 0 ? extent : 1);
    }
}

/* Returns whether all axes but the `skipped` outermost ones are compact. Sets `*step` to the number of elements in them. */
static bool compact_inside(const DLTensor *tensor, dlb_order order, int32_t skipped, int64_t *step)
{
    *step = 1;
    for (int32_t depth = 0; depth < tensor->ndim - skipped; depth++) {
        const int32_t axis = axis_at(tensor, order, depth);

        if (tensor->shape[axis] != 1 && tensor->strides[axis] != *step) {
            return false;
        }
        *step *= tensor->shape[axis];
    }
    return true;
}

int dlb_is_compact(const DLTensor *tensor, dlb_order order)
{
    int64_t step;

    return compact_inside(tensor, order, 0, &step);
}

/* Returns whether all axes but the outermost one are compact, and the outermost one does not overlap them. */
static bool inner_compact(const DLTensor *tensor, dlb_order order)
{
    int32_t outermost;
    int64_t rest;

    if (tensor->ndim == 0) {
        return true;
    }
    outermost = axis_at(tensor, order, tensor->ndim - 1);
    if (!compact_inside(tensor, order, 1, &rest)) {
        return false;
    }
    return tensor->shape[outermost] == 1 || tensor->strides[outermost] >= rest || tensor->strides[outermost] <= -rest;
}

/* Returns whether each axis is compact over the axes inside it. Axes whose bit is set in `strided` may have any stride. */
static bool compact_except(const DLTensor *tensor, dlb_order order, uint64_t strided)
{
    int64_t step = 1;

    for (int32_t depth = 0; depth < tensor->ndim; depth++) {
        const int32_t axis = axis_at(tensor, order, depth);

        if ((strided >> axis & 1) == 0 && tensor->shape[axis] != 1 && tensor->strides[axis] != step) {
            return false;
        }
        step = (int64_t)((uint64_t)tensor->strides[axis] * (uint64_t)tensor->shape[axis]);
    }
    return true;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Returns whether each axis steps over the memory that the axes with smaller strides span: then no two elements share memory. */
static bool no_overlap(const DLTensor *tensor)
{
    int32_t sorted[DLB_MAX_NDIM];
    int32_t count = 0;
    uint64_t reach = 0;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        int32_t place = count;

        if (tensor->shape[axis] == 1) {
            continue;
        }
        for (; place > 0 && magnitude(tensor->strides[sorted[place - 1]]) > magnitude(tensor->strides[axis]); place--) {
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = axis;
        count++;
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t axis = sorted[i];

        if (magnitude(tensor->strides[axis]) <= reach) {
            return false;
        }
        reach += magnitude(tensor->strides[axis]) * (uint64_t)(tensor->shape[axis] - 1);
    }
    return true;
}

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
DLB_COLD static int refuse_dtype(const dlb_maker *maker, const DLTensor *tensor, const char *name, dlb_error *error)
{
    const size_t count = maker->dtype_count < LISTED_DTYPES ? maker->dtype_count : LISTED_DTYPES;
    char list[LISTED_DTYPES * (DLB_NAME_SIZE + 4) + 32];
    char text[DLB_NAME_SIZE];
    int end = 0;

    if (count == 1 && maker->dtype_count == 1) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the dtype is %s, not %s", name, dlb_dtype_name(tensor->dtype, text),
                        dlb_dtype_name(maker->dtypes[0], list));
    }
    for (size_t i = 0; i < count; i++) {
        const char *const between = i == 0 ? "" : i + 1 == maker->dtype_count ? " or " : ", ";

        end += snprintf(list + end, sizeof list - (size_t)end, "%s%s", between, dlb_dtype_name(maker->dtypes[i], text));
    }
    if (count < maker->dtype_count) {
        (void)snprintf(list + end, sizeof list - (size_t)end, " or one of %d more", (int)(maker->dtype_count - count));
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the dtype is %s, not %s", name, dlb_dtype_name(tensor->dtype, text),
                    list);
}

int dlb_check_request(const dlb_maker *maker, const DLTensor *tensor, const char *name, dlb_error *error)
{
    size_t i = 0;

    if (tensor->ndim < maker->min_ndim || tensor->ndim > maker->max_ndim) {
        const char *const axes = tensor->ndim == 1 ? "axis" : "axes";

        if (maker->min_ndim == maker->max_ndim) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array has %" PRId32 " %s, not %" PRId32, name,
                            tensor->ndim, axes, maker->min_ndim);
        }
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array has %" PRId32 " %s, not %" PRId32 " to %" PRId32, name,
                        tensor->ndim, axes, maker->min_ndim, maker->max_ndim);
    }
    while (i < maker->dtype_count && !dlb_same_dtype(maker->dtypes[i], tensor->dtype)) {
        i++;
    }
    if (maker->dtype_count == 0 && (tensor->dtype.bits == 0 || tensor->dtype.lanes == 0)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array declares elements of %d bits and %d lanes", name,
                        tensor->dtype.bits, tensor->dtype.lanes);
    }
    if (maker->dtype_count > 0 && i == maker->dtype_count) {
        return refuse_dtype(maker, tensor, name, error);
    }
    for (int32_t axis = 0; maker->extents != NULL && axis < tensor->ndim; axis++) {
        if (maker->extents[axis] >= 0 && maker->extents[axis] != tensor->shape[axis]) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: shape[%" PRId32 "] is %" PRId64 ", not %" PRId64, name, axis,
                            tensor->shape[axis], maker->extents[axis]);
        }
    }
    return 0;
}

/* Checks that the factory accepts the device. Returns 0, or -1 with `error` filled. */
static int check_device(const dlb_maker *maker, DLDevice device, const char *name, dlb_error *error)
{
    char text[DLB_NAME_SIZE];
    char expected[DLB_NAME_SIZE];

    for (size_t i = 0; i < maker->device_count; i++) {
        if (maker->devices[i] == device.device_type ||
            (maker->devices[i] == kDLCPU && dlb_host_readable(device.device_type))) {
            return 0;
        }
    }
    if (maker->device_count == 0) {
        return 0;
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data is on %s, not %s", name,
                    dlb_device_name(device.device_type, text), dlb_device_name(maker->devices[0], expected));
}

/* Writes "strides (12, 4)", cut off if there are too many axes. */
static void write_strides(const DLTensor *tensor, char text[96])
{
    int used = snprintf(text, 96, "strides (");

    for (int32_t axis = 0; axis < tensor->ndim && used < 70; axis++) {
        used += snprintf(text + used, (size_t)(96 - used), axis == 0 ? "%" PRId64 : ", %" PRId64, tensor->strides[axis]);
    }
    (void)snprintf(text + used, (size_t)(96 - used), ")");
}

size_t dlb_required_alignment(const dlb_maker *maker, const DLTensor *tensor)
{
    if (maker->alignment > 0 || maker->dtype_count == 0 || !dlb_host_readable(tensor->device.device_type)) {
        return maker->alignment;
    }
    return dlb_natural_alignment(tensor->dtype);
}

/* Returns the required layout that a nonempty array does not have, for a message. Returns NULL if it has all of them. */
static const char *missing_of(const dlb_maker *maker, const DLTensor *tensor)
{
    static const char *const compact[] = {"compact (row-major)", "compact (column-major)", "compact (row-major)"};
    static const char *const inner[] = {"compact but for the outermost axis",
                                        "compact (column-major) but for the outermost axis",
                                        "compact but for the outermost axis"};
    const unsigned layout = maker->layout;

    if ((layout & DLB_COMPACT) != 0 && !dlb_is_compact(tensor, maker->order)) {
        return compact[maker->order];
    }
    if ((layout & DLB_INNER_COMPACT) != 0 && !inner_compact(tensor, maker->order)) {
        return inner[maker->order];
    }
    if (maker->strided != 0 && !compact_except(tensor, maker->order, maker->strided)) {
        return "compact but for the axes whose strides are passed";
    }
    if ((layout & (DLB_NO_OVERLAP | DLB_WRITABLE)) != 0 && !no_overlap(tensor)) {
        return "without overlap";
    }
    return (layout & DLB_NONNEGATIVE_STRIDES) != 0 && !nonnegative_strides(tensor) ? "without negative strides" : NULL;
}

int dlb_is_certain(const dlb_maker *maker, const DLTensor *tensor)
{
    uint64_t step = 1;

    if (!dlb_is_strided(tensor->dtype, tensor->ndim, tensor->shape, tensor->strides)) {
        return 0;
    }
    for (int32_t depth = 0; depth < tensor->ndim; depth++) {
        const int32_t axis = axis_at(tensor, maker->order, depth);

        if (tensor->shape[axis] == 1 && (uint64_t)tensor->strides[axis] != step) {
            return 0;
        }
        step = (uint64_t)tensor->strides[axis] * (uint64_t)tensor->shape[axis];
    }
    return missing_of(maker, tensor) == NULL;
}

int dlb_check_layout(const dlb_maker *maker, const DLTensor *tensor, int readonly, const char *name, dlb_error *error)
{
    const size_t alignment = dlb_required_alignment(maker, tensor);
    const char *missing;
    char strides[96];

    if (check_device(maker, tensor->device, name, error) != 0) {
        return -1;
    }
    if ((maker->layout & DLB_WRITABLE) != 0 && readonly) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array is read-only, and must be writable", name);
    }
    if (dlb_element_count(tensor) == 0) {
        return 0;
    }
    missing = missing_of(maker, tensor);
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
