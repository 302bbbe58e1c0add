/* SPDX-License-Identifier: MIT-0 */
/* The functions that a generated .c file calls: descriptions (dlb_describe.h), one-shot exports, and objects made from arrays. */
#ifndef DLB_EMIT_H_
#define DLB_EMIT_H_

#include "dlb_describe.h"

#include <stdlib.h>

/* The version that this runtime implements, whatever version dlpack.h has (DLPack: version negotiation). */
enum { DLB_VERSION_MAJOR = 1, DLB_VERSION_MINOR = 3 };

/* Turns a described tensor into a managed tensor. */
static inline void dlb_manage(DLManagedTensorVersioned *managed, void *manager_ctx,
                              void (*deleter)(DLManagedTensorVersioned *managed), uint64_t flags)
{
    managed->version = (DLPackVersion){DLB_VERSION_MAJOR, DLB_VERSION_MINOR};
    managed->manager_ctx = manager_ctx;
    managed->deleter = deleter;
    managed->flags = flags;
}

/* Turns a described tensor into a managed tensor of DLPack before 1.0. */
static inline void dlb_manage_legacy(DLManagedTensor *managed, void *manager_ctx,
                                     void (*deleter)(DLManagedTensor *managed))
{
    managed->manager_ctx = manager_ctx;
    managed->deleter = deleter;
}

/* A one-shot export: the managed tensor is its own owner, since nothing else shares the object. Its context is the object. */
typedef struct dlb_one_shot {
    DLManagedTensorVersioned managed;
    int64_t axes[];
} dlb_one_shot;

/* Frees a one-shot export. Returns the object, which the deleter must release. */
static inline void *dlb_end_one_shot(DLManagedTensorVersioned *managed)
{
    void *const object = managed->manager_ctx;

    free(managed);
    return object;
}

/* The deleter of one-shot exports of types that release nothing. */
DLB_API void dlb_delete_one_shot(DLManagedTensorVersioned *managed);

/* Exports as dlb_to_dlpack() does, for a type without a state whose objects may be released on any thread. Objects that pass the fast
 * path become one-shot exports. Inlined with the constants of the type. */
DLB_INLINE int dlb_to_dlpack_fast(const dlb_type *type, int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                  int32_t ndim, void (*retain)(void *object),
                                  void (*deleter)(DLManagedTensorVersioned *managed), void *object,
                                  DLManagedTensorVersioned **out, dlb_error *error)
{
    const size_t storage = 2 * sizeof(int64_t) * (size_t)dlb_capacity(ndim);
    dlb_one_shot *const one_shot = DLB_LIKELY(object != NULL) ? malloc(sizeof *one_shot + storage) : NULL;

    if (DLB_LIKELY(one_shot != NULL)) {
        const int flags = dlb_describe_plain(describe, ndim, &one_shot->managed.dl_tensor, one_shot->axes, object, dlb_decline);

        if (DLB_LIKELY(flags >= 0)) {
            dlb_manage(&one_shot->managed, object, deleter, (uint64_t)flags);
            *out = &one_shot->managed;
            if (retain != NULL) {
                retain(object);
            }
            return 0;
        }
        free(one_shot);
    }
    return dlb_to_dlpack(type, object, out, error);
}

/* ---- Factories: they make an object from an imported array, or allocate a new one ---- */

/* Bits of `layout` of dlb_requirements. */
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
    DLB_ORDER_REVERSED /* the factory sees shape and strides with the fastest axis first */
} dlb_order;

/* The requirements of a factory, or of a parameter of a function, on arrays. */
typedef struct dlb_requirements {
    int32_t min_ndim;
    int32_t max_ndim;
    unsigned layout; /* bits: DLB_WRITABLE and so on */
    dlb_order order;
    size_t alignment; /* of the data, in bytes; 0: see dlb_required_alignment() */
    const DLDataType *dtypes;
    size_t dtype_count; /* 0: any dtype; then only the new object tells whether it can show the array */
    const DLDeviceType *devices;
    size_t device_count; /* 0: any device */
    const int64_t *extents; /* per axis, in the order of DLPack; -1: any extent; NULL: any extents */
    dlb_copying copy;       /* whether host arrays are copied: if `layout` or `alignment` is not met, or always */
    /* bits of the axes that may have any stride, while each other axis is compact over the axes inside it; 0: see `layout` */
    uint64_t strided;
    dlb_casting cast; /* whether elements of other dtypes are converted to the first dtype that allows it */
    const dlb_record *record; /* the fields of elements that are structs; NULL: elements are numbers */
} dlb_requirements;

