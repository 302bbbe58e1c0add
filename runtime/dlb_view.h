/* SPDX-License-Identifier: MIT-0 */
/* What a description finds wrong: noted in its view, or reported. Included by dlb_describe.h. */
#ifndef DLB_VIEW_H_
#define DLB_VIEW_H_

#include "dlb_platform.h"
#include "dlb_runtime.h"

/* For so many axes an owner of such a type has room. */
DLB_INLINE int32_t dlb_capacity(int32_t ndim)
{
    return ndim >= 0 ? ndim : DLB_FAST_NDIM;
}

/* In `unsettled` of a view. */
enum { DLB_FAULTY = 1, DLB_OFFSET = 2, DLB_GATHERED = 4 };

/* Faults by number: what was found is not told before it is reported. */
enum {
    DLB_FAULT_DEVICE_ID = 1,
    DLB_FAULT_OFFSET,
    DLB_FAULT_RANK,
    DLB_FAULT_CAPACITY,
    DLB_FAULT_NOWHERE,
    DLB_FAULT_EXTENT,
    DLB_FAULT_STRIDE,
    DLB_FAULT_BYTES
};

/* The first fault stays. Inlined although it is rare: a call would make every description save its registers. */
DLB_INLINE void dlb_view_note(dlb_view *view, int kind, int32_t axis, dlb_integer value)
{
    if ((view->pending_checks & DLB_FAULTY) == 0) {
        view->fault.kind = kind;
        view->fault.axis = axis;
        view->fault.value = value;
        view->pending_checks |= DLB_FAULTY;
    }
}

/* The same in words. */
DLB_API DLB_COLD void dlb_view_tell(dlb_view *view, const char *slot, int32_t axis, dlb_integer value,
                                    const char *reason);

/* Nobody wants to know more than whether the description is as plain as most. The words of most descriptions give such a view to
 * no function but those that are inlined, so that compilers keep it in registers: all others get `view->itself`. (The words for
 * row pointers, bits and decoded dtypes give it away.) */
DLB_INLINE int dlb_is_speculative(const dlb_view *view)
{
    return view->itself == NULL;
}

/* The beginning of every description: of a tensor of so many axes, or -1, with room for 2 * `capacity` of them at `axes`. */
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

DLB_INLINE void dlb_speculative_begin(dlb_view *view, int exporting)
{
    view->name = NULL;
    view->itself = NULL;
    view->exporting = exporting;
    view->gather = NULL;
}

/* An array of these axes is nonempty, of whole bytes, and leads nowhere that has no address: there is nothing to be said against
 * it, whatever the order of its axes. */
DLB_API int dlb_is_strided(DLDataType dtype, int32_t ndim, const int64_t *shape, const int64_t *strides);

/* What is not plain: checks the whole view, settles it for empty arrays, and reports the first fault. */
DLB_API DLB_COLD int dlb_view_validate(dlb_view *view, dlb_error *error);

/* Reports the fault of a view that has one; returns -1. */
DLB_API DLB_COLD int dlb_view_fault(const dlb_view *view, dlb_error *error);

/* Nonzero, with `error` filled, when a value did not fit where DLB_LET put it. */
DLB_INLINE int dlb_view_failed(const dlb_view *view, dlb_error *error)
{
    return DLB_UNLIKELY((view->pending_checks & DLB_FAULTY) != 0) &&
           (dlb_is_speculative(view) || dlb_view_fault(view->itself, error) != 0);
}

/* What `require` did not find fulfilled, and a call of the library that failed, in hold, clone, acquire, sync, to_cpu.
 * `name` is the type's. -1. */
DLB_API int dlb_refuse(dlb_error *error, const char *name, const char *message);
DLB_API int dlb_call_failed(dlb_error *error, const char *name, const char *call, const char *reason);

/* What `require` did not find fulfilled; returns -1. */
DLB_INLINE int dlb_view_refuse(const dlb_view *view, dlb_error *error, const char *message)
{
    return dlb_is_speculative(view) ? -1 : dlb_refuse(error, view->name, message);
}

/* A call of the library that failed; `reason` is its own, or NULL. Returns -1. */
DLB_API int dlb_view_call_failed(const dlb_view *view, dlb_error *error, const char *call, const char *reason);

/* A value of `what`, a slot, for which the spec's map has no entry; returns -1. */
DLB_API DLB_COLD int dlb_unmapped(dlb_error *error, const char *name, const char *what, dlb_integer value);

DLB_INLINE int dlb_view_unmapped(const dlb_view *view, dlb_error *error, const char *what, dlb_integer value)
{
    return dlb_is_speculative(view) ? -1 : dlb_unmapped(error, view->name, what, value);
}

/* The same for several slots ("dtype, shape") that `count` values choose together. */
DLB_API DLB_COLD int dlb_unmatched(dlb_error *error, const char *name, const char *slots, const dlb_integer *values,
                                   int count);

DLB_INLINE int dlb_view_unmatched(const dlb_view *view, dlb_error *error, const char *slots,
                                const dlb_integer *values, int count)
{
    return dlb_is_speculative(view) ? -1 : dlb_unmatched(error, view->name, slots, values, count);
}

#endif
