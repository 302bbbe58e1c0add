/* SPDX-License-Identifier: MIT-0 */
/* Exports and imports. */
#ifndef DLB_CORE_EXCHANGE_H_
#define DLB_CORE_EXCHANGE_H_

#include "owner.h"

#include <stdlib.h>

/* ---- Descriptions on the fast path ---- */

/* Describes on the fast path. `axes` has space for 2 * dlb_capacity(rank) numbers. Returns the flags without those of the owner. Returns -1
 * if the slow path is needed. */
static inline int dlb_describe_fast(const dlb_owner *owner, DLTensor *tensor, int64_t *axes)
{
    const dlb_type *const type = owner->type;

    return type->describe_fast != NULL ? type->describe_fast(tensor, axes, owner->object, dlb_decline) : -1;
}

/* Results of dlb_describe_exclusive() that are not flags. */
enum { DLB_DECLINED = -1, DLB_NOT_EXCLUSIVE = -2 };

/* Describes into `slot` on the fast path, and counts the export without an atomic step. The caller must know that nobody else uses the
 * holder if it is the only one (with a GIL, the Python object). Returns the flags without those of the owner. DLB_DECLINED: the export is
 * counted, and dlb_export_slow() must describe it. DLB_NOT_EXCLUSIVE: nothing is counted. */
static inline int dlb_describe_exclusive(dlb_owner *owner, DLTensor *slot)
{
    dlb_describe_once *const describe = owner->type->describe_fast;

    if (DLB_UNLIKELY(describe == NULL || dlb_count_read(&owner->state) != DLB_HOLDER)) {
        return DLB_NOT_EXCLUSIVE;
    }
    dlb_count_set(&owner->state, DLB_HOLDER + DLB_EXPORT);
    return describe(slot, owner->slot_axes, owner->object, dlb_decline);
}

/* Returns the owner that contains `axes`, the axes of its borrowed view. */
static inline dlb_owner *dlb_owner_at_axes(int64_t *axes)
{
    return (dlb_owner *)(void *)((char *)axes - offsetof(dlb_owner, axes));
}

/* The parts of a layout that strides in elements cannot express. During the description, such an axis has the stride INT64_MIN +
 * i in the view, and its byte stride is steps[i]: so the axes can still be reversed. Afterwards `steps` are the byte strides of all
 * axes. */
typedef struct dlb_gather {
    bool used;
    bool copying;   /* a copy follows; otherwise only its description is needed */
    bool no_memory; /* for the copy of the table */
    int32_t odd_strides;
    int32_t rows_axis;
    const void **rows; /* a copy of the table, since that of the library may be freed after the description */
    int64_t steps[DLB_MAX_NDIM];
} dlb_gather;

/* Returns `gather`, initialised for a description, or NULL if the type never copies. */
DLB_API dlb_gather *dlb_gather_start(dlb_gather *gather, const dlb_type *type, bool copying);
/* Frees the table of `gather`, which may be NULL. */
DLB_API void dlb_gather_end(dlb_gather *gather);

/* Finishes a view whose extents are checked, whose `gather` is used, and which has elements. The view is compact afterwards.
 * Returns 0, or -1 with `error` filled. */
DLB_API int dlb_gather_finish(dlb_view *view, dlb_error *error);

/* Changes a finished tensor to that of a copy on the CPU, whose data is still missing. */
DLB_API void dlb_show_copy(DLTensor *tensor);

/* Copies the elements of a finished view to a new managed tensor, which the caller owns. `gather` is that of the view; NULL if
 * it was not used. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_copy_view(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                          DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_copy_view_legacy(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                                 DLManagedTensor **out, dlb_error *error);

/* ---- Exports and copies ---- */

/* A managed tensor from malloc() for one export, followed by its axes. */
typedef struct dlb_legacy_block {
    DLManagedTensor managed;
    int64_t axes[];
} dlb_legacy_block;

typedef struct dlb_versioned_block {
    DLManagedTensorVersioned managed;
    int64_t axes[];
} dlb_versioned_block;

/* Describes the object for one export and counts it. Describes into `slot`, the tensor in the owner, if that is free, and sets `*block`
 * to NULL. Otherwise describes into the view; its axes lie in a new `*block`, after `head` bytes. The caller must set `view->gather`.
 * Returns 0, or -1 with `error` filled. */
DLB_API int dlb_describe_export(dlb_owner *owner, DLTensor *slot, size_t head, dlb_view *view, void **block, dlb_error *error);

/* Describe an export that is counted already, on the slow path. `first`: the export has the slot. Return 0, or -1 with `error` filled;
 * then the export is no longer counted. */
