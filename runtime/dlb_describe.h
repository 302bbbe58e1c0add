/* SPDX-License-Identifier: MIT-0 */
/* The words in which a generated .c file describes its struct. The functions never fail on the spot: the first
 * value that does not fit is kept in the view and reported by dlb_view_finish(). */
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

/* A variable of the type of its value. */
#if defined(__GNUC__)
#define DLB_AUTO __extension__ __auto_type
#else
#define DLB_AUTO auto /* C23 */
#endif

/* A variable of what `value` returns. (The comma makes a value of it even where a macro shows a bit-field.) */
#define DLB_KEEP(name, value) DLB_AUTO const name = ((void)0, (value))

/* A function into which all that it calls is inlined, as far as that is known here. */
#if defined(__GNUC__)
#define DLB_FLATTEN __attribute__((flatten))
#else
#define DLB_FLATTEN
#endif

/* ---- Texts ---- */

/* NULL is no text, and no key. */
DLB_INLINE int dlb_is_text(const char *value, const char *key)
{
    return value != NULL && strcmp(value, key) == 0;
}

/* A text where dlb_integer says what a value was. */
#define DLB_TEXT_VALUE(e) DLB_TEXT_VALUE_AS(#e, e)
#define DLB_TEXT_VALUE_AS(text, e) ((dlb_integer){(int64_t)(intptr_t)(const char *)(e), -2, (text)})

/* ---- Describing ---- */

/* A dtype that is known only at run time, in the numbers of DLPack. */
DLB_API void dlb_dtype(dlb_view *view, dlb_integer code, dlb_integer bits, dlb_integer lanes);

/* The first element; read-only where `pointer` points to const. */
#define DLB_DATA(view, pointer) dlb_data((view), (pointer), DLB_POINTS_TO_CONST_(pointer))

/* Whether data behind a pointer of that type can be written. */
#define DLB_POINTS_TO_WRITABLE(pointer) (!DLB_POINTS_TO_CONST_(pointer))

DLB_INLINE void dlb_readonly(dlb_view *view, int readonly)
{
    view->flags = readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
}

/* An import makes another object of the array than this one. */
DLB_INLINE void dlb_one_way(dlb_view *view)
{
    view->one_way = 1;
}

DLB_INLINE void dlb_data(dlb_view *view, const volatile void *data, int readonly)
{
    view->tensor->data = (void *)(uintptr_t)data; /* the flag says what the type said */
    dlb_readonly(view, readonly);
}

DLB_INLINE void dlb_device(dlb_view *view, DLDeviceType type, dlb_integer id)
{
    if (DLB_UNLIKELY(!id.fits || id.value < 0 || id.value > INT32_MAX)) {
        dlb_view_note(view, DLB_FAULT_DEVICE_ID, -1, id);
        id.value = 0;
    }
    view->tensor->device = (DLDevice){type, (int32_t)id.value};
}

/* Where the data begins behind the pointer; added to it by dlb_view_finish() where the host reads the memory. */
DLB_INLINE void dlb_byte_offset(dlb_view *view, dlb_integer bytes)
{
    if (DLB_UNLIKELY(!bytes.fits || bytes.value < 0)) {
        dlb_view_note(view, DLB_FAULT_OFFSET, -1, bytes);
        bytes.value = 0;
    }
    view->tensor->byte_offset = (uint64_t)bytes.value;
    view->pending_checks |= DLB_OFFSET;
}

