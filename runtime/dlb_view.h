/* SPDX-License-Identifier: MIT-0 */
/* Views of descriptions, and the faults that they record or report. Included by dlb_describe.h. */
#ifndef DLB_VIEW_H_
#define DLB_VIEW_H_

#include "dlb_platform.h"
#include "dlb_runtime.h"

/* Returns the number of axes that an owner can store, for a type of this rank (-1: known only at run time). */
DLB_INLINE int32_t dlb_capacity(int32_t ndim)
{
    return ndim >= 0 ? ndim : DLB_FAST_NDIM;
}

/* Bits of `pending_checks` of a view: a recorded fault, a byte offset to add, a layout that must be gathered. */
enum { DLB_FAULTY = 1, DLB_OFFSET = 2, DLB_GATHERED = 4 };

/* Numbers of faults. The message is composed only when the fault is reported. */
enum {
    DLB_FAULT_DEVICE_ID = 1,
    DLB_FAULT_OFFSET,
    DLB_FAULT_RANK,
    DLB_FAULT_CAPACITY,
    DLB_FAULT_NO_DATA,
    DLB_FAULT_EXTENT,
    DLB_FAULT_STRIDE,
    DLB_FAULT_BYTES
};

/* Records a fault in the view, unless it has one already. Inlined although it is rare: a call would make every description save its
 * registers. */
DLB_INLINE void dlb_view_record_fault(dlb_view *view, int kind, int32_t axis, dlb_integer value)
{
    if ((view->pending_checks & DLB_FAULTY) == 0) {
        view->fault.kind = kind;
        view->fault.axis = axis;
        view->fault.value = value;
        view->pending_checks |= DLB_FAULTY;
    }
}

/* Records a fault with a message of its own, unless the view has a fault already. */
DLB_API DLB_COLD void dlb_view_set_error(dlb_view *view, const char *slot, int32_t axis, dlb_integer value,
                                    const char *reason);

/* Returns whether the view is speculative. Such a description either confirms the fast path, or fails without a reason. To keep such a
 * view in registers, most functions pass it only to inlined functions, and pass `view->itself` to all others. (The functions for row
 * pointers, bits and decoded dtypes pass it on.) */
DLB_INLINE int dlb_is_speculative(const dlb_view *view)
{
    return view->itself == NULL;
}

/* Begins a description of a tensor with `ndim` axes; -1: known only at run time. `axes` holds 2 * `capacity` numbers, for shape and
 * strides. */
DLB_INLINE void dlb_view_begin(dlb_view *view, DLTensor *tensor, int32_t ndim, int64_t *axes, int32_t capacity)
{
    view->tensor = tensor;
    view->one_way = 0;
    view->pending_checks = 0;
    view->capacity = capacity;
    view->last = (dlb_integer){0, 1, NULL};
    tensor->ndim = ndim;
    tensor->shape = axes;
    tensor->strides = axes + capacity;
    tensor->byte_offset = 0;
}

/* Makes the view speculative. Call it before dlb_view_begin(). `exporting`: see dlb_view. */
DLB_INLINE void dlb_speculative_begin(dlb_view *view, int exporting)
{
    view->name = NULL;
    view->itself = NULL;
    view->exporting = exporting;
    view->gather = NULL;
}

/* Returns whether an array with these axes needs no further checks, in whatever order its axes are. It is then nonempty, its elements
 * have whole bytes, and every offset in it can be addressed. */
DLB_API int dlb_is_strided(DLDataType dtype, int32_t ndim, const int64_t *shape, const int64_t *strides);

/* Checks a view that the fast path declined. Normalises it if the array is empty, and reports the first fault. Returns 0 or -1. */
DLB_API DLB_COLD int dlb_view_validate(dlb_view *view, dlb_error *error);

/* Reports the fault that the view has recorded. Returns -1. */
DLB_API DLB_COLD int dlb_view_fault(const dlb_view *view, dlb_error *error);

/* Returns nonzero, with `error` filled, if a value did not fit where DLB_LET stored it. A speculative view fills no error. */
DLB_INLINE int dlb_view_failed(const dlb_view *view, dlb_error *error)
{
    return DLB_UNLIKELY((view->pending_checks & DLB_FAULTY) != 0) &&
           (dlb_is_speculative(view) || dlb_view_fault(view->itself, error) != 0);
}

/* Report a `require` that is not met, and a call of the library that failed, in hold, clone, acquire, sync and to_cpu. `name` is the
 * name of the type. Both return -1. */
DLB_API int dlb_refuse(dlb_error *error, const char *name, const char *message);
DLB_API int dlb_call_failed(dlb_error *error, const char *name, const char *call, const char *reason);

/* Reports a `require` that is not met. Returns -1. */
DLB_INLINE int dlb_view_refuse(const dlb_view *view, dlb_error *error, const char *message)
{
    return dlb_is_speculative(view) ? -1 : dlb_refuse(error, view->name, message);
}

/* Reports a call of the library that failed. `reason` is the message of the library, or NULL. Returns -1. */
DLB_API int dlb_view_call_failed(const dlb_view *view, dlb_error *error, const char *call, const char *reason);

/* Reports that the spec has no entry for `value` in the map of `what`, for example "dtype". Returns -1. */
DLB_API DLB_COLD int dlb_unmapped(dlb_error *error, const char *name, const char *what, dlb_integer value);

/* Reports an unmapped value, unless the view is speculative. Returns -1. */
DLB_INLINE int dlb_view_unmapped(const dlb_view *view, dlb_error *error, const char *what, dlb_integer value)
{
    return dlb_is_speculative(view) ? -1 : dlb_unmapped(error, view->name, what, value);
}

/* Reports that no case of the spec matches the `count` values that choose the `slots`, for example "dtype, shape". Returns -1. */
DLB_API DLB_COLD int dlb_unmatched(dlb_error *error, const char *name, const char *slots, const dlb_integer *values,
                                   int count);

/* Reports unmatched values, unless the view is speculative. Returns -1. */
DLB_INLINE int dlb_view_unmatched(const dlb_view *view, dlb_error *error, const char *slots,
                                  const dlb_integer *values, int count)
{
    return dlb_is_speculative(view) ? -1 : dlb_unmatched(error, view->name, slots, values, count);
}

#endif
