/* SPDX-License-Identifier: MIT-0 */
/* The functions with which a generated .c file describes its struct. They never fail at once. The view records the first value that
 * does not fit, and dlb_view_finish() reports it. */
#ifndef DLB_DESCRIBE_H_
#define DLB_DESCRIBE_H_

#include "dlb_assert.h"
#include "dlb_platform.h"

#include <string.h>

/* Returns the number of axes that an owner can store, for a type of this rank (-1: known only at run time). */
DLB_INLINE int32_t dlb_capacity(int32_t ndim)
{
    return ndim >= 0 ? ndim : DLB_FAST_NDIM;
}

/* Bits of `pending_checks` of a view: a recorded fault, a byte offset to add, a layout that must be gathered. DLB_OVERLAP is not a check: it
 * allows elements that overlap. */
enum { DLB_FAULTY = 1, DLB_OFFSET = 2, DLB_GATHERED = 4, DLB_OVERLAP = 8 };

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
    view->last = (dlb_integer){0, DLB_FITS, NULL};
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
DLB_API int dlb_is_strided(const void *data, DLDataType dtype, int32_t ndim, const int64_t *shape, const int64_t *strides);
/* Returns whether such an array has, in addition, no elements that overlap. A stride of 0 repeats elements, and does not count as overlap. */
DLB_API int dlb_is_strided_without_overlap(const void *data, DLDataType dtype, int32_t ndim, const int64_t *shape, const int64_t *strides);

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

/* ---- Checks of the complete view ---- */

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

    if (!dlb_may_hold_array(tensor->data) || dtype.bits % 8 != 0) {
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
    return !dlb_multiply_overflows(span, (int64_t)dtype.bits * dtype.lanes, &span) && dlb_holds_bytes(tensor->data, span / 8);
}

/* Checks a speculative view whose axes may be in any order. Not on the fast path. Passes on copies of shape and strides, so that those
 * of the view can stay in registers. `overlap`: elements may overlap. */
DLB_INLINE int dlb_try_strided(const DLTensor *tensor, DLDataType dtype, int32_t ndim, int overlap)
{
    int (*const check)(const void *, DLDataType, int32_t, const int64_t *, const int64_t *) =
        overlap ? dlb_is_strided : dlb_is_strided_without_overlap;
    int64_t axes[2 * DLB_FAST_NDIM];

    if (tensor->data == NULL || (DLB_IS_CONSTANT(ndim) && ndim > DLB_FAST_NDIM)) {
        return 0;
    }
    if (!DLB_IS_CONSTANT(ndim)) {
        return check(tensor->data, dtype, ndim, tensor->shape, tensor->strides);
    }
    DLB_UNROLL
    for (int32_t axis = 0; axis < ndim; axis++) {
        axes[axis] = tensor->shape[axis];
        axes[DLB_FAST_NDIM + axis] = tensor->strides[axis];
    }
    return check(tensor->data, dtype, ndim, axes, axes + DLB_FAST_NDIM);
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

/* Returns whether elements of the array may overlap: the type allows it, or the array is not exported. */
DLB_INLINE int dlb_may_overlap(const dlb_view *view)
{
    return !view->exporting || (view->pending_checks & DLB_OVERLAP) != 0;
}

/* Checks the complete view of an array whose axes need not be in row-major order. Returns 0 or -1. */
DLB_INLINE int dlb_view_finish_strided_fixed(dlb_view *view, DLDataType dtype, int32_t ndim, dlb_error *error)
{
    const int pending = view->pending_checks & ~DLB_OVERLAP;

    if (DLB_LIKELY(!pending && dlb_is_plain(view->tensor, dtype, ndim))) {
        return 0;
    }
    if (!dlb_is_speculative(view)) {
        return dlb_view_validate(view->itself, error);
    }
    return !pending && dlb_try_strided(view->tensor, dtype, ndim, dlb_may_overlap(view)) ? 0 : -1;
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

    DLB_CHECK(return otherwise(tensor, axes));
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

/* ---- Members whose type tells their size ---- */

/* Returns the size of an element in bytes, rounded up. */
DLB_INLINE int64_t dlb_itemsize(DLDataType dtype)
{
    return (dtype.bits * dtype.lanes + 7) / 8;
}

/* Records a fault if the elements need more than the `bytes` of memory behind the data. SIZE_MAX: unknown, not checked. (Gathered
 * elements lie elsewhere.) */
DLB_INLINE void dlb_holds(dlb_view *view, size_t bytes, const char *expression)
{
    const DLTensor *const tensor = view->tensor;
    int64_t elements = 1;
    int64_t bits;
    int within = 1;

    if (bytes == SIZE_MAX || (view->pending_checks & (DLB_FAULTY | DLB_GATHERED)) != 0) {
        return;
    }
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t extent = tensor->shape[axis];

        if (extent <= 0) { /* no elements, or a fault */
            return;
        }
        if (extent > 1) {
            int64_t steps;

            within = within && tensor->strides[axis] >= 0 &&
                     !dlb_multiply_overflows(extent - 1, tensor->strides[axis], &steps) &&
                     !dlb_add_overflows(elements, steps, &elements);
        }
    }
    if (DLB_UNLIKELY(!within ||
                     dlb_multiply_overflows(elements, (int64_t)tensor->dtype.bits * tensor->dtype.lanes, &bits) ||
                     (uint64_t)bits > 8 * (uint64_t)bytes)) {
        dlb_view_record_fault(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)bytes, DLB_FITS, expression});
    }
}

