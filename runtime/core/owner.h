/* SPDX-License-Identifier: MIT-0 */
/* Owners, and what they keep alive. */
#ifndef DLB_CORE_OWNER_H_
#define DLB_CORE_OWNER_H_

#include "tensor.h"

#include <stdlib.h>

/* `state` of an owner counts its living exports in bits 0 to 31, and its holders in bits 32 to 63. Both counts share one word, so that
 * each step is one atomic operation. The first living export uses the slot, which is the managed tensor in the owner. The slot is free
 * again when no export lives. */
#define DLB_EXPORT UINT64_C(1)
#define DLB_HOLDER (UINT64_C(1) << 32)

/* The list of owners that other threads released, and that the creating thread must finish. */
typedef struct dlb_mailbox dlb_mailbox;

/* The state of owners with hooks: types with an access scope, types that copy, and types with `release_on: creator`. */
typedef struct dlb_hook_state {
    dlb_count lock;       /* protects the counts, and serialises `acquire`, `after_write` and `restore` */
    int64_t living;       /* living exports, and descriptions in progress */
    int64_t writing;      /* living exports that may write */
    dlb_mailbox *creator; /* the mailbox of the creating thread; NULL: any thread may finish the owner */
    dlb_owner *next;      /* the next owner in that mailbox */
} dlb_hook_state;

/* A node in the list of destructions that this thread has deferred. */
typedef struct dlb_deferred {
    struct dlb_deferred *next;
    void (*end)(void *what);
    void *what;
} dlb_deferred;

/* Calls end(what), now or later on this thread. `end` may call this function for its own dependencies. If too many calls are nested, the
 * destruction is deferred, and the list uses `storage` as its node. `storage` must stay valid until `end` runs, which may free it. */
DLB_API void dlb_destroy_or_defer(void (*end)(void *what), void *what, dlb_deferred *storage);

/* The kind of an entry in the list of things that an owner keeps alive. The list has wrappers first, then dependencies, and ends with one
 * entry of the first three kinds. The keeper of every other entry begins with the next entry. */
typedef enum dlb_kept_kind {
    DLB_KEPT_MEMORY = 0, /* the memory that an import shows: a foreign tensor, a Python object, an export of an owner; or nothing */
    DLB_KEPT_WHOLE,      /* the owner of the object that contains this one */
    DLB_KEPT_SIBLING,    /* an owner whose object does not contain this one */
    DLB_KEPT_WRAPPER,    /* a Python object, or strings */
    DLB_KEPT_GUARD,      /* a wrapper of the Python layer that releases the object with the GIL */
    /* Dependencies, which are owners. The kind also tells about all entries behind it. */
    DLB_KEPT_DEPENDENCY,  /* none can be replaced */
    DLB_KEPT_REPLACEABLE, /* at least one has a setter, so a later call may replace it */
    DLB_KEPT_MOVABLE      /* at least one of those with a setter belongs to a target inside the object */
} dlb_kept_kind;

/* An entry of that list: a reference that `let_go(keeper)` releases. If `let_go` is NULL, there is none. */
typedef struct dlb_kept {
    void (*let_go)(void *keeper);
    void *keeper;
    dlb_kept_kind kind;
} dlb_kept;

/* Where the object of an owner comes from. */
typedef enum dlb_origin {
    DLB_FROM_LIBRARY = 0,
    DLB_FROM_IMPORT,      /* the object shows memory that the owner keeps, and that the library does not own */
    DLB_FROM_FAST_IMPORT, /* the same, made by dlb_import_fast(), which can reuse the memory of this owner */
    DLB_FROM_WHOLE,       /* the object lies in that of another owner, or the library owns it for good */
    DLB_FROM_SAME,        /* it is the object of another owner */
    DLB_FROM_LEASE        /* the library has foreign memory, which it releases with a lease */
} dlb_origin;

/* Whether C declares the struct of an owner to be const. */
typedef enum dlb_constness {
    DLB_NOT_CONST = 0,
    DLB_CONST,          /* the struct, or the object that contains it */
    DLB_CONST_AND_FIXED /* the same, and the memory is read-only for another reason too */
} dlb_constness;

