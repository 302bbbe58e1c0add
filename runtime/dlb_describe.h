/* SPDX-License-Identifier: MIT-0 */
/* The words in which a generated .c file describes its struct (C11). The functions never fail on the spot: the first
 * value that does not fit is kept in the view and reported by dlb_view_finish(). */
#ifndef DLB_DESCRIBE_H_
#define DLB_DESCRIBE_H_

#include "dlb_runtime.h"

#include <string.h>

/* ---- The spec against the real struct, at compile time ---- */

/* Picks by the promoted type of `e`, which is not evaluated. */
#define DLB_SELECT_(e, is_signed, is_unsigned, is_other)                                                               \
    _Generic(1 ? (e) : (e),                                                                                            \
        int: is_signed, long: is_signed, long long: is_signed,                                                         \
        unsigned: is_unsigned, unsigned long: is_unsigned, unsigned long long: is_unsigned,                            \
        default: is_other)

/* The same for what can only be a number or a pointer; wide bit-fields, whose type has no name, are numbers here. */
#define DLB_WIDEN_(e, is_signed, is_unsigned, is_other)                                                                \
    _Generic(1 ? (e) : 0LL, long long: is_signed, unsigned long long: is_unsigned, default: is_other)

#define DLB_ASSERT_INTEGER(e, message) _Static_assert(DLB_WIDEN_(e, 1, 1, 0), message)
/* The same for a difference: of unsigned numbers it would not become negative, but wrap around. */
#define DLB_ASSERT_SIGNED(e, message) _Static_assert(DLB_SELECT_(e, 1, 0, 0), message)
#define DLB_ASSERT_POINTER(e, message)                                                                                 \
    _Static_assert(DLB_SELECT_(e, 0, 0, 1) && _Generic((e), float: 0, double: 0, long double: 0, default: 1), message)

/* ---- Values ---- */

#define DLB_DTYPE(code, bits) ((DLDataType){(code), (bits), 1})
#define DLB_CPU ((DLDevice){kDLCPU, 0})

static inline dlb_integer dlb_signed(const char *text, int64_t value)
{
    return (dlb_integer){value, 1, text};
}

static inline dlb_integer dlb_unsigned(const char *text, uint64_t value)
{
    return (dlb_integer){(int64_t)value, value <= INT64_MAX, text};
}

/* What is no integer: `text` alone. */
DLB_API dlb_integer dlb_not_integer(const char *text, ...);

/* An expression of any integer type, with its value. */
#define DLB_INTEGER(e) (DLB_WIDEN_(e, dlb_signed, dlb_unsigned, dlb_not_integer)(#e, (e)))
/* An expression of any type, with its value where that is an integer. */
#define DLB_VALUE(e) (DLB_SELECT_(e, dlb_signed, dlb_unsigned, dlb_not_integer)(#e, (e)))

/* ---- Describing ---- */

DLB_API void dlb_note_fault(dlb_fault *fault, const char *slot, int32_t axis, dlb_integer value, const char *reason);

/* Checks the whole view, settles it for empty arrays, and reports the first fault. Last call of every description. */
DLB_API int dlb_view_finish(dlb_view *view, dlb_error *error);

/* What `require` did not find fulfilled; returns -1. */
DLB_API int dlb_view_refuse(const dlb_view *view, dlb_error *error, const char *message);

/* A value of `slot` for which the spec's map has no entry; returns -1. */
DLB_API int dlb_view_unmapped(const dlb_view *view, dlb_error *error, const char *slot, dlb_integer value);

static inline int64_t dlb_itemsize(DLDataType dtype)
{
    return (dtype.bits * dtype.lanes + 7) / 8;
}

#define DLB_POINTS_TO_CONST_(pointer)                                                                                  \
    _Generic(1 ? (pointer) : (void *)1, const void *: 1, const volatile void *: 1, default: 0)

/* The first element; read-only where `pointer` points to const. */
#define DLB_DATA(view, pointer) dlb_data((view), (pointer), DLB_POINTS_TO_CONST_(pointer))

static inline void dlb_readonly(dlb_view *view, int readonly)
{
    view->flags = readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
}

static inline void dlb_data(dlb_view *view, const volatile void *data, int readonly)
{
    view->tensor.data = (void *)(uintptr_t)data; /* the flag says what the type said */
    dlb_readonly(view, readonly);
}