/* Returns whether all elements lie in the `bytes` that begin at `memory`. True for arrays without elements. */
DLB_INLINE int dlb_lies_within(const DLTensor *tensor, const volatile void *memory, size_t bytes)
{
    const int64_t bits = (int64_t)tensor->dtype.bits * tensor->dtype.lanes;
    int64_t below = 0; /* in bits, from `memory` to the lowest address of an element */
    int64_t end = 0;   /* in bits, from `memory` to the end of the element at the highest address */
    int within = tensor->byte_offset <= bytes &&
                 !dlb_add_overflows((intptr_t)tensor->data - (intptr_t)memory, (int64_t)tensor->byte_offset, &below) &&
                 !dlb_multiply_overflows(below, 8, &below) && !dlb_add_overflows(below, bits, &end);

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t extent = tensor->shape[axis];

        if (extent <= 0) { /* no elements, or a fault */
            return 1;
        }
        if (extent > 1 && within) {
            int64_t steps;

            within = !dlb_multiply_overflows(extent - 1, tensor->strides[axis], &steps) &&
                     !dlb_multiply_overflows(steps, bits, &steps) &&
                     !(steps < 0 ? dlb_add_overflows(below, steps, &below) : dlb_add_overflows(end, steps, &end));
        }
    }
    return within && below >= 0 && end >= 0 && (uint64_t)end <= 8 * (uint64_t)bytes;
}

/* Records a fault if elements lie outside of the `bytes` that begin at `memory`. SIZE_MAX: unknown, not checked. */
DLB_INLINE void dlb_stays_within(dlb_view *view, const volatile void *memory, size_t bytes, const char *expression)
{
    if (bytes != SIZE_MAX && (view->pending_checks & (DLB_FAULTY | DLB_GATHERED)) == 0 &&
        DLB_UNLIKELY(!dlb_lies_within(view->tensor, memory, bytes))) {
        dlb_view_record_fault(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)bytes, DLB_FITS, expression});
    }
}

/* The result of checking several members into which the data may point. */
typedef struct dlb_reach {
    size_t bytes; /* of the largest member that the data points into, but that does not contain all elements */
    const char *expression;
    int is_fine; /* a member contains all elements */
} dlb_reach;

