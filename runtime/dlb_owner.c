/* SPDX-License-Identifier: MIT-0 */
/* Owners: how they come, who holds them, how they end. No function here knows Python: the last share may go on any thread,
 * without the GIL, in any interpreter and after the last one. */
#include "dlb_internal.h"

#include <stdlib.h>
#include <string.h>

/* An owner in memory of that size, uninitialised behind its axes. */
static inline dlb_owner *new_owner(const dlb_type *type, int32_t capacity, size_t size, dlb_error *error)
{
    dlb_owner *const owner = malloc(size);

    if (DLB_UNLIKELY(owner == NULL)) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for its owner", type->name);
        return NULL;
    }
    dlb_owner_begin(owner, type, capacity);
    return owner;
}

dlb_owner *dlb_owner_new(const dlb_type *type, size_t box_size, void **box, dlb_error *error)
{
    const bool special = dlb_is_special(type);
    const int32_t capacity = dlb_capacity(type->ndim);
    const size_t special_at = dlb_owner_size(capacity);
    const size_t state_at = special_at + (special ? dlb_aligned(sizeof(dlb_special)) : 0);
    const size_t box_at = state_at + dlb_aligned(type->state);
    dlb_owner *const owner = new_owner(type, capacity, box_at + box_size, error);

    if (owner == NULL) {
        return NULL;
    }
    if (box_at + box_size > special_at) {
        memset((char *)owner + special_at, 0, box_at + box_size - special_at);
    }
    if (special) {
        owner->special = (dlb_special *)(void *)((char *)owner + special_at);
    }
    if (type->state > 0) {
        owner->object = (char *)owner + state_at;
    }
    if (box != NULL) {
        *box = box_size > 0 ? (char *)owner + box_at : NULL;
    }
    return owner;
}

/* ---- Objects, and states around them ---- */

void dlb_owner_put(dlb_owner *owner, void *object)
{
    const dlb_type *const type = owner->type;

    if (type->state == 0) {
        owner->object = object;
    } else if (type->value > 0) {
        memcpy(owner->object, object, type->value);
    } else {
        memcpy(owner->object, &object, sizeof object);
    }
}

void *dlb_owner_object(const dlb_owner *owner)
{
    return dlb_object_of(owner->type, owner);
}

/* An owner of `object`, still without anything that would have to be given back; NULL with `error` filled. */
static dlb_owner *owner_of(const dlb_type *type, void *object, dlb_error *error)
{
    dlb_owner *owner;

    if (dlb_is_null(type, object)) {
        (void)dlb_fail(error, DLB_VALUE_ERROR, "%s: the object is NULL", type->name);
        return NULL;
    }
    owner = dlb_owner_new(type, 0, NULL, error);
    if (owner == NULL) {
        return NULL;
    }
    if (type->state > 0) {
        memcpy(owner->object, object, type->state);
    } else {
        owner->object = object;
    }
    return owner;
}

/* Computes what the state is to hold. */
static int hold(dlb_owner *owner, dlb_error *error)
{
    return owner->type->hold != NULL ? owner->type->hold(owner->object, error) : 0;
}

/* Makes sure that the object, which is to be released, is so on the right thread. */
static int enlist(dlb_owner *owner, dlb_error *error)
{
    return owner->type->release_on == DLB_RELEASE_CREATOR ? dlb_creator_enlist(owner, error) : 0;
}

/* Takes a reference of its own, if the type has such. */
static int refer(dlb_owner *owner, dlb_error *error)
{
    const dlb_type *const type = owner->type;

    if (type->clone != NULL) {
        if (type->clone(owner->object, error) != 0) {
            return -1;
        }
        return dlb_is_null(type, owner->object)
                   ? dlb_fail(error, DLB_RUNTIME_ERROR, "%s: the clone of the object is NULL", type->name)
                   : 0;
    }
    if (type->retain != NULL) {
        type->retain(owner->object);
    }
    return 0;
}

static int own_particular(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    dlb_owner *const owner = owner_of(type, object, error);

    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || enlist(owner, error) != 0 || refer(owner, error) != 0) {
        dlb_owner_disown(owner);
        return -1;
    }
    owner->release = type->release;
    *out = owner;
    return 0;
}

int dlb_own(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    const int32_t capacity = dlb_capacity(type->ndim);
    dlb_owner *owner;

    if (DLB_UNLIKELY(!dlb_is_plain_type(type) || object == NULL)) {
        return own_particular(type, object, out, error);
    }
    owner = new_owner(type, capacity, dlb_owner_size(capacity), error);
    if (DLB_UNLIKELY(owner == NULL)) {
        return -1;
    }
    owner->object = object;
    owner->release = type->release;
    if (type->retain != NULL) {
        type->retain(object);
    }
    *out = owner;
    return 0;
}

/* ---- Objects that the library has made for the caller ---- */

static void release(const dlb_type *type, void *object)
{
    if (type->release != NULL) {
        type->release(object);
    }
}

int dlb_adopt(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    dlb_owner *const owner = owner_of(type, object, error);

    if (owner == NULL && !dlb_is_null(type, object)) {
        if (type->hold != NULL) {
            (void)type->hold(object, NULL); /* the release may refer to it */
        }
        release(type, object);
    }
    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || enlist(owner, error) != 0) {
        release(type, owner->object);
        dlb_owner_disown(owner);
        return -1;
    }
    owner->release = type->release;
    *out = owner;
    return 0;
}