/* An owner: keeps an object alive for its holders and exports. */
struct dlb_owner {
    dlb_count state;
    const dlb_type *type;
    void *object;                  /* the argument of the functions of the type */
    void (*release)(void *object); /* releases the object; NULL: the owner does not own it */
    dlb_kept kept;                 /* the first entry of the list, which is released after the object */
    dlb_hook_state *hooks;         /* NULL for most tensors, so that an export needs only this test */
    uint32_t flags;                /* flags of every export, in addition to those of the description */
    int32_t capacity;              /* the number of axes that the slot can hold */
    dlb_origin origin;
    dlb_constness constness;
    int64_t *slot_axes;            /* in `axes`, after those of borrowed views */
    union {
        DLManagedTensor legacy;
        DLManagedTensorVersioned versioned;
        dlb_deferred deferred; /* used while the owner is finished */
    } slot;
    int64_t axes[]; /* 2 * capacity numbers for borrowed views, 2 * capacity for the slot; then hook state, state and box, if any */
};

/* ---- Owners ---- */

/* Returns the pointer at the start of `state`, whatever its type is. */
static inline void *dlb_first_member(const void *state)
{
    void *pointer;

    memcpy(&pointer, state, sizeof pointer);
    return pointer;
}

/* Returns whether only the creating thread may finish the owner. */
static inline bool dlb_has_creator(const dlb_owner *owner)
{
    return owner->hooks != NULL && owner->hooks->creator != NULL;
}

/* Returns the T * of the object of an owner of `type`. */
static inline void *dlb_object_of(const dlb_type *type, const dlb_owner *owner)
{
    return type->state == 0 || type->value > 0 ? owner->object : dlb_first_member(owner->object);
}

/* Returns whether an object to own is missing: `object`, the pointer in its state, or a T that is itself a pointer, is NULL. */
static inline bool dlb_is_null(const dlb_type *type, const void *object)
{
    const bool holds_pointer = type->value > 0 ? type->points : type->state > 0;

    return object == NULL || (holds_pointer && dlb_first_member(object) == NULL);
}

/* Returns the parameter of `whole` that its parts inherit as `param`: name, C type and size are equal. NULL: there is none. */
DLB_API const dlb_param *dlb_inherited(const dlb_type *whole, const dlb_param *param);

/* Allocates an owner without an object. If the type has a state, the object is that state, zeroed. Sets `*box` to `box_size` more zeroed
 * bytes, or to NULL for none. Returns NULL with `error` filled if memory runs out. */
DLB_API dlb_owner *dlb_owner_new(const dlb_type *type, size_t box_size, void **box, dlb_error *error);

/* Rounds up to 16 bytes, which is enough for every type that fits memory of malloc(). Storage after the axes is aligned so. */
static inline size_t dlb_aligned(size_t size)
{
    return (size + 15) / 16 * 16;
}

/* Returns the size of an owner and its axes, in bytes. */
static inline size_t dlb_owner_size(int32_t capacity)
{
    return dlb_aligned(sizeof(dlb_owner)) + 4 * sizeof(int64_t) * (size_t)capacity;
}

/* Initialises an owner with one holder and no object. */
static inline void dlb_owner_begin(dlb_owner *owner, const dlb_type *type, int32_t capacity)
{
    dlb_count_start(&owner->state, DLB_HOLDER);
    owner->type = type;
    owner->object = NULL;
    owner->release = NULL;
    owner->kept.let_go = NULL;
    owner->kept.kind = DLB_KEPT_MEMORY;
    owner->hooks = NULL;
    owner->flags = 0;
    owner->capacity = capacity;
    owner->slot_axes = owner->axes + 2 * capacity;
    owner->origin = DLB_FROM_LIBRARY;
    owner->constness = DLB_NOT_CONST;
}

/* Allocates an owner of `size` bytes, uninitialised after its axes. Returns NULL with `error` filled if memory runs out. */
static inline dlb_owner *dlb_owner_alloc(const dlb_type *type, int32_t capacity, size_t size, dlb_error *error)
{
    dlb_owner *const owner = malloc(size);

    if (DLB_UNLIKELY(owner == NULL)) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for its owner", type->name);
        return NULL;
    }
    dlb_owner_begin(owner, type, capacity);
    return owner;
}

/* Stores `object` in the owner: a T *, or the address of a T that is passed by value. */
DLB_API void dlb_owner_set_object(dlb_owner *owner, void *object);

/* Finishes the owner after its last share is released, or leaves it to its creator. */
DLB_API void dlb_owner_end(dlb_owner *owner);

/* Returns the number of holders: Python objects, C programs, subobjects, calls in progress. */
static inline int64_t dlb_owner_holders(const dlb_owner *owner)
{
    return (int64_t)(dlb_count_read(&owner->state) / DLB_HOLDER);
}