/* Checks the elements against one member, the `bytes` at `memory`. Does nothing if the data points elsewhere. */
DLB_INLINE void dlb_reaches(dlb_reach *reach, const dlb_view *view, const volatile void *memory, size_t bytes,
                            const char *expression)
{
    if (bytes == SIZE_MAX || (uintptr_t)view->tensor->data - (uintptr_t)memory >= bytes) {
        return;
    }
    if (dlb_lies_within(view->tensor, memory, bytes)) {
        reach->is_fine = 1;
    } else if (bytes > reach->bytes) {
        reach->bytes = bytes;
        reach->expression = expression;
    }
}

/* Records a fault if the data points into members, but none of them contains all elements. */
DLB_INLINE void dlb_reach_end(const dlb_reach *reach, dlb_view *view)
{
    if (DLB_UNLIKELY(reach->bytes != 0 && !reach->is_fine) && (view->pending_checks & (DLB_FAULTY | DLB_GATHERED)) == 0) {
        dlb_view_record_fault(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)reach->bytes, DLB_FITS, reach->expression});
    }
}

/* ---- Values ---- */

#define DLB_DTYPE(code, bits) ((DLDataType){(code), (bits), 1})
#define DLB_CPU ((DLDevice){kDLCPU, 0})

/* Declares a variable with the type of its initialiser. */
#if defined(__GNUC__)
#define DLB_AUTO __extension__ __auto_type
#else
#define DLB_AUTO auto /* C23 */
#endif

/* Declares a variable that holds `value`. (The comma operator yields a value even if a macro expands to a bit-field.) */
#define DLB_KEEP(name, value) DLB_AUTO const name = ((void)0, (value))

/* Marks a function into which the compiler inlines all functions that it calls, if their definitions are visible. */
#if defined(__GNUC__)
#define DLB_FLATTEN __attribute__((flatten))
#else
#define DLB_FLATTEN
#endif

/* ---- Strings ---- */

/* Returns whether `value` equals `key`. NULL equals no key. */
DLB_INLINE int dlb_is_string(const char *value, const char *key)
{
    return value != NULL && strcmp(value, key) == 0;
}

/* Wraps a string in a dlb_integer, for messages that show a value. */
#define DLB_STRING_VALUE(e) DLB_STRING_VALUE_AS(#e, e)
#define DLB_STRING_VALUE_AS(expression, e) ((dlb_integer){(int64_t)(intptr_t)(const char *)(e), DLB_IS_STRING, (expression)})

/* ---- Describing ---- */

/* Sets a dtype that is known only at run time, given in the numbers of DLPack. */
DLB_API void dlb_dtype(dlb_view *view, dlb_integer code, dlb_integer bits, dlb_integer lanes);

/* Sets whether the data is read-only. */
DLB_INLINE void dlb_readonly(dlb_view *view, int readonly)
{
    view->flags = readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
}

/* Declares that importing the described array would make a different object. */
DLB_INLINE void dlb_one_way(dlb_view *view)
{
    view->one_way = 1;
}

/* Allows elements that overlap. (Without it, an overlap is more likely a stride in another unit than the struct has.) */
DLB_INLINE void dlb_allow_overlap(dlb_view *view)
{
    view->pending_checks |= DLB_OVERLAP;
}

/* Sets the address of the first element, and whether the data is read-only. */
DLB_INLINE void dlb_data(dlb_view *view, const volatile void *data, int readonly)
{
    view->tensor->data = (void *)(uintptr_t)data; /* read-only is recorded in the flags */
    dlb_readonly(view, readonly);
}

/* Sets the device. An id that is negative or above INT32_MAX is a fault. */
DLB_INLINE void dlb_device(dlb_view *view, DLDeviceType type, dlb_integer id)
{
    if (DLB_UNLIKELY(id.status == DLB_TOO_LARGE || id.value < 0 || id.value > INT32_MAX)) {
        dlb_view_record_fault(view, DLB_FAULT_DEVICE_ID, -1, id);
        id.value = 0;
    }
    view->tensor->device = (DLDevice){type, (int32_t)id.value};
}

/* Sets the distance in bytes from the pointer to the first element. dlb_view_finish() adds it to the pointer if the host reads the
 * memory. */
