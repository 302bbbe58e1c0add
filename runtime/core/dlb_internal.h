/* SPDX-License-Identifier: MIT-0 */
/* What the files of the runtime share and nobody else sees. */
#ifndef DLB_INTERNAL_H_
#define DLB_INTERNAL_H_

#include "dlb_describe.h"
#include "dlb_platform.h"
#include "dlb_tensor.h"

#include <stdlib.h>

/* One machine word counts everything that keeps an owner alive, so that each step is one atomic operation: bits 0 to 31:
 * living exports; bits 32 to 63: holders. The first living export has the slot, the owner's own managed tensor, which is free
 * again when none lives. */
#define DLB_EXPORT UINT64_C(1)
#define DLB_HOLDER (UINT64_C(1) << 32)

/* Copies start at a multiple of this many bytes: JAX copies anything less aligned. */
enum { DLB_COPY_ALIGNMENT = 64 };

/* The owners that other threads let go for one thread, which made them and is to finish them. */
typedef struct dlb_mailbox dlb_mailbox;

/* What only owners of some types have: those that do something around their exports, that copy, or whose objects go on the
 * thread that made them. */
typedef struct dlb_hook_state {
    dlb_count lock;       /* of the two counts, and of what the library does when they start and end */
    int64_t living;       /* exports, and descriptions going on */
    int64_t writing;      /* exports that may write */
    dlb_mailbox *creator; /* NULL: any thread finishes the owner */
    dlb_owner *next;      /* in that mailbox */
} dlb_hook_state;

/* Where something waits for its end. */
typedef struct dlb_deferred {
    struct dlb_deferred *next;
    void (*end)(void *what);
    void *what;
} dlb_deferred;

/* Calls end(what), which may let go of what ends in this way too: then it may have to wait, in `room`, which is nobody else's from
 * now on and may be freed by the call. */
DLB_API void dlb_destroy_or_defer(void (*end)(void *what), void *what, dlb_deferred *storage);

/* What is kept until `let_go(keeper)`; NULL: nothing. */
typedef struct dlb_kept {
    void (*let_go)(void *keeper);
    void *keeper;
} dlb_kept;

struct dlb_owner {
    dlb_count state;
    const dlb_type *type;
    void *object;                  /* what the functions of the type get */
    void (*release)(void *object); /* how the object goes; NULL: it is not ours */
    dlb_kept kept;                 /* then what kept it alive: a foreign managed tensor, a Python object, a whole, an export of
                                      another owner */
    dlb_hook_state *hooks; /* NULL for most tensors: the one thing that exports ask */
    uint32_t flags;       /* of every export, beside those of the description */
    int32_t capacity;     /* axes of the slot */
    bool closed;          /* the object has gone by `close`, and is not to be released */
    bool within;          /* the object lives in that of another owner, or is the library's for good */
    bool part;            /* the keeper is an owner of the same object */
    bool keeps_sibling;   /* the keeper is another owner, but the object does not live in its */
    bool guarded;         /* the release is its guard's, a keeper */
    bool forgets;         /* later calls let go of some of what it keeps */
    bool moving;          /* some of them are about what lies in its object */
    uint8_t wraps;        /* keepers one in the other that begin with a dlb_kept: what goes behind them */
    bool foreign;         /* the object shows memory that is not the library's: the keeper's */
    bool fast;           /* dlb_import_fast() has made it, and has use for its memory */
    bool constant;        /* C calls the struct const, or that of the whole */
    bool frozen;          /* if constant: the memory is read-only, whatever the type declares */
    int64_t *slot_axes;   /* behind `axes` */
    union {
        DLManagedTensor legacy;
        DLManagedTensorVersioned versioned;
        dlb_deferred deferred; /* once nobody uses the others */
    } slot;
    int64_t axes[]; /* 2 * capacity for borrowed views, as many for the slot; then what there is of: `special`, the state
                       of the type, a box */
};

/* ---- Owners ---- */

/* The pointer that a state begins with, whatever it points to. */
static inline void *dlb_first_member(const void *state)
{
    void *pointer;

    memcpy(&pointer, state, sizeof pointer);
    return pointer;
}

/* Only one thread may finish it. */
static inline bool dlb_has_creator(const dlb_owner *owner)
{
    return owner->hooks != NULL && owner->hooks->creator != NULL;
}