/* The rank, where it is known only at run time; before any extent. */
DLB_INLINE void dlb_rank(dlb_view *view, dlb_integer ndim)
{
    if (DLB_UNLIKELY(!ndim.fits || ndim.value < 0 || ndim.value > DLB_MAX_NDIM)) {
        dlb_view_note(view, DLB_FAULT_RANK, -1, ndim);
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

/* A pointer through which others are read. (A call, since it may be an array, which a compiler would not compare with NULL.) */
DLB_INLINE int dlb_is_nowhere(const volatile void *pointer)
{
    return pointer == NULL;
}

/* The rank of a struct with an `array` of so many elements; several arrays are checked one after the other. */
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
/* Where no axis is there is perhaps no array, nor what leads to it. */
#define DLB_AT_(ndim, array) ((ndim).value != 0 ? (const volatile void *)(array) : "")
DLB_INLINE void dlb_rank_within(dlb_view *view, dlb_integer ndim, const volatile void *array, size_t length)
{
    if (ndim.fits && ndim.value >= 0 && (uint64_t)ndim.value > length) {
        dlb_view_note(view, DLB_FAULT_CAPACITY, -1, ndim);
    } else if (array == NULL && ndim.value != 0) {
        dlb_view_note(view, DLB_FAULT_NOWHERE, -1, ndim);
    }
    if ((view->pending_checks & DLB_FAULTY) != 0) { /* perhaps of another array, which must not be read beyond its end either */
        ndim.value = 0;
    }
    dlb_rank(view, ndim);
}

/* (In a trial nobody is told: dlb_is_plain() finds whatever is negative, as is what does not fit.) */
DLB_INLINE void dlb_extent(dlb_view *view, int32_t axis, dlb_integer extent)
{
    if (DLB_UNLIKELY(!dlb_is_speculative(view) && (!extent.fits || extent.value < 0))) {
        dlb_view_note(view, DLB_FAULT_EXTENT, axis, extent);
        extent.value = 0;
    }
    view->tensor->shape[axis] = extent.value;
}

/* After the extent of the axis: where that is 1 or 0, no stride is ever used, and none is wrong. */
DLB_INLINE void dlb_stride(dlb_view *view, int32_t axis, dlb_integer elements)
{
    if (DLB_UNLIKELY(!elements.fits)) {
        if (view->tensor->shape[axis] > 1) {
            dlb_view_note(view, DLB_FAULT_STRIDE, axis, elements);
        }
        elements.value = 0;
    }
    view->tensor->strides[axis] = elements.value;
}

/* A stride in bytes, outside of a trial. Bytes that are no multiple of the item size are kept for a copy, or a fault. */
DLB_API void dlb_byte_stride_slow(dlb_view *view, int32_t axis, dlb_integer bytes);

/* (A division would take the view out of its registers, so that a trial does none but by constants. What is negative there, or does
 * not fit, is left to dlb_is_plain(), and shifted as everywhere: with its sign.) */
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

/* A stride in bits, and one in steps of so many bytes. */
DLB_API void dlb_bit_stride(dlb_view *view, int32_t axis, dlb_integer bits);
DLB_API void dlb_unit_stride(dlb_view *view, int32_t axis, dlb_integer steps, dlb_integer bytes_per_step);

/* The data that begins with the first of these rows: after the shape, since a table of none is not read. */
#define DLB_FIRST_ROW(view, rows)                                                                                      \
    dlb_data((view), dlb_has_rows((view), (rows)) ? (rows)[0] : NULL, DLB_POINTS_TO_CONST_((rows)[0]))
DLB_API int dlb_has_rows(const dlb_view *view, const void *table);

/* The stride of `axis` from a table of row pointers. After shape, dtype, the compact strides of all axes, and data, which is
 * where the first row begins. Rows whose distance is not constant are a fault, or are copied where the type allows it. */
#define DLB_ROWS(view, axis, rows) DLB_ROWS_AS(#rows, view, axis, rows)
#define DLB_ROWS_AS(text, view, axis, rows)                                                                            \
    ((void)sizeof((rows)[0] == (const volatile void *)0), dlb_rows((view), (axis), (rows), (text)))
DLB_API void dlb_rows(dlb_view *view, int32_t axis, const void *table, const char *text);

/* Compact strides, the last axis innermost, or the first; `positive`: there are no others if an extent is not. What overflows
 * here is found by dlb_view_finish(). (That they are apart keeps the extents in registers.) */
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

DLB_INLINE void dlb_compact_tensor(DLTensor *tensor, int32_t ndim)
{
    dlb_compact_strides(tensor->shape, tensor->strides, ndim, 0, 0);
}

DLB_INLINE void dlb_compact_fortran_tensor(DLTensor *tensor, int32_t ndim)
{
    dlb_compact_strides(tensor->shape, tensor->strides, ndim, 1, 0);
}

DLB_INLINE void dlb_compact(dlb_view *view, int32_t ndim)
{
    dlb_compact_strides(view->tensor->shape, view->tensor->strides, ndim, 0, dlb_is_speculative(view));
}

DLB_INLINE void dlb_compact_fortran(dlb_view *view, int32_t ndim)
{
    dlb_compact_strides(view->tensor->shape, view->tensor->strides, ndim, 1, dlb_is_speculative(view));
}

/* From the struct's order of axes, fastest first, to DLPack's. */
DLB_INLINE void dlb_reverse(int64_t *values, int32_t count)
{
    for (int32_t low = 0, high = count - 1; low < high; low++, high--) {
        const int64_t value = values[low];

        values[low] = values[high];
        values[high] = value;
    }
}

/* ---- Variables of a description ---- */

/* Notes the integer that is to be stored, and gives it back as what it was. */
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

/* What was stored must be what was noted; if it is no integer, it is not compared. */
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
        dlb_view_tell(view->itself, stored.text, -1, (dlb_integer){view->last.value, view->last.fits, text},
                      "that does not fit there");
    }
}

/* name = value; an integer is read back, and must still be the same. `value` is evaluated once. See dlb_view_failed(). */
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

/* The initialiser of a dlb_param: `member` of the struct type `state`. */
#define DLB_PARAM(state, member, required)                                                                             \
    DLB_SHARED_PARAM(state, member, required, NULL)
/* The same of one whose value an object has of the object that it is a part of, if that has a param of this name and C type. */
#define DLB_SHARED_PARAM(state, member, required, type)                                                                \
    {#member, DLB_KIND_OF(((state *)0)->member), offsetof(state, member), sizeof(((state *)0)->member), (required), (type), NULL}
/* The same of one that is an object of another class. */
#define DLB_CLASS_PARAM(state, member, required, of)                                                                   \
    {#member, DLB_OTHER, offsetof(state, member), sizeof(((state *)0)->member), (required), NULL, (of)}

/* The size of a struct that lives in an owner: what follows the axes there has the alignment of malloc(). */
#define DLB_STORAGE_FOR(type)                                                                                             \
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