DLB_INLINE void dlb_byte_offset(dlb_view *view, dlb_integer bytes)
{
    if (DLB_UNLIKELY(bytes.status == DLB_TOO_LARGE || bytes.value < 0)) {
        dlb_view_record_fault(view, DLB_FAULT_OFFSET, -1, bytes);
        bytes.value = 0;
    }
    view->tensor->byte_offset = (uint64_t)bytes.value;
    view->pending_checks |= DLB_OFFSET;
}

/* Sets a rank that is known only at run time. Call it before any extent is set. */
DLB_INLINE void dlb_rank(dlb_view *view, dlb_integer ndim)
{
    if (DLB_UNLIKELY(ndim.status == DLB_TOO_LARGE || ndim.value < 0 || ndim.value > DLB_MAX_NDIM)) {
        dlb_view_record_fault(view, DLB_FAULT_RANK, -1, ndim);
        ndim.value = 0;
    }
    if (DLB_UNLIKELY(ndim.value > view->capacity) && dlb_is_speculative(view)) {
        view->pending_checks |= DLB_FAULTY;
        ndim.value = 0;
    }
    view->tensor->ndim = (int32_t)ndim.value;
    if (DLB_UNLIKELY(view->tensor->ndim > view->capacity)) {
        view->tensor->shape = view->axes;
        view->tensor->strides = view->axes + DLB_MAX_NDIM;
    }
}

/* Returns whether a pointer on the path to other members is NULL. (This is a function because `pointer` may be an array: compilers warn
 * if an array is compared with NULL.) */
DLB_INLINE int dlb_is_null_path(const volatile void *pointer)
{
    return pointer == NULL;
}

/* Checks a rank against the `length` of the array that stores extents or strides, and sets it. */
DLB_INLINE void dlb_rank_within(dlb_view *view, dlb_integer ndim, const volatile void *array, size_t length)
{
    if (ndim.status != DLB_TOO_LARGE && ndim.value >= 0 && (uint64_t)ndim.value > length) {
        dlb_view_record_fault(view, DLB_FAULT_CAPACITY, -1, ndim);
    } else if (array == NULL && ndim.value != 0) {
        dlb_view_record_fault(view, DLB_FAULT_NO_DATA, -1, ndim);
    }
    if ((view->pending_checks & DLB_FAULTY) != 0) { /* the fault may be of another array, which must not be read beyond its end either */
        ndim.value = 0;
    }
    dlb_rank(view, ndim);
}

/* Sets the extent of an axis. (A speculative view does not check it here: dlb_is_plain() rejects negative extents, and extents that do
 * not fit are negative.) */
DLB_INLINE void dlb_extent(dlb_view *view, int32_t axis, dlb_integer extent)
{
    if (DLB_UNLIKELY(!dlb_is_speculative(view) && (extent.status == DLB_TOO_LARGE || extent.value < 0))) {
        dlb_view_record_fault(view, DLB_FAULT_EXTENT, axis, extent);
        extent.value = 0;
    }
    view->tensor->shape[axis] = extent.value;
}

/* Sets the stride of an axis, in elements. Call it after the extent: a stride is ignored if the extent is 0 or 1. */
DLB_INLINE void dlb_stride(dlb_view *view, int32_t axis, dlb_integer elements)
{
    if (DLB_UNLIKELY(elements.status == DLB_TOO_LARGE)) {
        if (view->tensor->shape[axis] > 1) {
            dlb_view_record_fault(view, DLB_FAULT_STRIDE, axis, elements);
        }
        elements.value = 0;
    }
    view->tensor->strides[axis] = elements.value;
}

/* Sets a stride in bytes, for a view that is not speculative. A stride that is not a multiple of the item size is kept for a copy, or
 * is a fault. */
DLB_API void dlb_byte_stride_slow(dlb_view *view, int32_t axis, dlb_integer bytes);

/* Sets a stride in bytes. (A division by a variable would force the view out of registers, so a speculative view divides only by
 * constants. It shifts negative values with their sign, and dlb_is_plain() rejects them, as well as values that do not fit.) */