/* A factory: makes an object from an array that meets its requirements. */
struct dlb_factory {
    /* Makes the object. Returns a T *; with `value` of the type, the address of a T, which is then copied; or NULL with `error` filled. */
    void *(*make)(dlb_source *source, dlb_error *error);
    /* Destroys the object (or the state around it), before its memory is released. NULL: nothing to destroy. */
    void (*destroy)(void *object);
    const dlb_requirements *require;
    size_t box; /* size in bytes of a struct that is stored in the owner, zeroed; 0: the library allocates the object */
    int lease;  /* the library gets `user`, and calls dlb_lease_end() when it no longer needs the memory */
    const dlb_param *params;
    size_t param_count;
    size_t params_size;
    void (*defaults)(void *params); /* sets the params that have defaults */
    /* Returns the handle of the stream on which the library works on the array. NULL: the spec does not specify it. */
    intptr_t (*stream)(const void *params);
};

/* An array as a factory sees it. It has been checked, always has strides, and is compact along axes of extent 1 and if it is empty. */
struct dlb_source {
    void *data; /* NULL if a new object is allocated */
    int32_t ndim;
    int readonly;
    const int64_t *shape;
    DLDeviceType device_type; /* as listed in `devices` of the factory */
    int32_t device_id;
    DLDataType dtype;
    void *box;
    void *user;         /* a struct dlb_lease; NULL: none */
    const void *params; /* params of the import; NULL: none */
    const int64_t *strides; /* in elements; not beside `shape`: compilers would copy both at once, which is slower */
    const char *name;
    struct dlb_source *itself; /* the struct itself; NULL: speculative, faults are not reported */
    dlb_integer last; /* the integer that DLB_SET is storing */
    dlb_fault fault;
    int64_t axes[2 * DLB_MAX_NDIM]; /* shape and strides, if `order` of the factory is not that of DLPack */
    int64_t byte_strides[DLB_MAX_NDIM];
};

/* Returns the strides in bytes of elements with fewer than 8 bits, packed in whole bytes. */
DLB_API DLB_COLD const int64_t *dlb_packed_byte_strides(dlb_source *source);

/* Returns the strides in bytes. A stride overflows only along an axis of extent 1 or in an empty array, where it is never used. */
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

/* Returns the size in bytes of all elements, without gaps. */
DLB_API int64_t dlb_source_nbytes(const dlb_source *source);

/* Records that the last value, which `expression` gave, does not fit in `place`. A fault that was recorded earlier stays. */
DLB_API DLB_COLD void dlb_source_set_error(dlb_source *source, const char *place, const char *expression);

/* Records the integer that DLB_SET is about to store, and returns it. */
static inline int64_t dlb_source_keep(dlb_source *source, dlb_integer value)
{
    source->last = value;
    return value.value;
}

/* Records that the last value does not fit. A speculative source keeps only `place`. */
static inline void dlb_source_record_fault(dlb_source *source, const char *place, const char *expression)
{
    if (source->itself != NULL) {
        dlb_source_set_error(source->itself, place, expression);
    } else {
        source->fault.slot = place;
    }
}

/* Checks that the stored value equals the recorded one. Values that are not integers are not compared. */
static inline void dlb_source_check(dlb_source *source, dlb_integer stored)
{
    const char *const expression = source->last.expression;

    source->last.expression = NULL;
    if (DLB_UNLIKELY(expression != NULL && stored.status >= DLB_TOO_LARGE &&
                     (stored.value != source->last.value || stored.status != source->last.status))) {
        dlb_source_record_fault(source, stored.expression, expression);
    }
}

/* Reports the value that did not fit. Returns -1. */
DLB_API DLB_COLD int dlb_source_fault(const dlb_source *source, dlb_error *error);

