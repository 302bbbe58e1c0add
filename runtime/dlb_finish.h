/* SPDX-License-Identifier: MIT-0 */
/* The end of a description: whether there is anything to be said against what it found. Included by dlb_describe.h. */
#ifndef DLB_FINISH_H_
#define DLB_FINISH_H_

#include "dlb_view.h"

/* One axis of what dlb_is_plain() looks for, from the last one on. */
DLB_INLINE int dlb_is_plain_axis(const DLTensor *tensor, ptrdiff_t axis, int64_t *span)
{
    const int64_t extent = tensor->shape[axis];
    const int64_t stride = tensor->strides[axis];

    return extent > 0 && stride >= *span && !dlb_multiply_overflows(stride, extent, span);
}

/* What most arrays are, seen in one pass: row-major, perhaps with gaps, and not empty. There is nothing to be said against it. */
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

/* The same of a trial whose axes step in any order, apart from the hot path: what it shows is copied, so that it need not be in
 * memory. */
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

/* Checks the whole view. Last call of every description. */
DLB_INLINE int dlb_view_finish_fixed(dlb_view *view, DLDataType dtype, int32_t ndim, dlb_error *error)
{
    if (DLB_UNLIKELY(view->pending_checks || !dlb_is_plain(view->tensor, dtype, ndim))) {
        return dlb_is_speculative(view) ? -1 : dlb_view_validate(view->itself, error);
    }
    return 0;
}

/* The same where dtype or rank are known at run time only. */
DLB_INLINE int dlb_view_finish(dlb_view *view, dlb_error *error)
{
    return dlb_view_finish_fixed(view, view->tensor->dtype, view->tensor->ndim, error);
}

/* The same of axes that need not be in row-major order. */
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

DLB_INLINE int dlb_view_finish_strided(dlb_view *view, dlb_error *error)
{
    return dlb_view_finish_strided_fixed(view, view->tensor->dtype, view->tensor->ndim, error);
}

/* Does nothing otherwise: -1, which is no flags. */
DLB_INLINE int dlb_decline(DLTensor *tensor, int64_t *axes)
{
    (void)tensor;
    (void)axes;
    return -1;
}

/* What `describe_fast` of a type does: describes with the constants of its type, if that is plain. */
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
    DLB_LAUNDER(axes); /* else compilers add to it early, and run out of registers meanwhile */
    tensor->data = made.data; /* one by one: a copy of the whole would wait for what has been stored in pieces */
    tensor->device.device_type = made.device.device_type;
    tensor->device.device_id = made.device.device_id;
    tensor->ndim = made.ndim;
    tensor->dtype.code = made.dtype.code;
    tensor->dtype.bits = made.dtype.bits;
    tensor->dtype.lanes = made.dtype.lanes;
    tensor->shape = made.ndim > 0 ? axes : NULL; /* dlpack.h: without axes, and only then, there need be neither */
    tensor->strides = made.ndim > 0 ? axes + dlb_capacity(ndim) : NULL;
    tensor->byte_offset = made.byte_offset;
    return (int)view.flags;
}

#endif
