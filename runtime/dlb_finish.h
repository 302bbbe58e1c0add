/* SPDX-License-Identifier: MIT-0 */
/* The last step of a description: checks the complete view. Included by dlb_describe.h. */
#ifndef DLB_FINISH_H_
#define DLB_FINISH_H_

#include "dlb_view.h"

/* Checks one axis for dlb_is_plain(), which begins with the last axis. `*span` is the extent of the axes inside, in elements. */
DLB_INLINE int dlb_is_plain_axis(const DLTensor *tensor, ptrdiff_t axis, int64_t *span)
{
    const int64_t extent = tensor->shape[axis];
    const int64_t stride = tensor->strides[axis];

    return extent > 0 && stride >= *span && !dlb_multiply_overflows(stride, extent, span);
}

/* Returns whether an array passes all checks in one pass: nonempty, and row-major, perhaps with gaps. Most arrays do. */
DLB_INLINE int dlb_is_plain(const DLTensor *tensor, DLDataType dtype, int32_t ndim)
{
    int64_t span = 1;

    if (tensor->data == NULL || dtype.bits % 8 != 0) {
        return 0;
    }
    if (DLB_IS_CONSTANT(ndim)) {
        DLB_UNROLL
        for (ptrdiff_t axis = (ptrdiff_t)ndim - 1; axis >= 0; axis--) {
            if (!dlb_is_plain_axis(tensor, axis, &span)) {
                return 0;
            }
        }
    } else {
        for (ptrdiff_t axis = (ptrdiff_t)ndim - 1; axis >= 0; axis--) {
            if (!dlb_is_plain_axis(tensor, axis, &span)) {
                return 0;
            }
        }
    }
    return !dlb_multiply_overflows(span, (int64_t)dtype.bits * dtype.lanes, &span) && dlb_is_addressable(span / 8);
}

/* Checks a speculative view whose axes may be in any order. Not on the fast path. Passes on copies of shape and strides, so that those
 * of the view can stay in registers. */
DLB_INLINE int dlb_try_strided(const DLTensor *tensor, DLDataType dtype, int32_t ndim)
{
    int64_t axes[2 * DLB_FAST_NDIM];

    if (tensor->data == NULL || (DLB_IS_CONSTANT(ndim) && ndim > DLB_FAST_NDIM)) {
        return 0;
    }
    if (!DLB_IS_CONSTANT(ndim)) {
        return dlb_is_strided(dtype, ndim, tensor->shape, tensor->strides);
    }
    DLB_UNROLL
    for (int32_t axis = 0; axis < ndim; axis++) {
        axes[axis] = tensor->shape[axis];
        axes[DLB_FAST_NDIM + axis] = tensor->strides[axis];
    }
    return dlb_is_strided(dtype, ndim, axes, axes + DLB_FAST_NDIM);
}

/* Checks the complete view, with a dtype and a rank that the compiler knows. Last call of every description. Returns 0 or -1. */
DLB_INLINE int dlb_view_finish_fixed(dlb_view *view, DLDataType dtype, int32_t ndim, dlb_error *error)
{
    if (DLB_UNLIKELY(view->pending_checks || !dlb_is_plain(view->tensor, dtype, ndim))) {
        return dlb_is_speculative(view) ? -1 : dlb_view_validate(view->itself, error);
    }
    return 0;
}

/* Checks the complete view if dtype or rank are known only at run time. Returns 0 or -1. */
DLB_INLINE int dlb_view_finish(dlb_view *view, dlb_error *error)
{
    return dlb_view_finish_fixed(view, view->tensor->dtype, view->tensor->ndim, error);
}

/* Checks the complete view of an array whose axes need not be in row-major order. Returns 0 or -1. */
DLB_INLINE int dlb_view_finish_strided_fixed(dlb_view *view, DLDataType dtype, int32_t ndim, dlb_error *error)
{
    if (DLB_LIKELY(!view->pending_checks && dlb_is_plain(view->tensor, dtype, ndim))) {
        return 0;
    }
    if (!dlb_is_speculative(view)) {
        return dlb_view_validate(view->itself, error);
    }
    return !view->pending_checks && dlb_try_strided(view->tensor, dtype, ndim) ? 0 : -1;
}

/* Checks such a view if dtype or rank are known only at run time. Returns 0 or -1. */
DLB_INLINE int dlb_view_finish_strided(dlb_view *view, dlb_error *error)
{
    return dlb_view_finish_strided_fixed(view, view->tensor->dtype, view->tensor->ndim, error);
}

/* A dlb_otherwise that does nothing. Returns -1, which no combination of flags equals. */
DLB_INLINE int dlb_decline(DLTensor *tensor, int64_t *axes)
{
    (void)tensor;
    (void)axes;
    return -1;
}

/* Implements `describe_fast` of a type: describes with the constants of the type, on the fast path alone. */
DLB_INLINE int dlb_describe_plain(int (*describe)(void *object, dlb_view *view, dlb_error *error), int32_t ndim,
                                  DLTensor *tensor, int64_t *axes, void *object, dlb_otherwise *otherwise)
{
    DLTensor made;
    dlb_view view;

    dlb_speculative_begin(&view, 1);
    dlb_view_begin(&view, &made, ndim, axes, dlb_capacity(ndim));
    if (DLB_UNLIKELY(describe(object, &view, NULL) != 0 || made.shape != axes)) {
        return otherwise(tensor, axes);
    }
    DLB_LAUNDER(axes); /* else compilers compute sums with it early, and run out of registers */
    tensor->data = made.data; /* each member by itself: a copy of the struct would wait for earlier partial stores */
    tensor->device.device_type = made.device.device_type;
    tensor->device.device_id = made.device.device_id;
    tensor->ndim = made.ndim;
    tensor->dtype.code = made.dtype.code;
    tensor->dtype.bits = made.dtype.bits;
    tensor->dtype.lanes = made.dtype.lanes;
    tensor->shape = made.ndim > 0 ? axes : NULL; /* dlpack.h: both may be NULL only if there are no axes */
    tensor->strides = made.ndim > 0 ? axes + dlb_capacity(ndim) : NULL;
    tensor->byte_offset = made.byte_offset;
    return (int)view.flags;
}

#endif