/* The T * of an owner of that type. */
static inline void *dlb_object_of(const dlb_type *type, const dlb_owner *owner)
{
    return type->state == 0 || type->value > 0 ? owner->object : dlb_first_member(owner->object);
}

/* There is no object where one is to be owned: neither a T *, nor one in a state, nor a T that is a pointer itself. */
static inline bool dlb_is_null(const dlb_type *type, const void *object)
{
    const bool holds_pointer = type->value > 0 ? type->points : type->state > 0;

    return object == NULL || (holds_pointer && dlb_first_member(object) == NULL);
}

/* The param of objects of `whole` whose value `param` has in their parts, or NULL. */
DLB_API const dlb_param *dlb_inherited(const dlb_type *whole, const dlb_param *param);

/* An owner of nothing yet. Its object is the state, zeroed, where the type has one; `*box` is room for so many zeroed bytes
 * more (NULL for none). NULL: no memory. */
DLB_API dlb_owner *dlb_owner_new(const dlb_type *type, size_t box_size, void **box, dlb_error *error);

/* What follows the axes starts at multiples of 16, which suits every type that malloc() suits. */
static inline size_t dlb_aligned(size_t size)
{
    return (size + 15) / 16 * 16;
}

/* The size of an owner with its axes. */
static inline size_t dlb_owner_size(int32_t capacity)
{
    return dlb_aligned(sizeof(dlb_owner)) + 4 * sizeof(int64_t) * (size_t)capacity;
}

/* The first share of an owner that has nothing yet. */
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

/* An owner in memory of that size, uninitialised behind its axes. */
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

/* Makes `object` (a T *, or the address of a T that is passed by value) what the owner's functions get. */
DLB_API void dlb_owner_put(dlb_owner *owner, void *object);

/* The last share is gone: finishes the owner, or leaves that to its creator. */
DLB_API void dlb_owner_end(dlb_owner *owner);

/* How many hold it: Python objects, C programs, parts, calls that go on. */
static inline int64_t dlb_owner_holders(const dlb_owner *owner)
{
    return (int64_t)(dlb_count_read(&owner->state) / DLB_HOLDER);
}

/* From now on the object of `owner`, which nobody else knows, lives in that of `whole`, which it keeps. */
DLB_API void dlb_owner_live_in(dlb_owner *owner, dlb_owner *whole);
/* C calls the object const: the data is read-only too, unless the type declares whether it is. */
DLB_API void dlb_owner_call_const(dlb_owner *owner);
/* That whole; NULL: none, or it keeps others too, or texts. */
DLB_API dlb_owner *dlb_owner_whole(const dlb_owner *owner);

/* From now on `owner`, which nobody else knows, keeps `other`, which must outlive its object. */
DLB_API void dlb_owner_outlive(dlb_owner *owner, dlb_owner *other);
/* The same of one more; and of what that shows, even if it lets go of it. 0, or -1 with `error` filled. */
DLB_API int dlb_owner_outlive_too(dlb_owner *owner, dlb_owner *other, dlb_error *error);
/* The same of an owner that others know, for one thread at a time: from now on what lies in its object keeps these, and what they
 * show. `by`: who gave them, and may forget() what it gave before; else NULL. 0, or -1 with `error` filled; then it keeps some. */
DLB_API int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *setter,
                                  dlb_error *error);
/* What lives in `whole` and shows what that keeps now has it keep that too, even if `whole` lets go of it. 0, or -1. */
DLB_API int dlb_owner_show_kept(dlb_owner *owner, dlb_owner *whole, dlb_error *error);
/* The owner that `whole` keeps whose object that is, so that what is given to it is kept there; else `whole`. */
DLB_API dlb_owner *dlb_owner_of_kept(dlb_owner *whole, const void *object);
/* What lies in its object may lie elsewhere from now on: nobody forgets what that was given. */
DLB_API void dlb_owner_moves(dlb_owner *owner);
/* The library has the object of `owner` from now on: what it keeps, and its block if the object lies there, live as long as `recipient`;
 * forever without one, or where only the library knows when that ends. */
DLB_API void dlb_owner_transfer_dependencies(dlb_owner *owner, dlb_owner *recipient);
/* Lets go of what `by` gave before it last gave something. */
DLB_API void dlb_owner_forget(dlb_owner *owner, const void *setter);
/* That other one; without one, or with several, the owner itself, which then has all that its object needs. */
DLB_API dlb_owner *dlb_owner_outlived(dlb_owner *owner);

