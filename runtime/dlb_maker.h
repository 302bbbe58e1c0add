/* SPDX-License-Identifier: MIT-0 */
/* The words in which a generated .c file makes objects of arrays. Included by dlb_describe.h. */
#ifndef DLB_MAKER_H_
#define DLB_MAKER_H_

#include "dlb_describe.h"

/* ---- What is made: of an array that came in, or of one that is asked for ---- */

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
    /* The object: a T *, with `value` of the type the address of a T that is then copied; or NULL with `error` filled. */
    void *(*make)(dlb_source *source, dlb_error *error);
    /* How the made object (or the state around it) goes away, before the memory behind it; NULL: nothing to do. */
    void (*destroy)(void *object);
    size_t box; /* size of a struct that lives in the owner, zeroed; 0: the library makes the object */
    int32_t min_ndim;
    int32_t max_ndim;
    unsigned layout; /* DLB_WRITABLE and so on */
    dlb_order order;
    size_t alignment; /* of the data, in bytes; 0: see dlb_required_alignment() */
    const DLDataType *dtypes;
    size_t dtype_count; /* 0: any, and only the new object tells whether it could be shown */
    const DLDeviceType *devices;
    size_t device_count; /* 0: any */
    const int64_t *extents; /* per axis in DLPack's order, -1: any; NULL: all any */
    dlb_copying copy;       /* arrays on the host that do not meet `layout` and `alignment`, or all, are copied */
    int lease;              /* the library is given `user`, and calls back when it no longer needs the memory */
    const dlb_param *params;
    size_t param_count;
    size_t params_size;
    void (*defaults)(void *params); /* sets the params that have defaults */
    uint64_t strided; /* not 0: the bits of the axes that may step as they like, all others being compact over those inside */
};

/* An array as the makers see it: checked, axes of extent 1 and empty arrays compact, strides always there. */
struct dlb_source {
    void *data; /* NULL when an object is allocated */
    int32_t ndim;
    int readonly;
    const int64_t *shape;
    DLDeviceType device_type; /* as the maker lists it */
    int32_t device_id;
    DLDataType dtype;
    void *box;
    void *user;         /* a struct dlb_lease */
    const void *params; /* of the import */
    const int64_t *strides; /* in elements; not beside `shape`: compilers would copy both at once, which is slower */
    const char *name;
    struct dlb_source *itself; /* or NULL: nobody is told what does not fit */
    dlb_integer last; /* the integer that DLB_SET is storing */
    dlb_fault fault;
    int64_t axes[2 * DLB_MAX_NDIM]; /* of makers that see the axes in another order */
    int64_t byte_strides[DLB_MAX_NDIM];
};

/* The strides of packed elements in whole bytes. */
DLB_API DLB_COLD const int64_t *dlb_packed_byte_strides(dlb_source *source);

/* The strides in bytes. What overflows is the stride of an axis of extent 1 or of an empty array, which is never used. */
static inline const int64_t *dlb_byte_strides(dlb_source *source)
{
    const int64_t bits = (int64_t)source->dtype.bits * source->dtype.lanes;

    if (DLB_UNLIKELY(bits % 8 != 0)) {
        return dlb_packed_byte_strides(source->itself);
    }
    if (bits == 8) {
        return source->strides;
    }
    DLB_UNROLL
    for (int32_t axis = 0; axis < source->ndim; axis++) {
        source->byte_strides[axis] = (int64_t)((uint64_t)source->strides[axis] * (uint64_t)(bits / 8));
    }
    return source->byte_strides;
}

/* The bytes of all elements, without gaps. */
DLB_API int64_t dlb_source_nbytes(const dlb_source *source);

/* The last value did not fit in `place`, `text` being what it was; the first one stays. */
DLB_API DLB_COLD void dlb_source_tell(dlb_source *source, const char *place, const char *text);

static inline int64_t dlb_source_keep(dlb_source *source, dlb_integer value)
{
    source->last = value;
    return value.value;
}

static inline void dlb_source_note(dlb_source *source, const char *place, const char *text)
{
    if (source->itself != NULL) {
        dlb_source_tell(source->itself, place, text);
    } else {
        source->fault.slot = place;
    }
}

static inline void dlb_source_check(dlb_source *source, dlb_integer stored)
{
    const char *const text = source->last.text;

    source->last.text = NULL;
    if (DLB_UNLIKELY(text != NULL && stored.fits >= 0 &&
                     (stored.value != source->last.value || stored.fits != source->last.fits))) {
        dlb_source_note(source, stored.text, text);
    }
}

/* Reports the value that did not fit; returns -1. */
DLB_API DLB_COLD int dlb_source_fault(const dlb_source *source, dlb_error *error);

/* Nonzero, with `error` filled, when a value did not fit where DLB_SET put it. */
static inline int dlb_source_failed(const dlb_source *source, dlb_error *error)
{
    return DLB_UNLIKELY(source->fault.slot != NULL) &&
           (source->itself == NULL || dlb_source_fault(source->itself, error) != 0);
}