DLB_INLINE void dlb_byte_stride(dlb_view *view, DLDataType dtype, int32_t axis, dlb_integer bytes)
{
    const int64_t itemsize = dlb_itemsize(dtype);
    const int divides = (itemsize & (itemsize - 1)) != 0;

    if (!dlb_is_speculative(view)) {
        dlb_byte_stride_slow(view->itself, axis, bytes);
    } else if (divides && DLB_IS_CONSTANT(itemsize)) {
        view->pending_checks |= bytes.value % itemsize == 0 ? 0 : DLB_FAULTY;
        view->tensor->strides[axis] = bytes.value / itemsize;
    } else if (DLB_UNLIKELY((bytes.value & ((itemsize - 1) | -(int64_t)divides)) != 0)) {
        view->pending_checks |= DLB_FAULTY;
    } else {
        view->tensor->strides[axis] = bytes.value >> dlb_halvings(itemsize);
    }
}

/* Set a stride in bits, and a stride in steps of `bytes_per_step` bytes. */
DLB_API void dlb_bit_stride(dlb_view *view, int32_t axis, dlb_integer bits);
DLB_API void dlb_unit_stride(dlb_view *view, int32_t axis, dlb_integer steps, dlb_integer bytes_per_step);

/* Returns whether the shape has rows, so that the table may be read. */
DLB_API int dlb_has_rows(const dlb_view *view, const void *table);

/* Reads the table of row pointers for DLB_ROWS(); `expression` is how C spells it. */
DLB_API void dlb_rows(dlb_view *view, int32_t axis, const void *table, const char *expression);

/* Computes compact strides in elements. `first_innermost`: the first axis is innermost, else the last. `positive`: the caller knows
 * that the extents are positive, or rejects them later. dlb_view_finish() finds overflows. (The arrays do not overlap: that keeps the
 * extents in registers.) */
DLB_INLINE void dlb_compact_strides(const int64_t *DLB_RESTRICT shape, int64_t *DLB_RESTRICT strides, int32_t ndim,
                                    int first_innermost, int positive)
{
    uint64_t step = 1;

    DLB_UNROLL
    for (int32_t i = 0; i < ndim; i++) {
        const int32_t axis = first_innermost ? i : ndim - 1 - i;

        strides[axis] = (int64_t)step;
        step *= (uint64_t)(positive || shape[axis] > 0 ? shape[axis] : 1);
    }
}

/* Stores compact row-major strides in a tensor. */
DLB_INLINE void dlb_compact_tensor(DLTensor *tensor, int32_t ndim)
{
    dlb_compact_strides(tensor->shape, tensor->strides, ndim, 0, 0);
}

/* Stores compact column-major strides in a tensor. */
DLB_INLINE void dlb_compact_fortran_tensor(DLTensor *tensor, int32_t ndim)
{
    dlb_compact_strides(tensor->shape, tensor->strides, ndim, 1, 0);
}

/* Stores compact row-major strides in a view, after its extents. */
DLB_INLINE void dlb_compact(dlb_view *view, int32_t ndim)
{
    dlb_compact_strides(view->tensor->shape, view->tensor->strides, ndim, 0, dlb_is_speculative(view));
}

/* Stores compact column-major strides in a view, after its extents. */
DLB_INLINE void dlb_compact_fortran(dlb_view *view, int32_t ndim)
{
    dlb_compact_strides(view->tensor->shape, view->tensor->strides, ndim, 1, dlb_is_speculative(view));
}

/* Reverses an array: converts axes from the order of the struct, fastest first, to the order of DLPack. */
DLB_INLINE void dlb_reverse(int64_t *values, int32_t count)
{
    for (int32_t low = 0, high = count - 1; low < high; low++, high--) {
        const int64_t value = values[low];

        values[low] = values[high];
        values[high] = value;
    }
}

/* ---- Variables of a description ---- */