/* Returns nonzero, with `error` filled, if a value did not fit where DLB_SET stored it. A speculative source fills no error. */
static inline int dlb_source_failed(const dlb_source *source, dlb_error *error)
{
    return DLB_UNLIKELY(source->fault.slot != NULL) &&
           (source->itself == NULL || dlb_source_fault(source->itself, error) != 0);
}

/* Reports a `require` that is not met. Returns NULL. */
DLB_API void *dlb_source_refuse(const dlb_source *source, dlb_error *error, const char *message);

/* Reports that no case of the spec's match produces the dtype and shape of the array. Returns NULL. */
DLB_API void *dlb_source_unmatched(const dlb_source *source, dlb_error *error);

/* Reports a call of the library that did not return an object. Returns NULL. */
DLB_API void *dlb_source_call_failed(const dlb_source *source, dlb_error *error, const char *call, const char *reason);

/* Ends the lease `user`: the library no longer needs the memory. Call it once per lease, on any thread. A constructor that fails calls
 * it before it returns, or never. The import owns the memory until it has succeeded. If the library ends the lease earlier, because the
 * import fails and destroys the new object, the array still belongs to the caller. */
DLB_API void dlb_lease_end(void *user);

/* Returns whether both dtypes are equal. */
static inline int dlb_same_dtype(DLDataType a, DLDataType b)
{
    return memcmp(&a, &b, sizeof a) == 0; /* compilers turn this into one comparison */
}

/* ---- The fast path of imports ---- */

/* Measures the alignment of an 8-byte member in a struct, which is 4 in some ABIs. */
struct dlb_eight_bytes {
    char before;
    int64_t eight;
};

/* Returns the alignment in bytes that C needs to read elements of this dtype: 4 for parts of 12 bytes, 0 for elements below 8 bits. */
static inline size_t dlb_natural_alignment(DLDataType dtype)
{
    const unsigned part = (unsigned)dtype.bits >> (dtype.code == kDLComplex ? 4 : 3);
    const unsigned alignment = part & (0 - part);

    return alignment == 8 ? offsetof(struct dlb_eight_bytes, eight) : alignment;
}

/* Returns whether the dtype meets the requirements. */
static inline int dlb_lists_dtype(const dlb_requirements *require, DLDataType dtype)
{
    for (size_t i = 0; i < require->dtype_count; i++) {
        if (dlb_same_dtype(require->dtypes[i], dtype)) {
            return 1;
        }
    }
    return require->dtype_count == 0 && dtype.bits > 0 && dtype.lanes > 0;
}

/* Returns whether the axes are those of a nonempty row-major array. The outermost axis may have padding if the requirements allow it. */
static inline int dlb_is_row_major(const dlb_requirements *require, const DLTensor *tensor, DLDataType dtype, int32_t ndim)
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
        const int padded = strides[0] > step && shape[0] != 1 && (require->layout & DLB_COMPACT) == 0;

        if (shape[0] <= 0 || (strides[0] != step && !padded) || dlb_multiply_overflows(strides[0], shape[0], &step)) {
            return 0;
        }
    }
    return !dlb_multiply_overflows(step, (int64_t)dtype.bits * dtype.lanes, &step) && dlb_holds_bytes(tensor->data, step / 8);
}

/* Returns whether the axes of a nonempty array meet the requirements, and its strides are already those that imports show. Then the
 * array is used unchanged. */
DLB_API int dlb_is_certain(const dlb_requirements *require, const DLTensor *tensor);

/* Returns 1 if the array can be used unchanged: on the CPU, with a listed dtype, aligned for it, and row-major (checked in one pass) or
 * in another layout that the factory accepts. Returns 0 if the slow path must check the array, or report what is wrong. Does not check
 * whether the array is read-only. */