/* What `require` did not find fulfilled; returns NULL. */
DLB_API void *dlb_source_refuse(const dlb_source *source, dlb_error *error, const char *message);

/* A dtype and a shape to which no arm of the spec's match can be read backwards; returns NULL. */
DLB_API void *dlb_source_unmatched(const dlb_source *source, dlb_error *error);

/* A call of the library that did not give an object; returns NULL. */
DLB_API void *dlb_source_call_failed(const dlb_source *source, dlb_error *error, const char *call, const char *reason);

/* The library no longer needs the memory that came with the lease `user`. Once per lease, on any thread. A constructor that
 * fails calls this before it returns, or never. The memory is the import's until that has succeeded: an early call,
 * when what was made is destroyed again, leaves the array with the caller. */
DLB_API void dlb_lease_end(void *user);

static inline int dlb_same_dtype(DLDataType a, DLDataType b)
{
    return memcmp(&a, &b, sizeof a) == 0; /* which compilers make one comparison of */
}

/* place = value; an integer is read back, and must still be the same. `value` is evaluated once. */
#if DLB_HAS_GENERIC
#define DLB_SET(source, place, value)                                                                                  \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(place) =                                                                                  \
            DLB_SELECT_(value, dlb_source_keep((source), DLB_VALUE(value)),                                            \
                        dlb_source_keep((source), DLB_VALUE(value)), (value));                                         \
        DLB_NARROWING_END_                                                                                             \
        dlb_source_check((source), DLB_WIDEN_(DLB_NUMBER_(place, value), dlb_signed, dlb_unsigned, dlb_not_integer)(   \
                                       #place, DLB_NUMBER_(place, value)));                                            \
    } while (0)
#else
#define DLB_SET(source, place, value)                                                                                  \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(place) = dlb_source_keep((source), DLB_INTEGER(value));                                   \
        DLB_NARROWING_END_                                                                                             \
        dlb_source_check((source), DLB_INTEGER(place));                                                                \
    } while (0)
#endif

/* ---- The usual array ---- */

/* Where structs have what takes eight bytes: at multiples of 4 in some ABIs. */
struct dlb_eight_bytes {
    char before;
    int64_t eight;
};

/* Where C reads elements of that type: at multiples of this (of parts of 12 bytes, of 4); 0 below eight bits. */
static inline size_t dlb_natural_alignment(DLDataType dtype)
{
    const unsigned part = (unsigned)dtype.bits >> (dtype.code == kDLComplex ? 4 : 3);
    const unsigned alignment = part & (0 - part);

    return alignment == 8 ? offsetof(struct dlb_eight_bytes, eight) : alignment;
}

static inline int dlb_lists_dtype(const dlb_maker *maker, DLDataType dtype)
{
    for (size_t i = 0; i < maker->dtype_count; i++) {
        if (dlb_same_dtype(maker->dtypes[i], dtype)) {
            return 1;
        }
    }
    return maker->dtype_count == 0 && dtype.bits > 0 && dtype.lanes > 0;
}

/* The axes of an array that has some and is nonempty are those of a row-major one, perhaps with padding of the outermost axis where
 * that is allowed. */
static inline int dlb_is_row_major(const dlb_maker *maker, const DLTensor *tensor, DLDataType dtype, int32_t ndim)
{
    const int64_t *const shape = tensor->shape;
    const int64_t *const strides = tensor->strides;
    int64_t step = 1;

    DLB_UNROLL
    for (int32_t axis = ndim - 1; axis > 0; axis--) {
        if (shape[axis] <= 0 || strides[axis] != step || dlb_multiply_overflows(step, shape[axis], &step)) {
            return 0;
        }
    }
    if (ndim > 0) {
        const int padded = strides[0] > step && shape[0] != 1 && (maker->layout & DLB_COMPACT) == 0;

        if (shape[0] <= 0 || (strides[0] != step && !padded) || dlb_multiply_overflows(strides[0], shape[0], &step)) {
            return 0;
        }
    }
    return !dlb_multiply_overflows(step, (int64_t)dtype.bits * dtype.lanes, &step) && dlb_is_addressable(step / 8);
}

/* The axes of a nonempty array are as they are required, with the strides that imports show: it needs nothing but to be used. */
DLB_API int dlb_is_settled(const dlb_maker *maker, const DLTensor *tensor);

/* The usual array: on the CPU, of a dtype that is listed, aligned for it, and row-major, which is seen in one pass, or of whatever
 * other layout the maker takes. Nothing is to be settled: it is used as it is. 0: it must be looked at more closely, also for what
 * is to be said. Whether it may be read-only is not asked. */