/* Makes `owner`, which no other code uses yet, a subobject of `whole`, and keeps `whole` alive. */
DLB_API void dlb_owner_set_whole(dlb_owner *owner, dlb_owner *whole);
/* Records that C declares the object const. The data is read-only then, unless the type declares whether it is. */
DLB_API void dlb_owner_set_const(dlb_owner *owner);
/* Returns the owner whose object contains this one. Returns NULL if there is none, or if the owner also keeps dependencies or strings. */
DLB_API dlb_owner *dlb_owner_whole(const dlb_owner *owner);

/* Makes `owner`, which no other code uses yet, keep `other` alive as its first dependency. */
DLB_API void dlb_owner_depend_on(dlb_owner *owner, dlb_owner *other);
/* Adds `other` and its dependencies to those of `owner`, even if `other` drops them later. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_owner_add_dependency(dlb_owner *owner, dlb_owner *other, dlb_error *error);
/* Adds `others` and their dependencies to those of the storage owner of `owner`. `setter` identifies the function that stores them:
 * dlb_owner_forget() can drop the dependencies that it added earlier. If it is NULL, they stay. Only one thread at a time may call this.
 * Returns 0, or -1 with `error` filled; some of `others` may be kept then. */
DLB_API int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *setter, dlb_error *error);
/* Makes `owner`, a subobject of `whole`, keep the dependencies of `whole`, even if `whole` drops them later. Returns 0, or -1. */
DLB_API int dlb_owner_copy_dependencies(dlb_owner *owner, dlb_owner *whole, dlb_error *error);
/* Returns the dependency of `whole` whose object is `object`, or `whole` if there is none. */
DLB_API dlb_owner *dlb_owner_of_kept(dlb_owner *whole, const void *object);
/* Keeps all dependencies of targets inside the object from now on: C may have moved these targets, so their addresses say nothing. */
DLB_API void dlb_owner_mark_moved(dlb_owner *owner);
/* Transfers an object to the library: its dependencies live as long as `recipient`, and so does its block if the object lies there. They
 * live forever if `recipient` is NULL, or if only the library knows when its object is destroyed. */
DLB_API void dlb_owner_transfer_dependencies(dlb_owner *owner, dlb_owner *recipient);
/* Drops the dependencies of the object that `setter` added before its most recent call. */
DLB_API void dlb_owner_forget(dlb_owner *owner, const void *setter);
/* Returns whether the memory of the elements is freed with the owner. False if it belongs to another object, to an array or to the
 * library. */
DLB_API bool dlb_owner_owns_elements(const dlb_owner *owner);
/* Returns the single dependency of `owner`. If it has none, or several, returns `owner`, which keeps everything that the object needs. */
DLB_API dlb_owner *dlb_owner_only_dependency(dlb_owner *owner);

/* Returns whether the object is a subobject, or belongs to the library for good. */
DLB_API bool dlb_owner_is_subobject(const dlb_owner *owner);

/* Releases `share`. Returns whether it was the last one: then the caller must end the owner. The last holder needs no atomic step. */
static inline bool dlb_owner_gave_last(dlb_owner *owner, uint64_t share)
{
    const uint64_t before = dlb_count_read(&owner->state);

    if (before == share) {
        return true;
    }
    if (DLB_ONE_THREAD) {
        dlb_count_set(&owner->state, before - share);
        return false;
    }
    return dlb_count_subtract(&owner->state, share) == 0;
}

/* Releases `share`, and ends the owner if it was the last one. */
static inline void dlb_owner_give_back(dlb_owner *owner, uint64_t share)
{
    if (dlb_owner_gave_last(owner, share)) {
        dlb_owner_end(owner);
    }
}

/* A `release` that does nothing: the object is destroyed already. */
DLB_API void dlb_release_nothing(void *object);

/* Records that the object is destroyed, and must not be released. */
static inline void dlb_owner_close(dlb_owner *owner)
{
    owner->release = dlb_release_nothing;
}

static inline bool dlb_owner_is_closed(const dlb_owner *owner)
{
    return owner->release == dlb_release_nothing;
}

/* Returns whether the object shows memory that the library does not own. */
static inline bool dlb_owner_is_imported(const dlb_owner *owner)
{
    return owner->origin == DLB_FROM_IMPORT || owner->origin == DLB_FROM_FAST_IMPORT;
}

/* Releases the object and frees the owner. Deeply nested dependencies are destroyed later (dlb_destroy_or_defer()). */
DLB_API void dlb_owner_finish(dlb_owner *owner);