/* ---- Objects that live in others ---- */

static void drop_whole(void *keeper)
{
    dlb_owner_drop(keeper);
}

bool dlb_owner_is_within(const dlb_owner *owner)
{
    return owner->within;
}

/* Makes an owner that nobody else knows keep `whole`. */
static void keep_whole(dlb_owner *owner, dlb_owner *whole)
{
    dlb_owner_keep(whole);
    owner->flags = whole->flags;
    owner->keeper = whole;
    owner->let_go = drop_whole;
    owner->within = true;
}

void dlb_owner_outlive(dlb_owner *owner, dlb_owner *other)
{
    dlb_owner_keep(other);
    owner->keeper = other;
    owner->let_go = drop_whole;
    owner->apart = true;
}

dlb_owner *dlb_owner_outlived(dlb_owner *owner)
{
    return owner->apart && owner->let_go == drop_whole ? owner->keeper : owner;
}

int dlb_own_within(dlb_owner *whole, const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    const bool counted = type->retain != NULL || type->clone != NULL;
    dlb_owner *const owner = owner_of(type, object, error);

    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || (counted && (enlist(owner, error) != 0 || refer(owner, error) != 0))) {
        dlb_owner_disown(owner);
        return -1;
    }
    owner->release = counted ? type->release : NULL;
    owner->within = true;
    if (whole != NULL) {
        const uint32_t flags = whole->flags;

        if (whole->release == NULL && whole->let_go == drop_whole && !whole->apart) {
            whole = whole->keeper; /* its object lives in that one itself: no chain grows */
        }
        keep_whole(owner, whole);
        owner->flags |= flags;
    }
    *out = owner;
    return 0;
}

int dlb_own_part(dlb_owner *whole, const dlb_type *type, const void *state, dlb_owner **out, dlb_error *error)
{
    const char *const shares = whole->type->shares;
    dlb_owner *owner;

    if (shares == NULL || type->shares == NULL || strcmp(shares, type->shares) != 0) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s cannot be made of %s: they are of different C types", type->name,
                        whole->type->name);
    }
    if (whole->part && whole->let_go == drop_whole) { /* both are of the same whole */
        whole = whole->keeper;
    }
    owner = dlb_owner_new(type, 0, NULL, error);
    if (owner == NULL) {
        return -1;
    }
    if (type->state > 0 && state != NULL) {
        memcpy(owner->object, state, type->state);
    } else if (type->defaults != NULL) {
        type->defaults(owner->object);
    }
    dlb_owner_put(owner, dlb_owner_object(whole));
    if (hold(owner, error) != 0) {
        dlb_owner_disown(owner);
        return -1;
    }
    owner->part = true;
    keep_whole(owner, whole);
    *out = owner;
    return 0;
}

/* ---- Shares ---- */

void dlb_owner_end_export(void *owner)
{
    dlb_owner_give_back(owner, DLB_EXPORT);
}

static void finish_at_once(void *owner)
{
    dlb_owner_empty(owner);
    dlb_owner_disown(owner);
}

void dlb_owner_finish(dlb_owner *owner)
{
    while (owner->let_go == dlb_owner_end_export) { /* what ends then is an owner as well, and needs no turn */
        dlb_owner *const kept = owner->keeper;

        owner->let_go = NULL;
        finish_at_once(owner);
        if (!dlb_owner_gave_last(kept, DLB_EXPORT) || (kept->special != NULL && dlb_creator_defer(kept))) {
            return;
        }
        owner = kept;
    }
    if (owner->let_go != NULL) {
        dlb_end_in_turn(finish_at_once, owner, &owner->slot.turn);
    } else {
        finish_at_once(owner);
    }
}

void dlb_owner_disown(dlb_owner *owner)
{
    if (owner->special != NULL) {
        dlb_creator_retire(owner->special);
    }
    free(owner);
}

void dlb_owner_undo(dlb_owner *owner)
{
    if (owner->type->retain == NULL && owner->type->clone == NULL) {
        owner->release = NULL; /* the object stays the caller's */
    }
    dlb_owner_drop(owner);
}

void dlb_owner_end(dlb_owner *owner)
{
    if (owner->special == NULL || !dlb_creator_defer(owner)) {
        dlb_owner_finish(owner);
    }
}

void dlb_owner_keep(dlb_owner *owner)
{
    dlb_count_add(&owner->state, DLB_HOLDER);
}

void dlb_owner_drop(dlb_owner *owner)
{
    if (DLB_LIKELY(owner->special == NULL)) {
        dlb_owner_give_back(owner, DLB_HOLDER);
    } else {
        const bool collect = owner->special->creator != NULL;

        dlb_owner_give_back(owner, DLB_HOLDER);
        if (collect) {
            dlb_creator_collect();
        }
    }
}

int64_t dlb_owner_exports(const dlb_owner *owner)
{
    return (int64_t)(dlb_count_read(&owner->state) % DLB_HOLDER);
}

int dlb_owner_sync(const dlb_owner *owner, intptr_t stream, dlb_error *error)
{
    return owner->type->sync != NULL ? owner->type->sync(owner->object, stream, error) : 0;
}
