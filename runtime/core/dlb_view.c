/* SPDX-License-Identifier: MIT-0 */
/* Validates descriptions: what a description wrote into a view becomes a tensor that consumers can trust. */
#include "dlb_gather.h"

#include <inttypes.h>
#include <string.h>

/* Returns whether the elements lie in `object`, a copy of a struct that is passed by value. They are invalid when its function returns. */
static bool shows_copy(const dlb_type *type, const void *object, const DLTensor *tensor)
{
    return (uintptr_t)tensor->data - (uintptr_t)object < type->value && dlb_element_count(tensor) > 0;
}

int dlb_describe(const dlb_type *type, void *object, dlb_view *view, dlb_error *error)
{
    if (type->describe == NULL) {
        return dlb_no_tensor(type, error);
    }
    if (type->acquire != NULL) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: its data exists only while an owner exports it", type->name);
    }
    if (type->hold != NULL && type->hold(object, error) != 0) {
        return -1;
    }
    view->tensor = &view->own;
    view->exporting = 0;
    view->gather = NULL;
    if (dlb_describe_into(type, object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        return -1;
    }
    if (shows_copy(type, object, view->tensor)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: its elements lie in the struct, which is passed by value: view an owner",
                        type->name);
    }
    return 0;
}

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

/* Adds up the distances of the outermost elements from the first one, in both directions. */
int dlb_check_span(const DLTensor *tensor, const char *what, dlb_error *error)
{
    const int64_t itemsize = dlb_itemsize(tensor->dtype);
    int64_t below = 0;
    int64_t above = 0;
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
    if (DLB_UNLIKELY(dlb_multiply_overflows(below, itemsize, &reach) || !dlb_is_addressable(reach) ||
                     dlb_multiply_overflows(above, itemsize, &reach) || !dlb_is_addressable(reach))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the strides lead beyond the address space", what);
    }
    return 0;
}

/* Returns whether the fault must be reported. A faulty stride does not matter if there are no elements. Strides are read last,
 * so everything else is valid then. */
static bool fault_counts(const dlb_view *view)
{
    const dlb_fault *const fault = &view->fault;
    const bool of_stride = fault->kind == DLB_FAULT_STRIDE ||
                           (fault->kind == 0 && fault->axis >= 0 && strcmp(fault->slot, "strides") == 0);

    for (int32_t axis = 0; of_stride && axis < view->tensor->ndim; axis++) {
        if (view->tensor->shape[axis] == 0) {
            return false;
        }
    }
    return true;
}

int dlb_is_strided(DLDataType dtype, int32_t ndim, const int64_t *shape, const int64_t *strides)
{
    int64_t bits = (int64_t)dtype.bits * dtype.lanes;
    int64_t reach = 0; /* the sum of both directions, which is an upper bound for each */
    int64_t steps;

    if (dtype.bits % 8 != 0) {
        return 0;
    }
    for (int32_t axis = 0; axis < ndim; axis++) {
        const int64_t extent = shape[axis];

        if (extent <= 0 || dlb_multiply_overflows(bits, extent, &bits) ||
            dlb_multiply_overflows(strides[axis], extent - 1, &steps) || steps == INT64_MIN ||
            dlb_add_overflows(reach, steps < 0 ? -steps : steps, &reach)) {
            return 0;
        }
    }
    return !dlb_multiply_overflows(reach, dlb_itemsize(dtype), &steps) && dlb_is_addressable(steps) &&
           dlb_is_addressable(bits / 8);
}

/* Validates extents, data and strides. An empty array becomes compact, with NULL as its data. Returns 0, or -1 with `error` filled. */
static int finish(dlb_view *view, dlb_error *error)
{
    DLTensor *const tensor = view->tensor;
    int64_t count;

    if (tensor->data != NULL && dlb_is_strided(tensor->dtype, tensor->ndim, tensor->shape, tensor->strides)) {
        return 0;
    }
    if (DLB_UNLIKELY(dlb_check_extents(tensor, view->name, &count, error) != 0)) {
        return -1;
    }
    if (count == 0) {
        tensor->data = NULL; /* dlpack.h requires this for an array without elements */
        tensor->byte_offset = 0;
        dlb_compact_tensor(tensor, tensor->ndim);
        return 0;
    }
    if (DLB_UNLIKELY(tensor->data == NULL)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: data is NULL, but the shape has %" PRId64 " elements", view->name,
                        count);
    }
    if (DLB_UNLIKELY(dlb_check_span(tensor, view->name, error) != 0)) {
        return -1;
    }
    if (DLB_UNLIKELY(tensor->dtype.bits % 8 != 0 && !dlb_is_compact(tensor, DLB_ORDER_C))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: elements of %d bits are packed, so they must be compact",
                        view->name, tensor->dtype.bits);
    }
    return 0;
}

