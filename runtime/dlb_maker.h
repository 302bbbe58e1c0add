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
    size_t alignment; /* of the data, in bytes; 0: any */
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
    void *user;         /* the lease */
    const void *params; /* of the import */
    const int64_t *strides; /* in elements; not beside `shape`: compilers would copy both at once, which is slower */
    const char *name;
    dlb_integer last; /* the integer that DLB_SET is storing */
    dlb_fault fault;
    int64_t axes[2 * DLB_MAX_NDIM]; /* of makers that see the axes in another order */
    int64_t byte_strides[DLB_MAX_NDIM];
};

/* The strides in bytes. */
DLB_API const int64_t *dlb_compute_byte_strides(dlb_source *source);

static inline const int64_t *dlb_byte_strides(dlb_source *source)
{
    const int of_bytes = source->dtype.bits == 8 && source->dtype.lanes == 1;

    return of_bytes ? source->strides : dlb_compute_byte_strides(source);
}

/* The bytes of all elements, without gaps. */
DLB_API int64_t dlb_source_nbytes(const dlb_source *source);

/* The last value did not fit in `place`, `text` being what it was; the first one stays. */
DLB_API DLB_COLD void dlb_source_note(dlb_source *source, const char *place, const char *text);

static inline int64_t dlb_source_keep(dlb_source *source, dlb_integer value)
{
    source->last = value;
    return value.value;
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

/* Nonzero, with `error` filled, when a value did not fit where DLB_SET put it. */
DLB_API int dlb_source_failed(const dlb_source *source, dlb_error *error);

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

#endif