/* Releases the object and its dependencies at once, for callers that limit the depth themselves. The caller must disown the owner next. */
static inline void dlb_owner_empty(const dlb_owner *owner)
{
    DLB_CHECK(dlb_checked_release(owner, owner->release != NULL && !dlb_owner_is_closed(owner)));
    if (owner->release != NULL) {
        owner->release(owner->object);
    }
    DLB_CHECK(dlb_checked_released(owner));
    if (owner->kept.let_go != NULL) {
        owner->kept.let_go(owner->kept.keeper);
    }
}

/* Releases the export of `owner` that another owner keeps. Used as `let_go`. */
DLB_API void dlb_owner_end_export(void *owner);

/* Frees an owner that no other code uses, without releasing its object. */
DLB_API void dlb_owner_free(dlb_owner *owner);

/* ---- Owners that finish on the thread that made them (release_on: creator) ---- */

/* Makes this thread the creator of the owner, and finishes owners in its mailbox. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_creator_enlist(dlb_owner *owner, dlb_error *error);
/* Puts the owner into the mailbox of its creator, and returns 1. Returns 0 if this thread may finish it. */
DLB_API int dlb_creator_defer(dlb_owner *owner);
/* Removes a finished owner from the count of its creator. The last one frees the mailbox. */
DLB_API void dlb_creator_retire(dlb_hook_state *hooks);
/* Finishes all owners in the mailbox of this thread. */
DLB_API void dlb_creator_collect(void);

/* ---- Access scopes (acquire, restore, after_write) ---- */

/* Enters the access scope for one description or export. Acquires the object if it is the first. Each success needs one
 * dlb_access_end(). Returns 0, or -1 with `error` filled. */
DLB_API int dlb_access_begin(dlb_owner *owner, dlb_error *error);
/* Counts an export that may write. Its dlb_access_end() must pass `writing`. */
DLB_API void dlb_access_write(dlb_owner *owner);
/* Leaves the access scope once. `writing`: dlb_access_write() counted the export. */
DLB_API void dlb_access_end(dlb_owner *owner, bool writing);

/* Returns whether the type runs code around exports. */
static inline bool dlb_has_access_scope(const dlb_type *type)
{
    return type->acquire != NULL || type->restore != NULL || type->after_write != NULL;
}

/* Returns whether reading or destroying an object of the type may run hooks or finish other owners. Its owners have a hook state. */
static inline bool dlb_has_hooks(const dlb_type *type)
{
    return dlb_has_access_scope(type) || type->copy != DLB_COPY_NEVER || type->release_on == DLB_RELEASE_CREATOR;
}

/* The hook state of all handles without hooks: `hooks` is not NULL, so that exports leave the fast path and fail. Never written. */
DLB_API extern dlb_hook_state dlb_hook_state_of_handles;

/* Return the offsets in bytes of the state and of the box in an owner of that type. */
static inline size_t dlb_owner_state_at(const dlb_type *type)
{
    return dlb_owner_size(dlb_capacity(type->ndim)) + (dlb_has_hooks(type) ? dlb_aligned(sizeof(dlb_hook_state)) : 0);
}

static inline size_t dlb_owner_box_at(const dlb_type *type)
{
    return dlb_owner_state_at(type) + dlb_aligned(type->state);
}

/* Returns whether the type is trivial: its owners only refer to the object. */
static inline bool dlb_is_trivial_type(const dlb_type *type)
{
    return ((uintptr_t)type->hold | (uintptr_t)type->clone | (uintptr_t)type->acquire | (uintptr_t)type->restore |
            (uintptr_t)type->after_write | type->state | (uintptr_t)type->copy | (uintptr_t)type->release_on) == 0;
}

/* ---- Dependencies: a list of owners, and at its end the owner or the memory that the object comes from ---- */

/* An owner that another owner keeps alive. */
typedef struct dependency {
    dlb_kept next;      /* the next dependency, or the end of the list */
    dlb_owner *other;
    const void *setter; /* the function whose later calls may replace this; NULL: none */
    const void *target; /* the object that the setter was called with: its address, or the storage owner for the object of that owner */
    bool replaced;      /* the setter was called again, so dlb_owner_forget() drops this */
} dependency;

/* Release one owner, or a whole list of dependencies. Used as `let_go`. */
DLB_API void dlb_drop_kept(void *keeper);
DLB_API void dlb_drop_dependency(void *keeper);

/* Returns whether an entry wraps the entries behind it. */
static inline bool is_wrapper(const dlb_kept *kept)
{
    return kept->kind == DLB_KEPT_WRAPPER || kept->kind == DLB_KEPT_GUARD;
}