/* Adds byte_offset to the data if that is an address: several consumers ignore byte_offset. */
static int fold_offset(dlb_view *view, dlb_error *error)
{
    DLTensor *const tensor = view->tensor;

    if (tensor->data == NULL || !dlb_host_readable(tensor->device.device_type)) {
        return 0;
    }
    if (tensor->byte_offset > PTRDIFF_MAX || tensor->byte_offset > UINTPTR_MAX - (uintptr_t)tensor->data) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: byte_offset is %" PRIu64 ": it leads beyond the address space",
                        view->name, tensor->byte_offset);
    }
    tensor->data = (char *)tensor->data + tensor->byte_offset;
    tensor->byte_offset = 0;
    return 0;
}

int dlb_view_validate(dlb_view *view, dlb_error *error)
{
    int64_t count;

    if ((view->pending_checks & DLB_FAULTY) != 0 && fault_counts(view)) {
        return dlb_view_fault(view, error);
    }
    if (fold_offset(view, error) != 0) {
        return -1;
    }
    if (view->gather == NULL || !view->gather->used) {
        return finish(view, error);
    }
    if (dlb_check_extents(view->tensor, view->name, &count, error) != 0) {
        return -1;
    }
    if (count == 0 || view->tensor->data == NULL) {
        view->gather->used = false;
        return finish(view, error);
    }
    return dlb_gather_finish(view, error);
}

/* ---- Views of owners ---- */

int dlb_owner_view(const dlb_owner *owner, dlb_view *view, dlb_error *error)
{
    if (DLB_UNLIKELY(owner->hooks != NULL)) {
        return dlb_view_with_hooks((dlb_owner *)(uintptr_t)owner, view, error);
    }
    view->tensor = &view->own;
    view->exporting = 0;
    view->gather = NULL;
    if (dlb_describe_into(owner->type, owner->object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        return -1;
    }
    view->flags |= owner->flags;
    return 0;
}

/* Checks that an owner with hooks can give a borrowed view. Returns 0, or -1 with `error` filled. */
static int check_borrowed(const dlb_type *type, dlb_error *error)
{
    if (type->describe == NULL) {
        return dlb_no_tensor(type, error);
    }
    if (type->copy == DLB_COPY_ALWAYS || dlb_has_access_scope(type)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data exists only while it is exported", type->name);
    }
    return 0;
}

int dlb_borrow_slow(dlb_owner *owner, DLTensor *out, dlb_error *error)
{
    const dlb_type *const type = owner->type;
    dlb_view view;

    if (owner->hooks != NULL && check_borrowed(type, error) != 0) {
        return -1;
    }
    view.tensor = out;
    view.exporting = 1;
    view.gather = NULL;
    if (dlb_describe_into(type, owner->object, owner->axes, owner->capacity, &view, error) != 0) {
        return -1;
    }
    if (out->shape == view.axes) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: a borrowed view holds %d axes, not %d", type->name,
                        (int)owner->capacity, (int)out->ndim);
    }
    dlb_leave_out_axes(out);
    if (((view.flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data is read-only, which a borrowed view cannot express",
                        type->name);
    }
    return 0;
}

int dlb_borrow(dlb_owner *owner, DLTensor *out, dlb_error *error)
{
    const int flags = dlb_describe_fast(owner, out, owner->axes);

    if (DLB_LIKELY(flags >= 0 && (((uint32_t)flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) == 0)) {
        return 0;
    }
    return dlb_borrow_slow(owner, out, error);
}
