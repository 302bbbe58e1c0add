/* SPDX-License-Identifier: MIT-0 */
/* Functions for any array: its checks, its layout, copies of its elements, and the memory that it occupies. */

#include "tensor.h"
#include "../dlb_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Checks ---- */

int64_t dlb_element_count(const DLTensor *tensor)
{
    int64_t count = 1;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        count *= tensor->shape[axis];
    }
    return count;
}

/* Leaves out extents of zero: an empty array must not hide an overflow of the other extents, whose strides consumers compute. */
int dlb_check_extents(const DLTensor *tensor, const char *what, int64_t *count, dlb_error *error)
{
    const int64_t bits = (int64_t)tensor->dtype.bits * tensor->dtype.lanes;
    int64_t product = 1;
    int64_t total;
    bool empty = false;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t extent = tensor->shape[axis];

        if (DLB_UNLIKELY(extent < 0)) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: shape[%" PRId32 "] is %" PRId64 ": an extent is not negative",
                            what, axis, extent);
        }
        if (extent == 0) {
            empty = true;
        } else if (DLB_UNLIKELY(dlb_multiply_overflows(product, extent, &product))) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the extents up to shape[%" PRId32 "] (%" PRId64
                            ") multiply to more than 2^63 - 1", what, axis, extent);
        }
    }
    if (DLB_UNLIKELY(dlb_multiply_overflows(product, bits, &total) || total > INT64_MAX - 7 ||
                     !dlb_is_addressable(total / 8 + 1))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %" PRId64 " elements of %" PRId64
                        " bits are more than memory can hold", what, product, bits);
    }
    *count = empty ? 0 : product;
    return 0;
}

/* Adds up the distances of the outermost elements from the first one, in both directions and in bytes: `below` is not positive. Returns 0,
 * or -1 with `error` filled. */
static int find_reach(const DLTensor *tensor, const char *what, int64_t *bytes_below, int64_t *bytes_above, dlb_error *error)
{
    const int64_t itemsize = dlb_itemsize(tensor->dtype);
    int64_t below = 0;
    int64_t above = 1; /* the element itself */
    int64_t reach;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        int64_t *const side = tensor->strides[axis] < 0 ? &below : &above;

        if (DLB_UNLIKELY(dlb_multiply_overflows(tensor->strides[axis], tensor->shape[axis] - 1, &reach) ||
                         dlb_add_overflows(*side, reach, side))) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: strides[%" PRId32 "] is %" PRId64 ": with shape[%" PRId32
                            "] of %" PRId64 " it leads beyond the address space",
                            what, axis, tensor->strides[axis], axis, tensor->shape[axis]);
        }
    }
    if (DLB_UNLIKELY(dlb_multiply_overflows(below, itemsize, bytes_below) || *bytes_below == INT64_MIN ||
                     !dlb_is_addressable(*bytes_below) || dlb_multiply_overflows(above, itemsize, bytes_above) ||
                     !dlb_is_addressable(*bytes_above))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the strides lead beyond the address space", what);
    }
    return 0;
}

int dlb_check_span(const DLTensor *tensor, const char *what, dlb_error *error)
{
    int64_t below;
    int64_t above;

    return find_reach(tensor, what, &below, &above, error);
}

int dlb_check_addresses(const DLTensor *tensor, const char *what, dlb_error *error)
{
    const uint64_t data = dlb_has_address(tensor->device.device_type) ? (uintptr_t)tensor->data : 0;
    const uint64_t end = dlb_has_address(tensor->device.device_type) ? UINTPTR_MAX : UINT64_MAX;
    int64_t below;
    int64_t above;

    if (find_reach(tensor, what, &below, &above, error) != 0) {
        return -1;
    }
    if (DLB_UNLIKELY(tensor->byte_offset > end - data || (uint64_t)-below > data + tensor->byte_offset ||
                     (uint64_t)above > end - data - tensor->byte_offset)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data begins at the address 0x%" PRIx64
                        ", and the shape and the strides lead beyond the address space",
                        what, data + tensor->byte_offset);
    }
    return 0;
}

/* Implements dlb_is_strided(). Sets `*ascends`, unless that is NULL, to whether each axis steps over the memory of the axes before it,
 * as in a column-major array. */