/* Record the integer that DLB_LET is about to store. */
DLB_INLINE int64_t dlb_view_signed(dlb_view *view, dlb_integer value)
{
    view->last = value;
    return value.value;
}

DLB_INLINE uint64_t dlb_view_unsigned(dlb_view *view, dlb_integer value)
{
    view->last = value;
    return (uint64_t)value.value;
}

/* Checks that the stored value equals the recorded one. Values that are not integers are not compared. */
DLB_INLINE void dlb_view_check(dlb_view *view, dlb_integer stored)
{
    const char *const expression = view->last.expression;

    view->last.expression = NULL;
    if (DLB_UNLIKELY(expression != NULL && stored.status >= DLB_TOO_LARGE &&
                     (stored.value != view->last.value || stored.status != view->last.status))) {
        if (dlb_is_speculative(view)) {
            view->pending_checks |= DLB_FAULTY;
            return;
        }
        dlb_view_set_error(view->itself, stored.expression, -1, (dlb_integer){view->last.value, view->last.status, expression},
                      "the value does not fit");
    }
}

/* Initialises a dlb_param for `member` of the struct type `state`. */
#define DLB_PARAM(state, member, required)                                                                             \
    DLB_SHARED_PARAM(state, member, required, NULL)
/* Initialises a dlb_param that a subobject takes from its parent, if the parent has a param of this name and C type. */
#define DLB_SHARED_PARAM(state, member, required, type)                                                                \
    {#member, DLB_CTYPE_CLASS_OF(((state *)0)->member), offsetof(state, member), sizeof(((state *)0)->member), (required), (type), NULL}
/* Initialises a dlb_param that is an object of the class `of`. */
#define DLB_CLASS_PARAM(state, member, required, of)                                                                   \
    {#member, DLB_OTHER, offsetof(state, member), sizeof(((state *)0)->member), (required), NULL, (of)}

/* The size in bytes of a struct that is stored in an owner. Proves that the alignment of malloc() suffices: the storage behind the axes
 * has no more. */
#define DLB_STORAGE_FOR(type)                                                                                          \
    (sizeof(type) * DLB_PROVE_(DLB_ALIGNMENT_(type) <= DLB_MALLOC_ALIGNMENT, owners_align_as_malloc_does))
#if defined(__GNUC__)
#define DLB_ALIGNMENT_(type) __alignof__(type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define DLB_ALIGNMENT_(type) _Alignof(type)
#else
#define DLB_ALIGNMENT_(type) 1
#endif

/* ---- Macros whose arguments are C code of the spec ---- */

/* See dlb_assert.h. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

/* Sets the address of the first element. The data is read-only if `pointer` points to const. */
#define DLB_DATA(view, pointer) dlb_data((view), (pointer), DLB_POINTS_TO_CONST_(pointer))

/* Whether data behind a pointer of that type can be written. */
#define DLB_POINTS_TO_WRITABLE(pointer) (!DLB_POINTS_TO_CONST_(pointer))

/* Sets the address of the first element to a member of the struct. Call it after shape and strides. If the member is an array, it must
 * contain all elements. */
#if defined(__GNUC__)
#define DLB_DATA_MEMBER(view, member)                                                                                  \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_element_;                                                                 \
        dlb_data((view), (member), DLB_POINTS_TO_CONST_(*(dlb_array_ *)0));                                            \
        dlb_holds((view), DLB_CAPACITY_(dlb_array_, dlb_element_), #member);                                           \
    } while (0)
/* Checks that all elements lie in `member`, if that is an array. Call it after the data, which points to an element of `array`:
 * `member` itself, or an array inside it. */
#define DLB_STAYS_WITHIN(view, member, array)                                                                          \
    dlb_stays_within((view), &(member), DLB_BYTES_AROUND_(member, array), #member)
/* Checks one of several members, if the data points into it; dlb_reach_end() reports the result. Members may overlap, as in a union. */
#define DLB_REACHES(reach, view, member, array)                                                                        \
    dlb_reaches((reach), (view), &(member), DLB_BYTES_AROUND_(member, array), #member)
#define DLB_BYTES_AROUND_(member, array)                                                                               \
    (DLB_IS_ARRAY_(__typeof__(array)) ? DLB_CAPACITY_(__typeof__(member), DLB_ELEMENT_(__typeof__(member))) : SIZE_MAX)
#else
#define DLB_DATA_MEMBER(view, member) DLB_DATA(view, member)
#define DLB_STAYS_WITHIN(view, member, array) ((void)0)
#define DLB_REACHES(reach, view, member, array) ((void)0)
#endif

/* Sets the rank of a struct that stores extents or strides in `array`, and checks that the array has enough elements. Call it once for
 * each such array. */
#if defined(__GNUC__)
#define DLB_RANK_WITHIN(view, ndim, array)                                                                             \
    do {                                                                                                               \
        typedef __typeof__(array) dlb_array_;                                                                          \
        typedef __typeof__((*(dlb_array_ *)0)[0]) dlb_element_;                                                        \
        const dlb_integer dlb_ndim_ = (ndim);                                                                          \
        dlb_rank_within((view), dlb_ndim_, DLB_AT_(dlb_ndim_, array), DLB_LENGTH_(dlb_array_, dlb_element_));          \
    } while (0)
#else
#define DLB_RANK_WITHIN(view, ndim, array)                                                                             \
    do {                                                                                                               \
        const dlb_integer dlb_ndim_ = (ndim);                                                                          \
        dlb_rank_within((view), dlb_ndim_, DLB_AT_(dlb_ndim_, array), DLB_LENGTH(array));                              \
    } while (0)
#endif
/* For rank 0 the array is not read: it, or the pointer to it, may be invalid. */
#define DLB_AT_(ndim, array) ((ndim).value != 0 ? (const volatile void *)(array) : "")
/* Sets the data to the first row of a table of row pointers. Call it after the shape: a table without rows is not read. */
#define DLB_FIRST_ROW(view, rows)                                                                                      \
    dlb_data((view), dlb_has_rows((view), (rows)) ? (rows)[0] : NULL, DLB_POINTS_TO_CONST_((rows)[0]))

/* Sets the stride of `axis` from a table of row pointers. Call it after shape, dtype, compact strides of all axes, and data, which
 * points to the first row. Rows at varying distances are a fault, or are copied if the type allows it. */
#define DLB_ROWS(view, axis, rows) DLB_ROWS_AS(#rows, view, axis, rows)
#define DLB_ROWS_AS(expression, view, axis, rows)                                                                      \
    ((void)sizeof((rows)[0] == (const volatile void *)0), dlb_rows((view), (axis), (rows), (expression)))

/* Executes name = value. An integer is read back, and a different value is recorded as a fault: see dlb_view_failed(). `value` is
 * evaluated once. */
#if DLB_HAS_GENERIC
#define DLB_LET(view, name, value)                                                                                     \
    do {                                                                                                               \
        DLB_CLASSIFY_(value);                                                                                          \
        DLB_NARROWING_BEGIN_(name) = DLB_IF_INTEGER_(                                                                  \
            value, DLB_BY_CLASS_(value, dlb_view_signed, dlb_view_unsigned, dlb_view_signed)(                          \
                       (view), DLB_BY_CLASS_(value, dlb_signed, dlb_unsigned, dlb_not_integer)(#value, (value))),      \
            (value));                                                                                                  \
        DLB_NARROWING_END_                                                                                             \
        dlb_view_check((view), DLB_WIDEN_(DLB_IF_INTEGER_(value, (name), 0), dlb_signed, dlb_unsigned,                 \
                                          dlb_not_integer)(#name, DLB_IF_INTEGER_(value, (name), 0)));                 \
    } while (0)
#else
#define DLB_LET(view, name, value)                                                                                     \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(name) = dlb_view_signed((view), DLB_INTEGER(value));                                      \
        DLB_NARROWING_END_                                                                                             \
        dlb_view_check((view), DLB_INTEGER(name));                                                                     \
    } while (0)
#endif

#endif
