/* SPDX-License-Identifier: MIT-0 */
/* What the files of the runtime share and nobody else sees. */
#ifndef DLB_INTERNAL_H_
#define DLB_INTERNAL_H_

#include "dlb_describe.h"
#include "dlb_platform.h"

/* One machine word counts everything that keeps an owner alive, so that each step is one atomic operation:
 * bit 0: the owner's own managed tensor is in use; bits 1 to 31: holders; bits 32 to 63: living exports. */
#define DLB_SLOT UINT64_C(1)
#define DLB_HOLDER UINT64_C(2)
#define DLB_EXPORT (UINT64_C(1) << 32)

/* The version that this runtime implements, whatever the header says (DLPack: version negotiation). */
enum { DLB_VERSION_MAJOR = 1, DLB_VERSION_MINOR = 3 };

/* The axes that an owner has room for when its rank is known only at run time. */
enum { DLB_USUAL_NDIM = 8 };

/* Copies start at a multiple of this many bytes: JAX copies anything less aligned. */
enum { DLB_COPY_ALIGNMENT = 64 };

struct dlb_owner {
    dlb_count state;
    const dlb_type *type;
    void *object;
    void (*release)(void *object); /* how the object goes; NULL: it is not ours */
    void (*let_go)(void *keeper);  /* then what kept it alive: a foreign managed tensor, a Python object */
    void *keeper;
    uint64_t flags;   /* of every export, beside those of the description */
    int32_t capacity; /* axes of the slot */
    union {
        DLManagedTensor legacy;
        DLManagedTensorVersioned versioned;
    } slot;
    int64_t axes[]; /* 2 * capacity; then the box, if there is one */
};

/* An owner with room for `box` zeroed bytes, which then are its object; nothing is retained. NULL: no memory. */
DLB_API dlb_owner *dlb_owner_new(const dlb_type *type, size_t box, dlb_error *error);

/* Ends an owner that nobody else knows, and leaves the object to the caller. */
DLB_API void dlb_owner_disown(dlb_owner *owner);

/* Describes into storage of the caller's: `axes` holds 2 * `capacity` numbers; the view's own for a greater rank. */
DLB_API int dlb_describe_into(const dlb_type *type, void *object, int64_t *axes, int32_t capacity, dlb_view *view,
                              dlb_error *error);

/* Reports the fault of a view that has one. */
DLB_API int dlb_view_fault(const dlb_view *view, dlb_error *error);

/* The number of elements, for an array whose checks have passed. */
DLB_API int64_t dlb_element_count(const DLTensor *tensor);

/* The bytes of that many elements; packed below eight bits. */
static inline int64_t dlb_nbytes(DLDataType dtype, int64_t count)
{
    const int64_t bits = (int64_t)dtype.bits * dtype.lanes;

    return bits % 8 == 0 ? count * (bits / 8) : (count * bits + 7) / 8;
}

/* The extents of anybody's tensor are not negative, and their bytes fit in 63 bits. `what` starts the message. */
DLB_API int dlb_check_extents(const DLTensor *tensor, const char *what, int64_t *count, dlb_error *error);
/* The strides of a tensor with elements lead nowhere that has no address. */
DLB_API int dlb_check_span(const DLTensor *tensor, const char *what, dlb_error *error);

/* The elements follow each other without gaps, as `order` says; axes of extent 1 do not matter. */
DLB_API int dlb_is_compact(const DLTensor *tensor, dlb_order order);

/* Gives axes of extent 1 or less, and all axes of empty arrays, the stride that they would have if compact. */
DLB_API void dlb_normalise_strides(DLTensor *tensor, dlb_order order);

/* Checks what `maker` requires of rank, dtype and extents, */
DLB_API int dlb_check_request(const dlb_maker *maker, const DLTensor *tensor, const char *name, dlb_error *error);
/* and, for imports, of device, read-only, layout and alignment. */
DLB_API int dlb_check_layout(const dlb_maker *maker, const DLTensor *tensor, int readonly, const char *name,
                             dlb_error *error);

/* The device is one whose memory the CPU reads like its own. */
static inline int dlb_host_readable(DLDeviceType type)
{
    return type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost || type == kDLCUDAManaged;
}

/* The name of a dtype in the spec language ("float32"), written into `text` where it has none. */
enum { DLB_NAME_TEXT = 40 };
DLB_API const char *dlb_dtype_name(DLDataType dtype, char text[DLB_NAME_TEXT]);
/* 0 and `*dtype`, or -1 for a name that there is not. */
DLB_API int dlb_dtype_from_name(const char *name, DLDataType *dtype);
/* The name of a device type ("cpu"), or "device 99". */
DLB_API const char *dlb_device_name(DLDeviceType type, char text[DLB_NAME_TEXT]);

#endif