static inline void dlb_device(dlb_view *view, DLDeviceType type, dlb_integer id)
{
    if (!id.fits || id.value < 0 || id.value > INT32_MAX) {
        dlb_note_fault(&view->fault, "device id", -1, id, "a device id is 0 to 2^31 - 1");
        id.value = 0;
    }
    view->tensor.device = (DLDevice){type, (int32_t)id.value};
}

/* The rank, where it is known only at run time; before any extent. */
static inline void dlb_rank(dlb_view *view, dlb_integer ndim)
{
    if (!ndim.fits || ndim.value < 0 || ndim.value > DLB_MAX_NDIM) {
        dlb_note_fault(&view->fault, "ndim", -1, ndim, "a rank is 0 to 64");
        ndim.value = 0;
    }
    view->tensor.ndim = (int32_t)ndim.value;
    if (view->tensor.ndim > view->capacity) {
        view->tensor.shape = view->axes;
        view->tensor.strides = view->axes + DLB_MAX_NDIM;
    }
}

static inline void dlb_extent(dlb_view *view, int32_t axis, dlb_integer extent)
{
    if (!extent.fits || extent.value < 0) {
        dlb_note_fault(&view->fault, "shape", axis, extent, "an extent is 0 to 2^63 - 1");
        extent.value = 0;
    }
    view->tensor.shape[axis] = extent.value;
}

/* After the extent of the axis: where that is 1 or 0, no stride is ever used, and none is wrong. */
static inline void dlb_stride(dlb_view *view, int32_t axis, dlb_integer elements)
{
    if (!elements.fits) {
        if (view->tensor.shape[axis] > 1) {
            dlb_note_fault(&view->fault, "strides", axis, elements, "a stride is below 2^63");
        }
        elements.value = 0;
    }
    view->tensor.strides[axis] = elements.value;
}

static inline void dlb_byte_stride(dlb_view *view, int32_t axis, dlb_integer bytes)
{
    const int64_t itemsize = dlb_itemsize(view->tensor.dtype);

    if (bytes.fits && bytes.value % itemsize != 0 && view->tensor.shape[axis] > 1) {
        dlb_note_fault(&view->fault, "strides", axis, bytes, "bytes that are no multiple of the item size");
    }
    if (bytes.fits) {
        bytes.value /= itemsize;
    }
    dlb_stride(view, axis, bytes);
}

/* Compact strides, the last axis innermost. What overflows here is found by dlb_view_finish(). */
static inline void dlb_compact(dlb_view *view)
{
    uint64_t step = 1;

    for (int32_t axis = view->tensor.ndim - 1; axis >= 0; axis--) {
        view->tensor.strides[axis] = (int64_t)step;
        step *= (uint64_t)(view->tensor.shape[axis] > 0 ? view->tensor.shape[axis] : 1);
    }
}

/* Compact strides, the first axis innermost. */
static inline void dlb_compact_fortran(dlb_view *view)
{
    uint64_t step = 1;

    for (int32_t axis = 0; axis < view->tensor.ndim; axis++) {
        view->tensor.strides[axis] = (int64_t)step;
        step *= (uint64_t)(view->tensor.shape[axis] > 0 ? view->tensor.shape[axis] : 1);
    }
}

/* From the struct's order of axes, fastest first, to DLPack's. */
static inline void dlb_reverse(int64_t *values, int32_t count)
{
    for (int32_t low = 0, high = count - 1; low < high; low++, high--) {
        const int64_t value = values[low];

        values[low] = values[high];
        values[high] = value;
    }
}

/* ---- Making objects: an array that came in, or that is asked for ---- */

/* What an array must be, beyond what `dlb_maker` says in numbers. */
enum {
    DLB_WRITABLE = 1,
    DLB_COMPACT = 2,
    DLB_INNER_COMPACT = 4,
    DLB_NO_OVERLAP = 8,
    DLB_NONNEGATIVE_STRIDES = 16
};

typedef enum dlb_order {
    DLB_ORDER_C = 0,
    DLB_ORDER_F,
    DLB_ORDER_REVERSED /* the makers see shape and strides fastest axis first */
} dlb_order;