static inline DLB_ALWAYS_INLINE int is_strided(const void *data, DLDataType dtype, int32_t ndim, const int64_t *shape,
                                                const int64_t *strides, bool *ascends)
{
    int64_t bits = (int64_t)dtype.bits * dtype.lanes;
    int64_t reach = 1; /* the sum of both directions and the element itself, which is an upper bound for each */
    int64_t steps;

    if (dtype.bits % 8 != 0) {
        return 0;
    }
    for (int32_t axis = 0; axis < ndim; axis++) {
        const int64_t extent = shape[axis];

        if (ascends != NULL && strides[axis] < reach) {
            *ascends = false;
        }
        if (extent <= 0 || dlb_multiply_overflows(bits, extent, &bits) ||
            dlb_multiply_overflows(strides[axis], extent - 1, &steps) || steps == INT64_MIN ||
            dlb_add_overflows(reach, steps < 0 ? -steps : steps, &reach)) {
            return 0;
        }
    }
    return !dlb_multiply_overflows(reach, dlb_itemsize(dtype), &steps) && dlb_is_addressable(steps) &&
           dlb_is_addressable(bits / 8) && (uint64_t)steps <= (uintptr_t)data && (uint64_t)steps <= UINTPTR_MAX - (uintptr_t)data;
}

