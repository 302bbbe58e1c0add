/* SPDX-License-Identifier: MIT-0 */
/* Declarations that the files of the runtime share. Generated files do not include this header. */
#ifndef DLB_INTERNAL_H_
#define DLB_INTERNAL_H_

#include "dlb_describe.h"
#include "dlb_platform.h"
#include "dlb_tensor.h"

#include <stdlib.h>

/* `state` of an owner counts its living exports in bits 0 to 31, and its holders in bits 32 to 63. Both counts share one word, so that
 * each step is one atomic operation. The first living export uses the slot, which is the managed tensor in the owner. The slot is free
 * again when no export lives. */
#define DLB_EXPORT UINT64_C(1)
#define DLB_HOLDER (UINT64_C(1) << 32)

/* Copies are aligned to this many bytes: JAX copies arrays with a smaller alignment. */
enum { DLB_COPY_ALIGNMENT = 64 };

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

/* A reference that `let_go(keeper)` releases. If `let_go` is NULL, there is none. */
typedef struct dlb_kept {
    void (*let_go)(void *keeper);
    void *keeper;
} dlb_kept;

/* An owner: keeps an object alive for its holders and exports. */
struct dlb_owner {
    dlb_count state;
    const dlb_type *type;
    void *object;                  /* the argument of the functions of the type */
    void (*release)(void *object); /* releases the object; NULL: the owner does not own it */
    dlb_kept kept;                 /* released after the object: a foreign tensor, a Python object, an owner, or an export of one */
    dlb_hook_state *hooks;         /* NULL for most tensors, so that an export needs only this test */
    uint32_t flags;                /* flags of every export, in addition to those of the description */
    int32_t capacity;              /* the number of axes that the slot can hold */
    bool closed;                   /* `close` has destroyed the object, so it must not be released */
    bool within;                   /* the object lies in that of another owner, or the library owns it for good */
    bool part;                     /* the keeper is an owner of the same object */
    bool keeps_sibling;            /* the keeper is an owner, but its object does not contain this one */
    bool guarded;                  /* a keeper of the Python layer, the guard, releases the object with the GIL */
    bool forgets;                  /* at least one dependency has a setter, so a later call may replace it */
    bool moving;                   /* at least one of them belongs to a target inside the object */
    uint8_t wraps;                 /* the number of keepers (guard, strings) before the dependencies; each begins with the next dlb_kept */
    bool foreign;                  /* the object shows memory that the keeper owns, and the library does not */
    bool fast;                     /* made by dlb_import_fast(), which can reuse the memory of this owner */
    bool constant;                 /* C declares the struct const, or the object that contains it */
    bool frozen;                   /* if constant: the memory is read-only for another reason too */
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
    owner->hooks = NULL;
    owner->flags = 0;
    owner->capacity = capacity;
    owner->slot_axes = owner->axes + 2 * capacity;
    owner->closed = false;
    owner->within = false;
    owner->part = false;
    owner->keeps_sibling = false;
    owner->guarded = false;
    owner->forgets = false;
    owner->moving = false;
    owner->wraps = 0;
    owner->foreign = false;
    owner->fast = false;
    owner->constant = owner->frozen = false;
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
DLB_API void dlb_owner_put(dlb_owner *owner, void *object);

/* Finishes the owner after its last share is released, or leaves it to its creator. */
DLB_API void dlb_owner_end(dlb_owner *owner);

/* Returns the number of holders: Python objects, C programs, subobjects, calls in progress. */
static inline int64_t dlb_owner_holders(const dlb_owner *owner)
{
    return (int64_t)(dlb_count_read(&owner->state) / DLB_HOLDER);
}

/* Makes `owner`, which no other code uses yet, a subobject of `whole`, and keeps `whole` alive. */
DLB_API void dlb_owner_live_in(dlb_owner *owner, dlb_owner *whole);
/* Records that C declares the object const. The data is read-only then, unless the type declares whether it is. */
DLB_API void dlb_owner_call_const(dlb_owner *owner);
/* Returns the owner whose object contains this one. Returns NULL if there is none, or if the owner also keeps dependencies or strings. */
DLB_API dlb_owner *dlb_owner_whole(const dlb_owner *owner);

/* Makes `owner`, which no other code uses yet, keep `other` alive as its first dependency. */
DLB_API void dlb_owner_outlive(dlb_owner *owner, dlb_owner *other);
/* Adds `other` and its dependencies to those of `owner`, even if `other` drops them later. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_owner_outlive_too(dlb_owner *owner, dlb_owner *other, dlb_error *error);
/* Adds `others` and their dependencies to those of the storage owner of `owner`. `setter` identifies the function that stores them:
 * dlb_owner_forget() can drop the dependencies that it added earlier. If it is NULL, they stay. Only one thread at a time may call this.
 * Returns 0, or -1 with `error` filled; some of `others` may be kept then. */
DLB_API int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *setter, dlb_error *error);
/* Makes `owner`, a subobject of `whole`, keep the dependencies of `whole`, even if `whole` drops them later. Returns 0, or -1. */
DLB_API int dlb_owner_show_kept(dlb_owner *owner, dlb_owner *whole, dlb_error *error);
/* Returns the dependency of `whole` whose object is `object`, or `whole` if there is none. */
DLB_API dlb_owner *dlb_owner_of_kept(dlb_owner *whole, const void *object);
/* Keeps all dependencies of targets inside the object from now on: C may have moved these targets, so their addresses say nothing. */
DLB_API void dlb_owner_moves(dlb_owner *owner);
/* Transfers an object to the library: its dependencies live as long as `recipient`, and so does its block if the object lies there. They
 * live forever if `recipient` is NULL, or if only the library knows when its object is destroyed. */
DLB_API void dlb_owner_transfer_dependencies(dlb_owner *owner, dlb_owner *recipient);
/* Drops the dependencies of the object that `setter` added before its most recent call. */
DLB_API void dlb_owner_forget(dlb_owner *owner, const void *setter);
/* Returns the single dependency of `owner`. If it has none, or several, returns `owner`, which keeps everything that the object needs. */
DLB_API dlb_owner *dlb_owner_outlived(dlb_owner *owner);

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

/* Releases the object and frees the owner. Deeply nested dependencies are destroyed later (dlb_destroy_or_defer()). */
DLB_API void dlb_owner_finish(dlb_owner *owner);

/* Releases the object and its dependencies at once, for callers that limit the depth themselves. The caller must disown the owner next. */
static inline void dlb_owner_empty(const dlb_owner *owner)
{
    if (owner->release != NULL && !owner->closed) {
        owner->release(owner->object);
    }
    if (owner->kept.let_go != NULL) {
        owner->kept.let_go(owner->kept.keeper);
    }
}

/* Releases the export of `owner` that another owner keeps. Used as `let_go`. */
DLB_API void dlb_owner_end_export(void *owner);

/* Frees an owner that no other code uses, without releasing its object. */
DLB_API void dlb_owner_disown(dlb_owner *owner);

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

#endif