/* What can be made, and how. */
struct dlb_maker {
    /* The object, or NULL with `error` filled. */
    void *(*make)(dlb_source *source, dlb_error *error);
    /* How the made object goes away, before the memory behind it; NULL: nothing to do. */
    void (*destroy)(void *object);
    size_t box; /* size of a struct that lives in the owner, zeroed; 0: the library makes the object */
    int32_t min_ndim;
    int32_t max_ndim;
    unsigned layout; /* DLB_WRITABLE and so on */
    dlb_order order;
    size_t alignment; /* of the data, in bytes; 0: any */
    const DLDataType *dtypes;
    size_t dtype_count;
    const DLDeviceType *devices;
    size_t device_count;
    const int64_t *extents; /* per axis in DLPack's order, -1: any; NULL: all any */
};

/* An array as the makers see it: checked, axes of extent 1 and empty arrays compact, strides always there. */
struct dlb_source {
    void *data; /* NULL when an object is allocated */
    int32_t ndim;
    const int64_t *shape;
    const int64_t *strides;      /* in elements */
    const int64_t *byte_strides; /* in bytes */
    int64_t itemsize;
    int64_t nbytes; /* of all elements, without gaps */
    int readonly;
    DLDeviceType device_type; /* as the maker lists it */
    int32_t device_id;
    DLDataType dtype;
    void *box;
    const char *name;
    dlb_integer last; /* the integer that DLB_SET is storing */
    dlb_fault fault;
    int64_t axes[3 * DLB_MAX_NDIM];
};

DLB_API int64_t dlb_source_keep(dlb_source *source, dlb_integer value);
DLB_API void dlb_source_check(dlb_source *source, dlb_integer stored);

/* Nonzero, with `error` filled, when a value did not fit where DLB_SET put it. */
DLB_API int dlb_source_failed(const dlb_source *source, dlb_error *error);

/* What `require` did not find fulfilled; returns NULL. */
DLB_API void *dlb_source_refuse(const dlb_source *source, dlb_error *error, const char *message);

/* A call of the library that did not give an object; returns NULL. */
DLB_API void *dlb_source_call_failed(const dlb_source *source, dlb_error *error, const char *call, const char *reason);

static inline int dlb_same_dtype(DLDataType a, DLDataType b)
{
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

#if defined(__GNUC__)
#define DLB_NARROWING_BEGIN_                                                                                           \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"")                                  \
        _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"") /* but a fraction must not be lost: */                   \
        _Pragma("GCC diagnostic error \"-Wfloat-conversion\"")
#define DLB_NARROWING_END_ _Pragma("GCC diagnostic pop")
/* Between these, a value that would be converted silently on its way to the library is a compile error. */
#define DLB_STRICT_BEGIN                                                                                               \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wconversion\"")                                    \
        _Pragma("GCC diagnostic error \"-Wsign-conversion\"")
/* The same where all numbers in scope are known to be nonnegative, so that their sign may change type. */
#define DLB_STRICT_NONNEGATIVE_BEGIN                                                                                   \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wconversion\"")                                    \
        _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")
#define DLB_STRICT_END _Pragma("GCC diagnostic pop")
#else
#define DLB_NARROWING_BEGIN_
#define DLB_NARROWING_END_
#define DLB_STRICT_BEGIN
#define DLB_STRICT_NONNEGATIVE_BEGIN
#define DLB_STRICT_END
#endif

/* `place` where `value` is an integer; it then is a number, of whatever width. */
#define DLB_NUMBER_(place, value) DLB_SELECT_(value, (place), (place), 0)

/* The type in which values of `e` are compared: there an enumeration is an integer, an array a pointer. */
#define DLB_TYPE_OF(e) __typeof__(1 ? (e) : 0)

/* place = value; an integer is read back, and must still be the same. `value` is evaluated once. */
#define DLB_SET(source, place, value)                                                                                  \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(place) =                                                                                  \
            DLB_SELECT_(value, dlb_source_keep((source), DLB_VALUE(value)),                                            \
                        dlb_source_keep((source), DLB_VALUE(value)), (value));                                         \
        DLB_NARROWING_END_                                                                                             \
        dlb_source_check((source), DLB_WIDEN_(DLB_NUMBER_(place, value), dlb_signed, dlb_unsigned, dlb_not_integer)(   \
                                       #place, DLB_NUMBER_(place, value)));                                            \
    } while (0)

#endif
