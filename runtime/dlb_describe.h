/* SPDX-License-Identifier: MIT-0 */
/* The functions with which a generated .c file describes its struct. They never fail at once. The view records the first value that
 * does not fit, and dlb_view_finish() reports it. */
#ifndef DLB_DESCRIBE_H_
#define DLB_DESCRIBE_H_

#include "dlb_assert.h"
#include "dlb_finish.h"
#include "dlb_memory.h"
#include "dlb_platform.h"
#include "dlb_view.h"

#include <string.h>

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
#define DLB_STRING_VALUE_AS(text, e) ((dlb_integer){(int64_t)(intptr_t)(const char *)(e), -2, (text)})

/* ---- Describing ---- */

/* Sets a dtype that is known only at run time, given in the numbers of DLPack. */
DLB_API void dlb_dtype(dlb_view *view, dlb_integer code, dlb_integer bits, dlb_integer lanes);

/* Sets the address of the first element. The data is read-only if `pointer` points to const. */
#define DLB_DATA(view, pointer) dlb_data((view), (pointer), DLB_POINTS_TO_CONST_(pointer))

/* Whether data behind a pointer of that type can be written. */
#define DLB_POINTS_TO_WRITABLE(pointer) (!DLB_POINTS_TO_CONST_(pointer))

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

/* Sets the address of the first element, and whether the data is read-only. */
DLB_INLINE void dlb_data(dlb_view *view, const volatile void *data, int readonly)
{
    view->tensor->data = (void *)(uintptr_t)data; /* read-only is recorded in the flags */
    dlb_readonly(view, readonly);
}

/* Sets the device. An id that is negative or above INT32_MAX is a fault. */
DLB_INLINE void dlb_device(dlb_view *view, DLDeviceType type, dlb_integer id)
{
    if (DLB_UNLIKELY(!id.fits || id.value < 0 || id.value > INT32_MAX)) {
        dlb_view_record_fault(view, DLB_FAULT_DEVICE_ID, -1, id);
        id.value = 0;
    }
    view->tensor->device = (DLDevice){type, (int32_t)id.value};
}

/* Sets the distance in bytes from the pointer to the first element. dlb_view_finish() adds it to the pointer if the host reads the
 * memory. */
DLB_INLINE void dlb_byte_offset(dlb_view *view, dlb_integer bytes)
{
    if (DLB_UNLIKELY(!bytes.fits || bytes.value < 0)) {
        dlb_view_record_fault(view, DLB_FAULT_OFFSET, -1, bytes);
        bytes.value = 0;
    }
    view->tensor->byte_offset = (uint64_t)bytes.value;
    view->pending_checks |= DLB_OFFSET;
}

/* Sets a rank that is known only at run time. Call it before any extent is set. */
DLB_INLINE void dlb_rank(dlb_view *view, dlb_integer ndim)
{
    if (DLB_UNLIKELY(!ndim.fits || ndim.value < 0 || ndim.value > DLB_MAX_NDIM)) {
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
DLB_INLINE int dlb_is_nowhere(const volatile void *pointer)
{
    return pointer == NULL;
}

/* Sets the rank of a struct that stores extents or strides in `array`, and checks that the array has enough elements. Call it once for
 * each such array. */
#if defined(__GNUC__) /* see DLB_ASSERT_OF_ */
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
/* Checks a rank against the `length` of the array that stores extents or strides, and sets it. */
DLB_INLINE void dlb_rank_within(dlb_view *view, dlb_integer ndim, const volatile void *array, size_t length)
{
    if (ndim.fits && ndim.value >= 0 && (uint64_t)ndim.value > length) {
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
    if (DLB_UNLIKELY(!dlb_is_speculative(view) && (!extent.fits || extent.value < 0))) {
        dlb_view_record_fault(view, DLB_FAULT_EXTENT, axis, extent);
        extent.value = 0;
    }
    view->tensor->shape[axis] = extent.value;
}

/* Sets the stride of an axis, in elements. Call it after the extent: a stride is ignored if the extent is 0 or 1. */
DLB_INLINE void dlb_stride(dlb_view *view, int32_t axis, dlb_integer elements)
{
    if (DLB_UNLIKELY(!elements.fits)) {
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

/* Sets the data to the first row of a table of row pointers. Call it after the shape: a table without rows is not read. */
#define DLB_FIRST_ROW(view, rows)                                                                                      \
    dlb_data((view), dlb_has_rows((view), (rows)) ? (rows)[0] : NULL, DLB_POINTS_TO_CONST_((rows)[0]))
/* Returns whether the shape has rows, so that the table may be read. */
DLB_API int dlb_has_rows(const dlb_view *view, const void *table);

/* Sets the stride of `axis` from a table of row pointers. Call it after shape, dtype, compact strides of all axes, and data, which
 * points to the first row. Rows at varying distances are a fault, or are copied if the type allows it. */
#define DLB_ROWS(view, axis, rows) DLB_ROWS_AS(#rows, view, axis, rows)
#define DLB_ROWS_AS(text, view, axis, rows)                                                                            \
    ((void)sizeof((rows)[0] == (const volatile void *)0), dlb_rows((view), (axis), (rows), (text)))
/* Reads the table of row pointers for DLB_ROWS(); `text` is its expression in C. */
DLB_API void dlb_rows(dlb_view *view, int32_t axis, const void *table, const char *text);

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
    const char *const text = view->last.text;

    view->last.text = NULL;
    if (DLB_UNLIKELY(text != NULL && stored.fits >= 0 &&
                     (stored.value != view->last.value || stored.fits != view->last.fits))) {
        if (dlb_is_speculative(view)) {
            view->pending_checks |= DLB_FAULTY;
            return;
        }
        dlb_view_set_error(view->itself, stored.text, -1, (dlb_integer){view->last.value, view->last.fits, text},
                      "the value does not fit");
    }
}

/* Executes name = value. An integer is read back, and a different value is recorded as a fault: see dlb_view_failed(). `value` is
 * evaluated once. */
#if DLB_HAS_GENERIC
#define DLB_LET(view, name, value)                                                                                     \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(name) = DLB_SELECT_(value, dlb_view_signed((view), DLB_VALUE(value)),                     \
                                                 dlb_view_unsigned((view), DLB_VALUE(value)), (value));                \
        DLB_NARROWING_END_                                                                                             \
        dlb_view_check((view), DLB_WIDEN_(DLB_NUMBER_(name, value), dlb_signed, dlb_unsigned, dlb_not_integer)(        \
                                   #name, DLB_NUMBER_(name, value)));                                                  \
    } while (0)
#else
#define DLB_LET(view, name, value)                                                                                     \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(name) = dlb_view_signed((view), DLB_INTEGER(value));                                      \
        DLB_NARROWING_END_                                                                                             \
        dlb_view_check((view), DLB_INTEGER(name));                                                                     \
    } while (0)
#endif

/* Initialises a dlb_param for `member` of the struct type `state`. */
#define DLB_PARAM(state, member, required)                                                                             \
    DLB_SHARED_PARAM(state, member, required, NULL)
/* Initialises a dlb_param that a subobject takes from its parent, if the parent has a param of this name and C type. */
#define DLB_SHARED_PARAM(state, member, required, type)                                                                \
    {#member, DLB_KIND_OF(((state *)0)->member), offsetof(state, member), sizeof(((state *)0)->member), (required), (type), NULL}
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

#include "dlb_maker.h"
#include "dlb_one_shot.h"

#endif