DLB_API int dlb_export_slow(dlb_owner *owner, bool first, DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_export_legacy_slow(dlb_owner *owner, bool first, DLManagedTensor **out, dlb_error *error);
/* Makes a borrowed view on the slow path. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_borrow_slow(dlb_owner *owner, DLTensor *out, dlb_error *error);

/* Fill and return the managed tensor of an export that `view` describes: in `block`, or in the slot if `block` is NULL. */
DLB_API DLManagedTensorVersioned *dlb_fill_versioned(dlb_owner *owner, const dlb_view *view, void *block);
DLB_API DLManagedTensor *dlb_fill_legacy(dlb_owner *owner, const dlb_view *view, void *block);

/* The deleters of exports: release the export, and free its block if it has one. */
DLB_API void dlb_delete_legacy_slot(DLManagedTensor *managed);
DLB_API void dlb_delete_legacy_block(DLManagedTensor *managed);
DLB_API void dlb_delete_versioned_slot(DLManagedTensorVersioned *managed);
DLB_API void dlb_delete_versioned_block(DLManagedTensorVersioned *managed);

/* Reports that unversioned tensors cannot mark read-only data; returns -1. */
DLB_API int dlb_no_legacy(const dlb_type *type, dlb_error *error);

/* Export and describe on behalf of owners with hooks. Return 0, or -1 with `error` filled. */
DLB_API int dlb_export_with_hooks(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_export_legacy_with_hooks(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);
DLB_API int dlb_view_with_hooks(dlb_owner *owner, dlb_view *view, dlb_error *error);

/* Describes into the caller's storage. `axes` holds 2 * `capacity` numbers; a greater rank uses the axes of the view. The caller must
 * set `view->tensor`, `view->exporting` and `view->gather`. Returns 0, or -1 with `error` filled. */
static inline int dlb_describe_into(const dlb_type *type, void *object, int64_t *axes, int32_t capacity, dlb_view *view, dlb_error *error)
{
    view->name = type->name;
    view->itself = view;
    dlb_view_begin(view, view->tensor, type->ndim, axes, capacity);
    return type->describe(object, view, error);
}

/* Reports that a handle is not an array; returns -1. */
DLB_API int dlb_no_tensor(const dlb_type *type, dlb_error *error);

/* ---- Imports ---- */

/* Returns the number of bytes that the address of the data must be a multiple of; 0: any address. It is the alignment in the
 * spec, or that of a listed dtype, since C reads such elements. A factory for any dtype checks the alignment itself. */
DLB_API size_t dlb_required_alignment(const dlb_requirements *require, const DLTensor *tensor);
/* Checks rank, dtype and extents against `require`. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_check_request(const dlb_requirements *require, const DLTensor *tensor, const char *name, dlb_error *error);
/* Checks device, read-only flag, layout and alignment of an imported array. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_check_layout(const dlb_requirements *require, const DLTensor *tensor, int readonly, const char *name,
                             dlb_error *error);

/* The `user` argument that a library gets, and with which it releases the memory. */
typedef struct dlb_lease dlb_lease;

/* Makes a lease with two holders: the library and the import. The lease owns `copy`, which may be NULL. Returns NULL with
 * `error` filled if memory runs out. */
DLB_API dlb_lease *dlb_lease_new(const char *name, void *copy, dlb_error *error);
/* Releases the share of the import after a success. The lease owns `keeper` now, which keeps the leased memory alive. */
DLB_API void dlb_lease_grant(dlb_lease *lease, void (*let_go)(void *keeper), void *keeper);
/* Releases the share of the import after a failure. `refused`: the library has taken nothing, so it will not call back. */
DLB_API void dlb_lease_revoke(dlb_lease *lease, bool refused);

/* Elements that DLPack cannot describe: their distances in bytes are not multiples of their size, or they have the other byte order. The
 * tensor has their bytes instead, along one more axis, the last one. Such an array must be copied. */
typedef struct dlb_elements {
    DLDataType dtype; /* 0 bits: the tensor describes the elements themselves */
    bool swapped;     /* they do not have the byte order of this machine */
} dlb_elements;

/* Foreign memory: its tensor, the flags of DLPack, and the keeper, which `let_go(keeper)` releases. */
typedef struct dlb_memory {
    const DLTensor *tensor;
    uint64_t flags;
    void *keeper;
    void (*let_go)(void *keeper);
    dlb_elements elements;
} dlb_memory;

/* Returns whether the tensor has bytes in the place of the elements. */
static inline bool dlb_has_bytes(const dlb_memory *memory)
{
    return memory->elements.dtype.bits != 0;
}

/* Call the deleter of a foreign managed tensor, which is the keeper. Used as `let_go`. */
DLB_API void dlb_end_versioned(void *keeper);
DLB_API void dlb_end_legacy(void *keeper);

/* The result of dlb_receive(). The caller sets `view` and the name in it. Afterwards the view shows the foreign memory or its
 * copy. Its tensor may be that of the foreign memory. */
typedef struct dlb_incoming {
    dlb_view *view;
    int readonly;
    bool copied;
    bool bytewise; /* the strides of the view count bytes, until the array is copied; set only on the slow path */
    bool swapped;  /* the elements have the other byte order, until they are converted; set only on the slow path */
    void *copy;    /* the block of the copy; also NULL if there are no elements */
} dlb_incoming;

/* Returns whether the array meets `require` on the fast path, without changes. Does not check whether it is
 * writable. An array that needs the slow path gives false, although it may meet the requirements too. */
DLB_API bool dlb_is_fast(const dlb_requirements *require, const DLTensor *tensor);

/* Finds the dtype to which elements of the dtype `from` are converted. `swapped`: they have the other byte order, so they are converted even
 * if the dtype is required. Returns false if they are accepted already, or cannot be converted. */
DLB_API bool dlb_find_cast(const dlb_requirements *require, DLDataType from, bool swapped, DLDataType *to);
/* Replaces the data of the view by a copy whose elements have the dtype, compact in the order of `require`. The strides stay. Returns 0, or
 * -1 with `error` filled: a ValueError for an element that the dtype cannot hold. */
DLB_API int dlb_cast_memory(const dlb_requirements *require, DLDataType dtype, dlb_incoming *from, dlb_error *error);

/* Validates a foreign tensor against `require`, and copies it if needed and allowed. On the fast path, the
 * view refers to the foreign tensor itself. Otherwise it has its own tensor, whose offset is added to the data if that is an
 * address. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_receive(const dlb_requirements *require, const dlb_memory *memory, dlb_incoming *from, dlb_error *error);

/* Returns whether the array is writable, or need not be. */
static inline bool dlb_allows(const dlb_requirements *require, int readonly)
{
    return !readonly || (require->layout & DLB_WRITABLE) == 0;
}

/* Makes an object that shows the memory, and an owner of both. `require`: NULL: the requirements of the importer; else stricter ones.
 * Returns 0, or -1 with `error` filled; then the caller still owns the keeper. */
DLB_API int dlb_import_memory(const dlb_type *type, const dlb_requirements *require, const dlb_memory *memory,
                              const void *params, dlb_owner **out, dlb_error *error);

/* Returns the size in bytes of an owner of dlb_import_fast(). */
static inline size_t dlb_fast_size(const dlb_type *type)
{
    return dlb_owner_size(dlb_capacity(type->ndim)) + type->importer->box;
}

/* Imports on the fast path of the type's importer. Uses `storage`, the memory of an earlier owner of this type, or allocates if
 * `storage` is NULL. Frees the storage on failure. Returns NULL, without an error, if memory runs out or if the slow path is
 * needed. */
static inline dlb_owner *dlb_import_fast(const dlb_type *type, const dlb_memory *memory, void *storage)
{
    const uint32_t readonly = (uint32_t)memory->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    const int32_t capacity = dlb_capacity(type->ndim);
    const size_t box_at = dlb_owner_size(capacity);
    dlb_owner *const owner = storage != NULL ? storage : malloc(dlb_fast_size(type));

    if (DLB_UNLIKELY(owner == NULL)) {
        return NULL;
    }
    dlb_owner_begin(owner, type, capacity);
    owner->kept.keeper = memory->keeper;
    owner->kept.let_go = memory->let_go;
    owner->flags = readonly;
    owner->origin = DLB_FROM_FAST_IMPORT;
    owner->object = dlb_allows(type->importer->require, (int)readonly)
                        ? type->import_fast(memory->tensor, (int)readonly, (char *)owner + box_at)
                        : NULL;
    if (DLB_UNLIKELY(owner->object == NULL)) {
        free(owner);
        return NULL;
    }
    return owner;
}

/* Imports on the slow path, which may copy the memory or lease it to the library. Returns NULL with `error` filled on failure. */
DLB_API dlb_owner *dlb_import_slow(const dlb_type *type, const dlb_requirements *require, const dlb_memory *memory,
                                   const void *params, dlb_error *error);

/* A request to a factory. */
typedef struct dlb_request {
    const dlb_type *type;
    const dlb_factory *factory;
    const dlb_requirements *require; /* those of the factory, or stricter ones */
    const DLTensor *tensor;
    int readonly;
    int layout;         /* the object must also show the strides, the data and the device */
    const void *params; /* NULL: the defaults */
    dlb_lease *lease;   /* NULL: the library gets none */
} dlb_request;

/* Makes the object in a new owner, which does not keep foreign memory yet. On failure, returns NULL with `error` filled, and
 * sets `*refused` if the library has not made an object. */
DLB_API dlb_owner *dlb_make(const dlb_request *request, bool *refused, dlb_error *error);

/* Makes a temporary struct for the duration of a call, without an owner. Sets `*object` to a T *; it lies in `box` if the
 * factory fills one. The factory's `destroy` ends it. Returns 0, or -1 with `error` filled. See dlb_can_be_temporary(). */
DLB_API int dlb_make_temporary(const dlb_request *request, void *box, void **object, dlb_error *error);

/* Returns whether objects of the type can exist without an owner, because only the factory knows them. */
static inline bool dlb_can_be_temporary(const dlb_type *type)
{
    const dlb_factory *const importer = type->importer;

    return importer != NULL && type->describe != NULL && !importer->lease && importer->params_size == 0 && dlb_is_trivial_type(type);
}

#endif
