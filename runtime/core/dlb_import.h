/* SPDX-License-Identifier: MIT-0 */
/* Declarations for imports, which make objects from arrays. Only the files of the runtime include this header. */
#ifndef DLB_IMPORT_H_
#define DLB_IMPORT_H_

#include "dlb_internal.h"

/* Returns the number of bytes that the address of the data must be a multiple of; 0: any address. It is the alignment in the
 * spec, or that of a listed dtype, since C reads such elements. A factory for any dtype checks the alignment itself. */
DLB_API size_t dlb_required_alignment(const dlb_maker *maker, const DLTensor *tensor);
/* Checks rank, dtype and extents against the requirements of `maker`. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_check_request(const dlb_maker *maker, const DLTensor *tensor, const char *name, dlb_error *error);
/* Checks device, read-only flag, layout and alignment of an imported array. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_check_layout(const dlb_maker *maker, const DLTensor *tensor, int readonly, const char *name,
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

/* Foreign memory: its tensor, the flags of DLPack, and the keeper, which `let_go(keeper)` releases. */
typedef struct dlb_memory {
    const DLTensor *tensor;
    uint64_t flags;
    void *keeper;
    void (*let_go)(void *keeper);
} dlb_memory;

/* Call the deleter of a foreign managed tensor, which is the keeper. Used as `let_go`. */
DLB_API void dlb_end_versioned(void *keeper);
DLB_API void dlb_end_legacy(void *keeper);

/* The result of dlb_receive(). The caller sets `view` and the name in it. Afterwards the view shows the foreign memory or its
 * copy. Its tensor may be that of the foreign memory. */
typedef struct dlb_incoming {
    dlb_view *view;
    int readonly;
    bool copied;
    void *copy; /* the block of the copy; also NULL if there are no elements */
} dlb_incoming;

/* Returns whether the array meets the requirements of `maker` on the fast path, without changes. Does not check whether it is
 * writable. An array that needs the slow path gives false, although it may meet the requirements too. */
DLB_API bool dlb_is_fast(const dlb_maker *maker, const DLTensor *tensor);

/* Validates a foreign tensor against the requirements of `maker`, and copies it if needed and allowed. On the fast path, the
 * view refers to the foreign tensor itself. Otherwise it has its own tensor, whose offset is added to the data if that is an
 * address. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_receive(const dlb_maker *maker, const dlb_memory *memory, dlb_incoming *from, dlb_error *error);

/* Returns whether the array is writable, or need not be. */
static inline bool dlb_allows(const dlb_maker *maker, int readonly)
{
    return !readonly || (maker->layout & DLB_WRITABLE) == 0;
}

/* Makes an object that shows the memory, and an owner of both. `maker` is the importer of the type, or a factory with other
 * requirements. Returns 0, or -1 with `error` filled; then the caller still owns the keeper. */
DLB_API int dlb_import_memory(const dlb_type *type, const dlb_maker *maker, const dlb_memory *memory,
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
    owner->foreign = true;
    owner->fast = true;
    owner->object = dlb_allows(type->importer, (int)readonly)
                        ? type->import_fast(memory->tensor, (int)readonly, (char *)owner + box_at)
                        : NULL;
    if (DLB_UNLIKELY(owner->object == NULL)) {
        free(owner);
        return NULL;
    }
    return owner;
}

/* Imports on the slow path, which may copy the memory or lease it to the library. Returns NULL with `error` filled on failure. */
DLB_API dlb_owner *dlb_import_slow(const dlb_type *type, const dlb_maker *maker, const dlb_memory *memory,
                                   const void *params, dlb_error *error);

/* A request to a factory. */
typedef struct dlb_request {
    const dlb_type *type;
    const dlb_maker *maker;
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
    const dlb_maker *const maker = type->importer;

    return maker != NULL && type->describe != NULL && !maker->lease && maker->params_size == 0 && dlb_is_trivial_type(type);
}

#endif