static inline int dlb_find_fast(const dlb_requirements *require, const DLTensor *tensor)
{
    const int64_t *const shape = tensor->shape;
    const int64_t *const strides = tensor->strides;
    const int32_t ndim = require->min_ndim == require->max_ndim ? require->min_ndim : tensor->ndim;
    const DLDataType dtype = require->dtype_count == 1 ? require->dtypes[0] : tensor->dtype;
    const int row_major = require->order == DLB_ORDER_C && require->strided == 0;

    if (tensor->ndim < require->min_ndim || tensor->ndim > require->max_ndim || tensor->ndim > DLB_MAX_NDIM ||
        shape == NULL || strides == NULL || !dlb_may_hold_array(tensor->data) || tensor->byte_offset != 0 ||
        tensor->device.device_type != kDLCPU || (require->device_count > 0 && require->devices[0] != kDLCPU) ||
        !dlb_lists_dtype(require, tensor->dtype) ||
        dtype.bits % 8 != 0 || ((uintptr_t)tensor->data & (dlb_natural_alignment(dtype) - 1)) != 0) {
        return 0;
    }
    if (require->extents != NULL || require->alignment != 0 || require->copy == DLB_COPY_ALWAYS) {
        return 0;
    }
    if (row_major && DLB_LIKELY(dlb_is_row_major(require, tensor, dtype, ndim))) {
        return 1;
    }
    return (!row_major || (require->layout & (DLB_COMPACT | DLB_INNER_COMPACT)) == 0) && dlb_is_certain(require, tensor);
}

/* Returns whether both arrays are on the same device. */
static inline int dlb_is_on_same_device(const DLTensor *a, const DLTensor *b)
{
    return a->device.device_type == b->device.device_type && a->device.device_id == b->device.device_id;
}

/* Returns whether both arrays have the same data, dtype, shape and strides. The device may differ. */
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

/* Imports an array on the fast path: checks it, makes the object in `box`, describes the object, and compares both arrays. Returns
 * NULL, without a reason, if any of these steps declines. */