/* Returns the start of the dependencies, after the wrappers. */
static inline dlb_kept *chain_of(dlb_owner *owner)
{
    dlb_kept *kept = &owner->kept;

    while (is_wrapper(kept)) {
        kept = kept->keeper;
    }
    return kept;
}

/* Returns the start of the dependencies of an owner that must not be changed. */
static inline dlb_kept kept_by(const dlb_owner *owner)
{
    const dlb_kept *kept = &owner->kept;

    while (is_wrapper(kept)) {
        kept = kept->keeper;
    }
    return *kept;
}

/* Returns whether a guard releases the object. */
static inline bool is_guarded(const dlb_owner *owner)
{
    const dlb_kept *kept = &owner->kept;

    while (kept->kind == DLB_KEPT_WRAPPER) {
        kept = kept->keeper;
    }
    return kept->kind == DLB_KEPT_GUARD;
}

/* Returns the dependency that `kept` refers to, or NULL if `kept` is the end of the list. */
static inline dependency *dependency_in(dlb_kept kept)
{
    return kept.kind >= DLB_KEPT_DEPENDENCY ? kept.keeper : NULL;
}

/* Return the first dependency of an owner, and the next one in its list. Return NULL if there is none. */
static inline dependency *first_of(const dlb_owner *owner)
{
    return dependency_in(kept_by(owner));
}

static inline dependency *next_of(const dependency *kept)
{
    return dependency_in(kept->next);
}

/* Returns the last entry of the list: what the owner releases last. */
static inline dlb_kept end_of(const dlb_owner *owner)
{
    dlb_kept kept = kept_by(owner);

    while (DLB_UNLIKELY(kept.kind >= DLB_KEPT_DEPENDENCY)) {
        kept = ((const dependency *)kept.keeper)->next;
    }
    return kept;
}

/* Returns the owner at the end of the list: that of the object that contains this one, or a sibling. Returns NULL if the list does not
 * end with an owner. */
static inline dlb_owner *base_of(const dlb_owner *owner)
{
    const dlb_kept end = end_of(owner);

    return end.kind != DLB_KEPT_MEMORY ? end.keeper : NULL;
}

/* Returns the owner of the object that contains this one, or NULL if there is none. */
static inline dlb_owner *whole_of(const dlb_owner *owner)
{
    const dlb_kept end = end_of(owner);

    return end.kind == DLB_KEPT_WHOLE ? end.keeper : NULL;
}

/* Returns the owner of the memory that contains the object. Subobjects follow `whole_of` to it. */
static inline dlb_owner *storage_owner_of(dlb_owner *owner)
{
    while (owner->release == NULL && !is_guarded(owner) && whole_of(owner) != NULL) {
        owner = whole_of(owner);
    }
    return owner;
}

/* Returns whether the object is a struct in the block of its owner. */
static inline bool lies_in_block(const dlb_owner *owner)
{
    return dlb_owner_object(owner) == (void *)((char *)(uintptr_t)owner + dlb_owner_box_at(owner->type));
}

/* Returns the reference that the owner releases last: that to the owner of the containing object, or to the memory that the
 * object was made from. */
DLB_API dlb_kept dlb_owner_source(const dlb_owner *owner);
/* Returns whether the owner has `object`, in the form that functions of `type` take: an equal address, or equal bytes for
 * structs by value. */
DLB_API bool dlb_owner_has_object(const dlb_owner *owner, const dlb_type *type, const void *object);
/* Returns whether the object lies in the block of the owner. */
DLB_API bool dlb_owner_stores_object(const dlb_owner *owner);
/* Returns whether an import made the object, in storage of its own: the library does not know it, and must not release it. */
DLB_API bool dlb_owner_made_object(const dlb_owner *owner);
/* Finds an owner for which `is_wanted(owner, what)` is true: `owner`, or one that it keeps, directly or indirectly. Returns
 * NULL if there is none. After 256 owners it returns the next one, wanted or not: keeping that one also keeps its dependencies. */
DLB_API dlb_owner *dlb_owner_find(dlb_owner *owner, bool (*is_wanted)(const dlb_owner *owner, const void *what),
                                  const void *what);
/* Finds the owner, as dlb_owner_find() does, whose struct an import made and which has `object`. Returns NULL if there is none. */
DLB_API dlb_owner *dlb_owner_of_made(dlb_owner *owner, const dlb_type *type, const void *object);

#endif