int dlb_is_strided(const void *data, DLDataType dtype, int32_t ndim, const int64_t *shape, const int64_t *strides)
{
    return is_strided(data, dtype, ndim, shape, strides, NULL);
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Sorts the axes by the absolute values of their strides. Most arrays are sorted already, from the last axis to the first. */
bool dlb_overlaps_itself(const DLTensor *tensor, uint64_t size, bool repeats, dlb_overlap *found)
{
    int32_t sorted[DLB_MAX_NDIM];
    int32_t count = 0;
    uint64_t least = size;

    for (int32_t axis = tensor->ndim - 1; axis >= 0; axis--) {
        const uint64_t step = magnitude(tensor->strides[axis]);
        int32_t place = count;

        if (tensor->shape[axis] == 1 || (repeats && step == 0)) {
            continue;
        }
        for (; place > 0 && magnitude(tensor->strides[sorted[place - 1]]) > step; place--) {
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = axis;
        count++;
    }
    for (int32_t i = 0; i < count; i++) {
        const uint64_t step = magnitude(tensor->strides[sorted[i]]);

        if (step < least) {
            if (found != NULL) {
                *found = (dlb_overlap){sorted[i], least};
            }
            return true;
        }
        least += step * (uint64_t)(tensor->shape[sorted[i]] - 1);
    }
    return false;
}

int dlb_is_strided_without_overlap(const void *data, DLDataType dtype, int32_t ndim, const int64_t *shape, const int64_t *strides)
{
    bool ascends = true;
    DLTensor tensor;

    if (!is_strided(data, dtype, ndim, shape, strides, &ascends)) {
        return 0;
    }
    tensor.ndim = ndim;
    tensor.shape = (int64_t *)(uintptr_t)shape; /* only read */
    tensor.strides = (int64_t *)(uintptr_t)strides;
    return ascends || !dlb_overlaps_itself(&tensor, 1, true, NULL);
}

/* ---- Layout ---- */

void dlb_normalise_strides(DLTensor *tensor, dlb_order order)
{
    const bool empty = dlb_element_count(tensor) == 0;
    uint64_t step = 1;

    for (int32_t depth = 0; depth < tensor->ndim; depth++) {
        const int32_t axis = dlb_axis_at(tensor, order, depth);
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
        const int32_t axis = dlb_axis_at(tensor, order, depth);

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

bool dlb_is_inner_compact(const DLTensor *tensor, dlb_order order)
{
    int32_t outermost;
    int64_t rest;

    if (tensor->ndim == 0) {
        return true;
    }
    outermost = dlb_axis_at(tensor, order, tensor->ndim - 1);
    if (!compact_inside(tensor, order, 1, &rest)) {
        return false;
    }
    return tensor->shape[outermost] == 1 || tensor->strides[outermost] >= rest || tensor->strides[outermost] <= -rest;
}

bool dlb_is_compact_except(const DLTensor *tensor, dlb_order order, uint64_t strided)
{
    int64_t step = 1;

    for (int32_t depth = 0; depth < tensor->ndim; depth++) {
        const int32_t axis = dlb_axis_at(tensor, order, depth);

        if ((strided >> axis & 1) == 0 && tensor->shape[axis] != 1 && tensor->strides[axis] != step) {
            return false;
        }
        step = (int64_t)((uint64_t)tensor->strides[axis] * (uint64_t)tensor->shape[axis]);
    }
    return true;
}

/* ---- Copies of elements ---- */

dlb_layout dlb_layout_of(const DLTensor *tensor, int64_t unit, int64_t *steps)
{
    for (int32_t axis = 0; axis < tensor->ndim; axis++) { /* the stride of an axis of extent 1 may have any value */
        steps[axis] = tensor->shape[axis] == 1 ? 0 : tensor->strides[axis] * unit;
    }
    return (dlb_layout){tensor->ndim, -1, tensor->shape, steps, dlb_itemsize(tensor->dtype), tensor->data, NULL};
}

/* Returns the distance in bytes between two indices of an axis. */
static uintptr_t distance_along(const dlb_layout *layout, int32_t axis, int64_t from, int64_t to)
{
    if (axis == layout->rows_axis) {
        return (uintptr_t)layout->rows[to] - (uintptr_t)layout->rows[from];
    }
    return (uintptr_t)((to - from) * layout->steps[axis]);
}

/* Copies `count` pieces of `size` bytes. Inlined with a constant size, so that each piece is one load and one store. */
static inline DLB_ALWAYS_INLINE void move_each(uintptr_t target, uintptr_t target_step, uintptr_t source,
                                               uintptr_t source_step, int64_t count, size_t size)
{
    for (int64_t i = 0; i < count; i++) {
        memcpy((void *)target, (const void *)source, size);
        target += target_step;
        source += source_step;
    }
}

/* Calls move_each() with a constant size, if the size is a common one. */
static void move_pieces(uintptr_t target, uintptr_t target_step, uintptr_t source, uintptr_t source_step, int64_t count,
                        size_t size)
{
    switch (size) {
    case 1:
        move_each(target, target_step, source, source_step, count, 1);
        break;
    case 2:
        move_each(target, target_step, source, source_step, count, 2);
        break;
    case 4:
        move_each(target, target_step, source, source_step, count, 4);
        break;
    case 8:
        move_each(target, target_step, source, source_step, count, 8);
        break;
    case 16:
        move_each(target, target_step, source, source_step, count, 16);
        break;
    default:
        move_each(target, target_step, source, source_step, count, size);
    }
}

/* Copies all elements. The innermost axes without gaps on both sides form one piece. The next axis is one loop over pieces,
 * unless a table gives the addresses. An odometer steps through the other axes. */
static void move_elements(const dlb_layout *from, const dlb_layout *to)
{
    uintptr_t source = (uintptr_t)from->data;
    uintptr_t target = (uintptr_t)to->data;
    int64_t index[DLB_MAX_NDIM] = {0};
    int64_t piece = from->itemsize;
    int64_t count = 1;
    int64_t source_step = 0;
    int64_t target_step = 0;
    int32_t outer = from->ndim;
    int32_t axis;

    while (outer > 0 && (from->shape[outer - 1] == 1 || (from->steps[outer - 1] == piece && to->steps[outer - 1] == piece))) {
        outer--;
        piece *= from->shape[outer];
    }
    if (outer > 0 && outer - 1 != from->rows_axis && outer - 1 != to->rows_axis) {
        outer--;
        count = from->shape[outer];
        source_step = from->steps[outer];
        target_step = to->steps[outer];
    }
    do {
        move_pieces(target, (uintptr_t)target_step, source, (uintptr_t)source_step, count, (size_t)piece);
        for (axis = outer - 1; axis >= 0; axis--) {
            const int64_t next = index[axis] + 1 < from->shape[axis] ? index[axis] + 1 : 0;

            source += distance_along(from, axis, index[axis], next);
            target += distance_along(to, axis, index[axis], next);
            index[axis] = next;
            if (next > 0) {
                break;
            }
        }
    } while (axis >= 0);
}

/* Returns a compact row-major layout with the extents of `like`. Fills `steps`, which must outlive the result. */
static dlb_layout compact_layout(const dlb_layout *like, const void *data, int64_t steps[DLB_MAX_NDIM])
{
    int64_t step = like->itemsize;

    for (int32_t axis = like->ndim - 1; axis >= 0; axis--) {
        steps[axis] = step;
        step *= like->shape[axis];
    }
    return (dlb_layout){like->ndim, -1, like->shape, steps, like->itemsize, data, NULL};
}

void dlb_gather_elements(const dlb_layout *from, void *to)
{
    int64_t steps[DLB_MAX_NDIM];
    const dlb_layout compact = compact_layout(from, to, steps);

    move_elements(from, &compact);
}

void *dlb_copy_compact(DLTensor *tensor, int64_t unit, dlb_order order, void *to)
{
    int64_t steps[DLB_MAX_NDIM];
    dlb_layout layout;

    if (tensor->dtype.bits % 8 != 0) {
        return memcpy(to, tensor->data, (size_t)dlb_nbytes(tensor->dtype, dlb_element_count(tensor)));
    }
    if (order == DLB_ORDER_F) { /* column-major memory is row-major memory of the reversed axes */
        dlb_reverse(tensor->shape, tensor->ndim);
        dlb_reverse(tensor->strides, tensor->ndim);
    }
    layout = dlb_layout_of(tensor, unit, steps);
    dlb_gather_elements(&layout, to);
    if (order == DLB_ORDER_F) {
        dlb_reverse(tensor->shape, tensor->ndim);
    }
    return to;
}

void dlb_scatter_elements(const DLTensor *from, const dlb_layout *to)
{
    int64_t steps[DLB_MAX_NDIM];
    const dlb_layout compact = dlb_layout_of(from, dlb_itemsize(from->dtype), steps);

    move_elements(&compact, to);
}

/* ---- Memory ---- */

dlb_span dlb_span_of(const DLTensor *tensor)
{
    const int64_t bits = (int64_t)tensor->dtype.bits * tensor->dtype.lanes;
    const uintptr_t data = (uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset;
    int64_t low = 0, high = 0, step = 1;

    if (dlb_element_count(tensor) == 0) {
        return (dlb_span){data, data};
    }
    for (int32_t axis = tensor->ndim - 1; axis >= 0; axis--) {
        const int64_t reach = (tensor->strides != NULL ? tensor->strides[axis] : step) * (tensor->shape[axis] - 1);

        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
        step *= tensor->shape[axis];
    }
    return (dlb_span){data - (uintptr_t)dlb_nbytes(tensor->dtype, -low), data + (uintptr_t)(((high + 1) * bits + 7) / 8)};
}

bool dlb_lies_in(dlb_span part, dlb_span whole)
{
    return whole.begin <= part.begin && part.begin <= part.end && part.end <= whole.end;
}

/* ---- Arrays of the runtime ---- */

/* Returns the size of all elements in bytes, or -1 if the shape or the dtype is invalid or too large. */
static int64_t bytes_of(int32_t ndim, const int64_t *shape, DLDataType dtype)
{
    int64_t count = 1;
    int64_t bits;

    if (ndim < 0 || ndim > DLB_MAX_NDIM) {
        return -1;
    }
    for (int32_t axis = 0; axis < ndim; axis++) {
        if (shape[axis] < 0 || dlb_multiply_overflows(count, shape[axis], &count)) {
            return -1;
        }
    }
    if (dlb_multiply_overflows(count, (int64_t)dtype.bits * dtype.lanes, &bits) || !dlb_is_addressable(bits / 8)) {
        return -1;
    }
    return bits / 8 + (bits % 8 != 0);
}

dlb_array *dlb_array_new(int32_t ndim, const int64_t *shape, DLDataType dtype)
{
    const int64_t nbytes = bytes_of(ndim, shape, dtype);
    const size_t head = nbytes >= 0 ? sizeof(dlb_array) + 2 * sizeof(int64_t) * (size_t)ndim + DLB_COPY_ALIGNMENT : 0;
    dlb_array *const array = nbytes >= 0 && (uint64_t)nbytes < SIZE_MAX / 2 ? calloc(1, head + (size_t)nbytes) : NULL;

    if (array == NULL) {
        return NULL;
    }
    array->data = (void *)(((uintptr_t)array + head - 1) / DLB_COPY_ALIGNMENT * DLB_COPY_ALIGNMENT);
    array->dtype = dtype;
    array->ndim = ndim;
    array->shape = ndim > 0 ? memcpy(array + 1, shape, sizeof(int64_t) * (size_t)ndim) : NULL;
    return array;
}

void dlb_array_free(dlb_array *array)
{
    free(array);
}