static inline int dlb_find_fast(const dlb_maker *maker, const DLTensor *tensor)
{
    const int64_t *const shape = tensor->shape;
    const int64_t *const strides = tensor->strides;
    const int32_t ndim = maker->min_ndim == maker->max_ndim ? maker->min_ndim : tensor->ndim;
    const DLDataType dtype = maker->dtype_count == 1 ? maker->dtypes[0] : tensor->dtype;
    const int row_major = maker->order == DLB_ORDER_C && maker->strided == 0;

    if (tensor->ndim < maker->min_ndim || tensor->ndim > maker->max_ndim || tensor->ndim > DLB_MAX_NDIM ||
        shape == NULL || strides == NULL || tensor->data == NULL || tensor->byte_offset != 0 ||
        tensor->device.device_type != kDLCPU || (maker->device_count > 0 && maker->devices[0] != kDLCPU) ||
        !dlb_lists_dtype(maker, tensor->dtype) ||
        dtype.bits % 8 != 0 || ((uintptr_t)tensor->data & (dlb_natural_alignment(dtype) - 1)) != 0) {
        return 0;
    }
    if (maker->extents != NULL || maker->alignment != 0 || maker->copy == DLB_COPY_ALWAYS) {
        return 0;
    }
    if (row_major && DLB_LIKELY(dlb_is_row_major(maker, tensor, dtype, ndim))) {
        return 1;
    }
    return (!row_major || (maker->layout & (DLB_COMPACT | DLB_INNER_COMPACT)) == 0) && dlb_is_settled(maker, tensor);
}

static inline int dlb_is_on_same_device(const DLTensor *a, const DLTensor *b)
{
    return a->device.device_type == b->device.device_type && a->device.device_id == b->device.device_id;
}

/* The same array, but perhaps on another device. */
static inline int dlb_has_same_layout(const DLTensor *made, const DLTensor *wanted)
{
    if (made->ndim != wanted->ndim || !dlb_same_dtype(made->dtype, wanted->dtype) || made->data != wanted->data) {
        return 0;
    }
    DLB_UNROLL
    for (int32_t axis = 0; axis < made->ndim; axis++) {
        if (made->shape[axis] != wanted->shape[axis] || made->strides[axis] != wanted->strides[axis]) {
            return 0;
        }
    }
    return 1;
}

/* Checks the array, makes the object, describes it and compares. Nobody is told of what is found. */
static inline void *dlb_make_plainly(const dlb_maker *maker,
                                     int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                     const DLTensor *array, int readonly, void *box)
{
    const int fixed = maker->min_ndim == maker->max_ndim;
    int64_t shape[DLB_MAX_NDIM], strides[DLB_MAX_NDIM], axes[2 * DLB_MAX_NDIM];
    dlb_source source;
    DLTensor wanted, tensor;
    dlb_view made;
    void *object;

    if (DLB_UNLIKELY(!dlb_find_fast(maker, array))) {
        return NULL;
    }
    wanted.data = array->data;
    wanted.ndim = fixed ? maker->min_ndim : array->ndim;
    wanted.dtype = maker->dtype_count == 1 ? maker->dtypes[0] : array->dtype;
    wanted.shape = array->shape;
    wanted.strides = array->strides;
    if (fixed) { /* in registers: what is written to the object cannot change it */
        wanted.shape = shape;
        wanted.strides = strides;
        DLB_UNROLL
        for (int32_t axis = 0; axis < wanted.ndim; axis++) {
            shape[axis] = array->shape[axis];
            strides[axis] = array->strides[axis];
        }
    }
    source.data = wanted.data;
    source.ndim = wanted.ndim;
    source.readonly = readonly;
    source.shape = wanted.shape;
    source.strides = wanted.strides;
    source.device_type = kDLCPU;
    source.device_id = array->device.device_id;
    source.dtype = wanted.dtype;
    source.box = memset(box, 0, maker->box);
    source.user = NULL;
    source.params = NULL;
    source.name = NULL;
    source.itself = NULL;
    source.last = (dlb_integer){0, 1, NULL};
    source.fault.slot = NULL;
    object = maker->make(&source, NULL);
    if (DLB_UNLIKELY(object == NULL)) {
        return NULL;
    }
    dlb_speculative_begin(&made, 0);
    dlb_view_begin(&made, &tensor, source.ndim, axes, DLB_MAX_NDIM);
    if (DLB_UNLIKELY(describe(object, &made, NULL) != 0 || !dlb_has_same_layout(&tensor, &wanted) ||
                     !dlb_is_on_same_device(&tensor, array))) { /* of the array itself: nothing of it is in registers */
        return NULL;
    }
    return object;
}

/* The same, once for all types. */
DLB_API void *dlb_make_any_plainly(const dlb_maker *maker,
                                   int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                   const DLTensor *array, int readonly, void *box);

/* What `import_fast` of a type does that imports by filling a struct: all in one step, with the constants of the type, unless
 * that is to be small. */
static inline void *dlb_make_fast(const dlb_maker *maker,
                                   int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                   const DLTensor *array, int readonly, void *box)
{
#if defined(__OPTIMIZE_SIZE__)
    return dlb_make_any_plainly(maker, describe, array, readonly, box);
#else
    return dlb_make_plainly(maker, describe, array, readonly, box);
#endif
}

#endif
