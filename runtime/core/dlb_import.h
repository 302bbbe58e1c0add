/* SPDX-License-Identifier: MIT-0 */
/* From arrays that come in to objects: what the files of imports share, and nobody else sees. */
#ifndef DLB_IMPORT_H_
#define DLB_IMPORT_H_

#include "dlb_internal.h"

/* The bytes of which the data must be a multiple: what is asked for, else where C reads elements of a listed dtype (who takes
 * any dtype looks for itself); 0: any. */
DLB_API size_t dlb_required_alignment(const dlb_maker *maker, const DLTensor *tensor);
/* Checks what `maker` requires of rank, dtype and extents, */
DLB_API int dlb_check_request(const dlb_maker *maker, const DLTensor *tensor, const char *name, dlb_error *error);
/* and, for imports, of device, read-only, layout and alignment. */
DLB_API int dlb_check_layout(const dlb_maker *maker, const DLTensor *tensor, int readonly, const char *name,
                             dlb_error *error);

/* What a library gets as `user`. */
typedef struct dlb_lease dlb_lease;

/* A lease of memory that the library and the import hold. `copy`, which may be NULL, is freed with the lease. */
DLB_API dlb_lease *dlb_lease_new(const char *name, void *copy, dlb_error *error);
/* The import has succeeded and lets go of its half: what the library still needs it for is `keeper`. */
DLB_API void dlb_lease_grant(dlb_lease *lease, void (*let_go)(void *keeper), void *keeper);
/* The import has failed. `refused`: the library has taken nothing, and will not call back if it has not done so yet. */
DLB_API void dlb_lease_revoke(dlb_lease *lease, bool refused);

/* Memory that comes in: what it shows, DLPack's flags, and what keeps it until `let_go(keeper)`. */
typedef struct dlb_memory {
    const DLTensor *tensor;
    uint64_t flags;
    void *keeper;
    void (*let_go)(void *keeper);
} dlb_memory;

/* How the memory of a foreign managed tensor, its keeper, is let go of. */
DLB_API void dlb_end_versioned(void *keeper);
DLB_API void dlb_end_legacy(void *keeper);

/* What becomes of it: the caller gives a view with its name, which then shows the memory or the copy that is used. Its tensor
 * may be that of the memory. */
typedef struct dlb_incoming {
    dlb_view *view;
    int readonly;
    bool copied;
    void *copy; /* the block of the copy; NULL also where there are no elements */
} dlb_incoming;

/* The array meets what `maker` requires as it is, but perhaps in that it is read-only, and nothing in it needs to be settled;
 * false also of what meets it in a way that is not usual. */
DLB_API bool dlb_is_fast(const dlb_maker *maker, const DLTensor *tensor);

/* Checks what a foreign producer wrote, and that it meets what `maker` requires, if need be by a copy. The view shows the
 * memory's tensor itself where that is usual, else one of its own, in which the offset has gone into the data where that is an
 * address. */
DLB_API int dlb_receive(const dlb_maker *maker, const dlb_memory *memory, dlb_incoming *from, dlb_error *error);

/* It is writable where it must be. */
static inline bool dlb_allows(const dlb_maker *maker, int readonly)
{
    return !readonly || (maker->layout & DLB_WRITABLE) == 0;
}

/* Makes an object that shows the memory, and an owner of both, as dlb_import() does; on failure the keeper is the
 * caller's. `maker` is the importer of the type, or one that requires something else. */
DLB_API int dlb_import_memory(const dlb_type *type, const dlb_maker *maker, const dlb_memory *memory,
                              const void *params, dlb_owner **out, dlb_error *error);

/* The memory that an owner of dlb_import_fast() takes. */
static inline size_t dlb_fast_size(const dlb_type *type)
{
    return dlb_owner_size(dlb_capacity(type->ndim)) + type->importer->box;
}

/* The same in one step, by the importer of a type that has such a step: in `room`, which such an owner had, or where that is NULL
 * in memory of its own. NULL, also without room: the memory must be looked at more closely, */
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

/* which may have to be copied or leased. NULL with `error` filled. */
DLB_API dlb_owner *dlb_import_slow(const dlb_type *type, const dlb_maker *maker, const dlb_memory *memory,
                                   const void *params, dlb_error *error);

/* A request to a maker, and what it becomes. */
typedef struct dlb_request {
    const dlb_type *type;
    const dlb_maker *maker;
    const DLTensor *tensor;
    int readonly;
    int layout;         /* the object must show strides, data and device too */
    const void *params; /* NULL: the defaults */
    dlb_lease *lease;   /* NULL: the library gets none */
} dlb_request;

/* Makes the object in a new owner, which does not hold anything foreign yet. `*refused`: on failure, the library has not
 * made anything. */
DLB_API dlb_owner *dlb_make(const dlb_request *request, bool *refused, dlb_error *error);

/* The same without an owner, for the time of a call, for types that can be lent: a T * in `*object`, in `box` where the
 * maker fills one. The maker's `destroy` ends it. */
DLB_API int dlb_make_temporary(const dlb_request *request, void *box, void **object, dlb_error *error);

/* Objects of the type can live without an owner: nothing but the maker knows of them. */
static inline bool dlb_can_be_temporary(const dlb_type *type)
{
    const dlb_maker *const maker = type->importer;

    return maker != NULL && type->describe != NULL && !maker->lease && maker->params_size == 0 && dlb_is_plain_type(type);
}

#endif