/* Its object lives in that of another owner, which it keeps. */
DLB_API bool dlb_owner_is_subobject(const dlb_owner *owner);

/* Gives back `share`. true: it was the last one, and the owner is to be ended. Who has the only one needs no step. */
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

/* Gives back `share`; whoever gives back the last one ends the owner. */
static inline void dlb_owner_give_back(dlb_owner *owner, uint64_t share)
{
    if (dlb_owner_gave_last(owner, share)) {
        dlb_owner_end(owner);
    }
}

/* Releases the object and frees the owner; what it keeps ends in deferred. */
DLB_API void dlb_owner_finish(dlb_owner *owner);

/* Releases the object, and ends at once what the owner keeps, for who counts how deep that goes; then the owner is to be disowned. */
static inline void dlb_owner_empty(const dlb_owner *owner)
{
    if (owner->release != NULL && !owner->closed) {
        owner->release(owner->object);
    }
    if (owner->kept.let_go != NULL) {
        owner->kept.let_go(owner->kept.keeper);
    }
}

/* How what shows an export in the slot of another owner, its keeper, lets go of that. */
DLB_API void dlb_owner_end_export(void *owner);

/* Ends an owner that nobody else knows, and leaves the object to the caller. */
DLB_API void dlb_owner_disown(dlb_owner *owner);

/* ---- Owners that finish on the thread that made them (release_on: creator) ---- */

/* Makes this thread the creator of the owner, and finishes what was left for it. */
DLB_API int dlb_creator_enlist(dlb_owner *owner, dlb_error *error);
/* Nonzero: the creator is another thread, for which the owner was left. */
DLB_API int dlb_creator_defer(dlb_owner *owner);
/* The owner is being finished, by its creator. */
DLB_API void dlb_creator_retire(dlb_hook_state *hooks);
/* Finishes all that other threads left for this one. */
DLB_API void dlb_creator_collect(void);

/* ---- What happens around exports (acquire, restore, after_write) ---- */

/* Before a description: acquires the object if nothing of it lives yet. Each success is ended by one dlb_access_end(). */
DLB_API int dlb_access_begin(dlb_owner *owner, dlb_error *error);
/* What was entered may write from now on, and says so when it leaves. */
DLB_API void dlb_access_write(dlb_owner *owner);
DLB_API void dlb_access_end(dlb_owner *owner, bool writing);

static inline bool dlb_has_access_scope(const dlb_type *type)
{
    return type->acquire != NULL || type->restore != NULL || type->after_write != NULL;
}

/* To read or to end one of its objects may run hooks, or end others. Its owners have what `dlb_hook_state` says. */
static inline bool dlb_has_hooks(const dlb_type *type)
{
    return dlb_has_access_scope(type) || type->copy != DLB_COPY_NEVER || type->release_on == DLB_RELEASE_CREATOR;
}

/* What all other handles have, which are not exported; nobody writes to it. */
DLB_API extern dlb_hook_state dlb_hook_state_of_handles;

/* Where the state of an owner of that type lies, behind `special`; and where its box. */
static inline size_t dlb_owner_state_at(const dlb_type *type)
{
    return dlb_owner_size(dlb_capacity(type->ndim)) + (dlb_has_hooks(type) ? dlb_aligned(sizeof(dlb_hook_state)) : 0);
}

static inline size_t dlb_owner_box_at(const dlb_type *type)
{
    return dlb_owner_state_at(type) + dlb_aligned(type->state);
}

/* There is nothing to an owner of such an object but to refer to it. */
static inline bool dlb_is_plain_type(const dlb_type *type)
{
    return ((uintptr_t)type->hold | (uintptr_t)type->clone | (uintptr_t)type->acquire | (uintptr_t)type->restore |
            (uintptr_t)type->after_write | type->state | (uintptr_t)type->copy | (uintptr_t)type->release_on) == 0;
}

/* ---- Descriptions in one step ---- */

/* Describes in one step, with room for the axes of an owner of such a type. The flags but for the owner's, or -1: it is to be
 * looked at more closely. */
static inline int dlb_describe_fast(const dlb_owner *owner, DLTensor *tensor, int64_t *axes)
{
    const dlb_type *const type = owner->type;

    return type->describe_fast != NULL ? type->describe_fast(tensor, axes, owner->object, dlb_decline) : -1;
}