static inline void *dlb_make_trivial(const dlb_factory *factory,
                                     int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                     const DLTensor *array, int readonly, void *box)
{
    const dlb_requirements *const require = factory->require;
    const int fixed = require->min_ndim == require->max_ndim;
    int64_t shape[DLB_MAX_NDIM], strides[DLB_MAX_NDIM], axes[2 * DLB_MAX_NDIM];
    dlb_source source;
    DLTensor wanted, tensor;
    dlb_view made;
    void *object;

    DLB_CHECK(return NULL);
    if (DLB_UNLIKELY(!dlb_find_fast(require, array))) {
        return NULL;
    }
    wanted.data = array->data;
    wanted.ndim = fixed ? require->min_ndim : array->ndim;
    wanted.dtype = require->dtype_count == 1 ? require->dtypes[0] : array->dtype;
    wanted.shape = array->shape;
    wanted.strides = array->strides;
    if (fixed) { /* in registers: writing to the object cannot change them */
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
    source.box = memset(box, 0, factory->box);
    source.user = NULL;
    source.params = NULL;
    source.name = NULL;
    source.itself = NULL;
    source.last = (dlb_integer){0, DLB_FITS, NULL};
    source.fault.slot = NULL;
    object = factory->make(&source, NULL);
    if (DLB_UNLIKELY(object == NULL)) {
        return NULL;
    }
    dlb_speculative_begin(&made, 0);
    dlb_view_begin(&made, &tensor, source.ndim, axes, DLB_MAX_NDIM);
    if (DLB_UNLIKELY(describe(object, &made, NULL) != 0 || !dlb_has_same_layout(&tensor, &wanted) ||
                     !dlb_is_on_same_device(&tensor, array))) { /* reads the device of the array itself: no register holds it */
        return NULL;
    }
    return object;
}

/* Calls dlb_make_trivial() as one compiled function that all types share. */
DLB_API void *dlb_make_any_trivial(const dlb_factory *factory,
                                   int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                   const DLTensor *array, int readonly, void *box);

/* Implements `import_fast` of types that import by filling a struct. Inlined with the constants of the type, unless the build optimises
 * for size. */
static inline void *dlb_make_fast(const dlb_factory *factory,
                                  int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                  const DLTensor *array, int readonly, void *box)
{
#if defined(__OPTIMIZE_SIZE__)
    return dlb_make_any_trivial(factory, describe, array, readonly, box);
#else
    return dlb_make_trivial(factory, describe, array, readonly, box);
#endif
}

/* ---- Macros whose arguments are C code of the spec ---- */

/* See dlb_assert.h. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

/* Executes place = value. An integer is read back, and a different value is recorded as a fault: see dlb_source_failed(). `value` is
 * evaluated once. */
#if DLB_HAS_GENERIC
#define DLB_SET(source, place, value)                                                                                  \
    do {                                                                                                               \
        DLB_CLASSIFY_(value);                                                                                          \
        DLB_NARROWING_BEGIN_(place) = DLB_IF_INTEGER_(                                                                 \
            value,                                                                                                     \
            dlb_source_keep((source), DLB_BY_CLASS_(value, dlb_signed, dlb_unsigned, dlb_not_integer)(#value, (value))), \
            (value));                                                                                                  \
        DLB_NARROWING_END_                                                                                             \
        dlb_source_check((source), DLB_WIDEN_(DLB_IF_INTEGER_(value, (place), 0), dlb_signed, dlb_unsigned,            \
                                              dlb_not_integer)(#place, DLB_IF_INTEGER_(value, (place), 0)));           \
    } while (0)
#else
#define DLB_SET(source, place, value)                                                                                  \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(place) = dlb_source_keep((source), DLB_INTEGER(value));                                   \
        DLB_NARROWING_END_                                                                                             \
        dlb_source_check((source), DLB_INTEGER(place));                                                                \
    } while (0)
#endif

/* Do as `place = value` and DLB_SET do, for a const member of a new object. C may initialise such a member, but has no assignment for
 * it: a value of its type is copied there. `place` must have an address: a bit-field has none. */
#if defined(DLB_DECLARED_TYPE_)
#define DLB_ASSIGN_CONST(place, value)                                                                                 \
    do {                                                                                                               \
        DLB_DECLARED_TYPE_(place) dlb_value_ = (value);                                                                \
        DLB_COPY_VALUE_TO_(place);                                                                                     \
    } while (0)
#define DLB_COPY_VALUE_TO_(place) memcpy((void *)(uintptr_t)&(place), (const void *)(uintptr_t)&dlb_value_, sizeof dlb_value_)
#else
#define DLB_ASSIGN_CONST(place, value) DLB_ASSERT_(0, "`const` of `import` needs a compiler with typeof")
#endif
#if !defined(DLB_DECLARED_TYPE_)
#define DLB_SET_CONST(source, place, value) DLB_ASSIGN_CONST(place, value)
#elif DLB_HAS_GENERIC
#define DLB_SET_CONST(source, place, value)                                                                            \
    do {                                                                                                               \
        DLB_CLASSIFY_(value);                                                                                          \
        DLB_NARROWING_BEGIN_ DLB_DECLARED_TYPE_(place) dlb_value_ = DLB_IF_INTEGER_(                                   \
            value,                                                                                                     \
            dlb_source_keep((source), DLB_BY_CLASS_(value, dlb_signed, dlb_unsigned, dlb_not_integer)(#value, (value))), \
            (value));                                                                                                  \
        DLB_NARROWING_END_                                                                                             \
        dlb_source_check((source), DLB_WIDEN_(DLB_IF_INTEGER_(value, dlb_value_, 0), dlb_signed, dlb_unsigned,         \
                                              dlb_not_integer)(#place, DLB_IF_INTEGER_(value, dlb_value_, 0)));        \
        DLB_COPY_VALUE_TO_(place);                                                                                     \
    } while (0)
#else
#define DLB_SET_CONST(source, place, value)                                                                            \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_ DLB_DECLARED_TYPE_(place) dlb_value_ = dlb_source_keep((source), DLB_INTEGER(value));     \
        DLB_NARROWING_END_                                                                                             \
        dlb_source_check((source), DLB_INTEGER_AS(#place, dlb_value_));                                                \
        DLB_COPY_VALUE_TO_(place);                                                                                     \
    } while (0)
#endif

/* ---- The functions of a class that only call the runtime ----
 * `name` is the C name of the class, whose type is NAME_type. `pointer` is the C type of `self`, such as `image_t *`. The header
 * NAME_dlpack.h declares and documents the functions. A class with a state has functions of its own in their place. */

/* Defines NAME_own(). */
#define DLB_DEFINE_OWN(name, pointer)                                                                                  \
    int name##_own(pointer dlb_self_, dlb_owner **dlb_out_, dlb_error *dlb_error_)                                     \
    {                                                                                                                  \
        return dlb_own(&name##_type, dlb_self_, dlb_out_, dlb_error_);                                                 \
    }

/* Defines NAME_to_dlpack(). */
#define DLB_DEFINE_TO_DLPACK(name, pointer)                                                                            \
    int name##_to_dlpack(pointer dlb_self_, DLManagedTensorVersioned **dlb_out_, dlb_error *dlb_error_)                \
    {                                                                                                                  \
        return dlb_to_dlpack(&name##_type, dlb_self_, dlb_out_, dlb_error_);                                           \
    }

/* Defines NAME_to_dlpack(), which makes one-shot exports: see dlb_to_dlpack_fast(). */
#define DLB_DEFINE_TO_DLPACK_FAST(name, pointer, describe, ndim, retain, deleter)                                      \
    DLB_FLATTEN int name##_to_dlpack(pointer dlb_self_, DLManagedTensorVersioned **dlb_out_, dlb_error *dlb_error_)    \
    {                                                                                                                  \
        return dlb_to_dlpack_fast(&name##_type, describe, ndim, retain, deleter, dlb_self_, dlb_out_, dlb_error_);     \
    }

/* Defines the deleter of one-shot exports, which calls `release` with the object. */
#define DLB_DEFINE_ONE_SHOT_DELETER(deleter, release)                                                                  \
    static void deleter(DLManagedTensorVersioned *dlb_managed_)                                                        \
    {                                                                                                                  \
        release(dlb_end_one_shot(dlb_managed_));                                                                       \
    }

/* Defines NAME_to_dlpack_legacy(). */
#define DLB_DEFINE_TO_DLPACK_LEGACY(name, pointer)                                                                     \
    int name##_to_dlpack_legacy(pointer dlb_self_, DLManagedTensor **dlb_out_, dlb_error *dlb_error_)                  \
    {                                                                                                                  \
        return dlb_to_dlpack_legacy(&name##_type, dlb_self_, dlb_out_, dlb_error_);                                    \
    }

/* Defines NAME_view(). */
#define DLB_DEFINE_VIEW(name, pointer)                                                                                 \
    int name##_view(pointer dlb_self_, dlb_view *dlb_out_, dlb_error *dlb_error_)                                      \
    {                                                                                                                  \
        return dlb_describe(&name##_type, dlb_self_, dlb_out_, dlb_error_);                                            \
    }

/* Defines NAME_from_dlpack() and NAME_from_dlpack_legacy() of an import without params. */
#define DLB_DEFINE_FROM_DLPACK(name)                                                                                   \
    int name##_from_dlpack(DLManagedTensorVersioned *dlb_managed_, dlb_owner **dlb_out_, dlb_error *dlb_error_)        \
    {                                                                                                                  \
        return dlb_import(&name##_type, dlb_managed_, dlb_out_, dlb_error_);                                           \
    }                                                                                                                  \
                                                                                                                       \
    int name##_from_dlpack_legacy(DLManagedTensor *dlb_managed_, dlb_owner **dlb_out_, dlb_error *dlb_error_)          \
    {                                                                                                                  \
        return dlb_import_legacy(&name##_type, dlb_managed_, dlb_out_, dlb_error_);                                    \
    }

/* Defines `describe_fast` of a type. The compiler inlines `describe`, which sets `ndim` axes (-1: any number). */
#define DLB_DEFINE_DESCRIBE_FAST(function, describe, ndim)                                                             \
    DLB_FLATTEN static int function(DLTensor *dlb_tensor_, int64_t *dlb_axes_, void *dlb_object_,                      \
                                    dlb_otherwise *dlb_otherwise_)                                                     \
    {                                                                                                                  \
        return dlb_describe_plain(describe, ndim, dlb_tensor_, dlb_axes_, dlb_object_, dlb_otherwise_);                \
    }

/* Defines `import_fast` of a type, given the factory of its import. */
#define DLB_DEFINE_IMPORT_FAST(function, factory, describe)                                                            \
    DLB_FLATTEN static void *function(const DLTensor *dlb_array_, int dlb_readonly_, void *dlb_box_)                   \
    {                                                                                                                  \
        return dlb_make_fast(&factory, describe, dlb_array_, dlb_readonly_, dlb_box_);                                 \
    }

#endif