/* What dlb_describe_exclusive() returns where it gives no flags. */
enum { DLB_DECLINED = -1, DLB_NOT_EXCLUSIVE = -2 };

/* The same into the slot, counted as an export, for a caller who knows that the one holder, if there is but one, is used by nobody
 * else at this moment (with a GIL, the Python object): then nothing else reaches the owner, and no atomic step is needed.
 * DLB_DECLINED: it is to be looked at more closely, by dlb_export_slow(), and is counted; DLB_NOT_EXCLUSIVE: it is not. */
static inline int dlb_describe_exclusive(dlb_owner *owner, DLTensor *slot)
{
    dlb_describe_once *const describe = owner->type->describe_fast;

    if (DLB_UNLIKELY(describe == NULL || dlb_count_read(&owner->state) != DLB_HOLDER)) {
        return DLB_NOT_EXCLUSIVE;
    }
    dlb_count_set(&owner->state, DLB_HOLDER + DLB_EXPORT);
    return describe(slot, owner->slot_axes, owner->object, dlb_decline);
}

/* The owner whose borrowed view has its axes there. */
static inline dlb_owner *dlb_owner_at_axes(int64_t *axes)
{
    return (dlb_owner *)(void *)((char *)axes - offsetof(dlb_owner, axes));
}

/* ---- Exports and copies ---- */

/* A managed tensor made with malloc() for one export; its axes follow it. */
typedef struct dlb_legacy_block {
    DLManagedTensor managed;
    int64_t axes[];
} dlb_legacy_block;

typedef struct dlb_versioned_block {
    DLManagedTensorVersioned managed;
    int64_t axes[];
} dlb_versioned_block;

/* Describes the object for one export, which then holds DLB_EXPORT: into `slot`, the tensor in the owner's own managed tensor,
 * while that is free (then `*block` is NULL on success), else into the view, with the axes in a new block behind `head` bytes.
 * The caller has set `view->gather`. */
DLB_API int dlb_describe_export(dlb_owner *owner, DLTensor *slot, size_t head, dlb_view *view, void **block,
                                dlb_error *error);

/* The export that is counted already, of what is not described in one step; `first`: it has the slot. Counted no more on failure. */
DLB_API int dlb_export_slow(dlb_owner *owner, bool first, DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_export_legacy_slow(dlb_owner *owner, bool first, DLManagedTensor **out, dlb_error *error);
/* The borrowed view of what is not described in one step. */
DLB_API int dlb_borrow_slow(dlb_owner *owner, DLTensor *out, dlb_error *error);

/* Fills the managed tensor of an export of what `view` shows: in `block`, or where that is NULL in the slot. */
DLB_API DLManagedTensorVersioned *dlb_fill_versioned(dlb_owner *owner, const dlb_view *view, void *block);
DLB_API DLManagedTensor *dlb_fill_legacy(dlb_owner *owner, const dlb_view *view, void *block);

DLB_API void dlb_delete_legacy_slot(DLManagedTensor *managed);
DLB_API void dlb_delete_legacy_block(DLManagedTensor *managed);
DLB_API void dlb_delete_versioned_slot(DLManagedTensorVersioned *managed);
DLB_API void dlb_delete_versioned_block(DLManagedTensorVersioned *managed);

/* Read-only data cannot be exported to who cannot be told so. */
DLB_API int dlb_no_legacy(const dlb_type *type, dlb_error *error);

/* Exports of owners with `special`. */
DLB_API int dlb_export_with_hooks(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_export_legacy_with_hooks(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);
/* Descriptions of owners with `special`. */
DLB_API int dlb_view_with_hooks(dlb_owner *owner, dlb_view *view, dlb_error *error);

/* Describes into storage of the caller's: `axes` holds 2 * `capacity` numbers; the view's own for a greater rank. The caller
 * has set `view->tensor`, `view->exporting` and `view->gather`. */
static inline int dlb_describe_into(const dlb_type *type, void *object, int64_t *axes, int32_t capacity, dlb_view *view,
                                    dlb_error *error)
{
    view->name = type->name;
    view->itself = view;
    dlb_view_begin(view, view->tensor, type->ndim, axes, capacity);
    return type->describe(object, view, error);
}

/* A type that is no tensor has nothing to export. */
DLB_API int dlb_no_tensor(const dlb_type *type, dlb_error *error);

#endif
