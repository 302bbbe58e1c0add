/* SPDX-License-Identifier: MIT-0 */
/* What owners keep: the owner of what their object lives in, and others that it needs. No function here knows Python. */
#include "dlb_kept.h"

#include <stdlib.h>

void dlb_drop_kept(void *keeper)
{
    dlb_owner_drop(keeper);
}

static void keep_one(dlb_owner *owner, dlb_owner *other)
{
    dlb_owner_keep(other);
    *chain_of(owner) = (dlb_kept){dlb_drop_kept, other};
}

/* ---- What the object lives in ---- */

void dlb_owner_live_in(dlb_owner *owner, dlb_owner *whole)
{
    keep_one(owner, whole);
    owner->within = true;
}

bool dlb_owner_is_subobject(const dlb_owner *owner)
{
    return owner->within;
}

/* ---- Others that must outlive the object ---- */

void dlb_owner_outlive(dlb_owner *owner, dlb_owner *other)
{
    keep_one(owner, other);
    owner->keeps_sibling = true;
}

/* They may be many: no call inside of another. */
void dlb_drop_dependency(void *keeper)
{
    dlb_kept kept = {dlb_drop_dependency, keeper};

    while (kept.let_go == dlb_drop_dependency) {
        dependency *const first = kept.keeper;

        kept = first->next;
        dlb_owner_drop(first->other);
        free(first);
    }
    if (kept.let_go != NULL) {
        kept.let_go(kept.keeper);
    }
}

static int add_dependency(dlb_owner *owner, dlb_owner *other, const void *setter, const void *target, dlb_error *error)
{
    dependency *const kept = malloc(sizeof *kept);

    if (kept == NULL) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory", owner->type->name);
    }
    dlb_owner_keep(other);
    *kept = (dependency){*chain_of(owner), other, setter, target, false};
    *chain_of(owner) = (dlb_kept){dlb_drop_dependency, kept};
    owner->forgets = owner->forgets || setter != NULL;
    owner->moving = owner->moving || (setter != NULL && target != owner);
    return 0;
}

dlb_owner *dlb_owner_whole(const dlb_owner *owner)
{
    return owner->wraps == 0 && first_of(owner) == NULL ? whole_of(owner) : NULL;
}

/* Whether the object ends with its owner: it is released then, by nobody's count, or it lies in its block. */
static bool ends_with(const dlb_owner *owner)
{
    const bool counted = owner->type->retain != NULL || owner->type->clone != NULL;

    return owner->release != NULL || owner->guarded ? !counted : lies_in_block(owner);
}

/* ---- What the others keep in deferred ---- */

enum { NEWEST = 64, MOST_HOMES = 64 };

/* Whether that is one of the newest: twice does no harm, but many calls that give the same would leave many. */
static bool has_dependency(const dlb_owner *owner, const dlb_owner *other, const void *setter, const void *target)
{
    int looked = 0;

    for (const dependency *kept = first_of(owner); kept != NULL && looked++ < NEWEST; kept = next_of(kept)) {
        if (kept->other == other && kept->setter == setter && kept->target == target && !kept->replaced) {
            return true;
        }
    }
    return false;
}

/* What `owner` is to keep of all that others keep; each of those is looked into once, and no more than so many. */
typedef struct sharing {
    dlb_owner *owner;
    const void *setter;
    const void *target;
    int count;
    const dlb_owner *homes[MOST_HOMES];
} sharing;

static bool is_new(sharing *shared, const dlb_owner *storage)
{
    for (int i = 0; i < shared->count; i++) {
        if (shared->homes[i] == storage) {
            return false;
        }
    }
    if (shared->count == MOST_HOMES || storage == shared->owner) {
        return false;
    }
    shared->homes[shared->count++] = storage;
    return true;
}

/* All that `from` keeps, or only what later calls let go of, and of that what is about what it keeps: C may have copied addresses. */
static int share_recursively(sharing *shared, dlb_owner *from, bool all, dlb_error *error)
{
    dlb_owner *const base = from->keeps_sibling ? base_of(from) : NULL;
    int looked = 0;

    for (const dependency *kept = first_of(from); kept != NULL && (all || from->forgets || looked < NEWEST); kept = next_of(kept)) {
        dlb_owner *const storage = storage_owner_of(kept->other);

        if ((all || kept->setter != NULL) && storage != shared->owner &&
            !has_dependency(shared->owner, kept->other, shared->setter, shared->target) &&
            add_dependency(shared->owner, kept->other, shared->setter, shared->target, error) != 0) {
            return -1;
        }
        if (looked++ < NEWEST && is_new(shared, storage) && share_recursively(shared, storage, false, error) != 0) {
            return -1;
        }
    }
    return base != NULL && is_new(shared, storage_owner_of(base)) ? share_recursively(shared, storage_owner_of(base), false, error) : 0;
}

static int share_kept(dlb_owner *owner, dlb_owner *from, bool all, const void *setter, const void *target, dlb_error *error)
{
    sharing shared = {owner, setter, target, 0, {NULL}};

    return first_of(from) != NULL || from->keeps_sibling ? share_recursively(&shared, from, all, error) : 0;
}

int dlb_owner_show_kept(dlb_owner *owner, dlb_owner *whole, dlb_error *error)
{
    dlb_owner *const storage = storage_owner_of(whole);

    return whole != storage && share_kept(owner, whole, true, NULL, NULL, error) != 0
               ? -1
               : share_kept(owner, storage, false, NULL, NULL, error);
}

int dlb_owner_outlive_too(dlb_owner *owner, dlb_owner *other, dlb_error *error)
{
    if (chain_of(owner)->let_go == NULL) {
        dlb_owner_outlive(owner, other);
    } else if (add_dependency(owner, other, NULL, NULL, error) != 0) {
        return -1;
    }
    return dlb_owner_show_kept(owner, other, error);
}

dlb_owner *dlb_owner_of_kept(dlb_owner *whole, const void *object)
{
    for (const dependency *kept = first_of(storage_owner_of(whole)); kept != NULL; kept = next_of(kept)) {
        if (dlb_owner_object(kept->other) == object && !kept->other->closed) {
            return kept->other;
        }
    }
    return whole;
}

/* `storage` keeps it from now on. What lives in its own object lives as long anyway, but not what that shows. */
static int keep_one_more(dlb_owner *storage, dlb_owner *other, const void *setter, const void *target, dlb_error *error)
{
    if (storage_owner_of(other) != storage) {
        return has_dependency(storage, other, setter, target) ? 0 : add_dependency(storage, other, setter, target, error);
    }
    return other != storage ? share_kept(storage, other, true, setter, target, error) : 0;
}

/* What stands for the object of `owner` among those at storage: of the one that is storage itself, not its address, which is that of its
 * first member as well. */
static const void *identity(const dlb_owner *owner, const dlb_owner *storage)
{
    return owner->type == storage->type && dlb_owner_object(owner) == dlb_owner_object(storage) ? storage : dlb_owner_object(owner);
}

int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *setter, dlb_error *error)
{
    dlb_owner *const storage = storage_owner_of(owner);
    const void *const target = identity(owner, storage);
    const bool is_one_of = owner->type->state > 0 && dlb_owner_object(owner) == dlb_owner_object(storage); /* of the parts of one struct */

    if (owner != storage && (owner->type->value > 0 || is_one_of)) { /* a copy, or one of them: nobody knows later which it was */
        setter = NULL;
    }
    if (!ends_with(storage)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: it can keep nothing, since only the library knows when it ends",
                        owner->type->name);
    }
    for (dependency *kept = setter != NULL ? first_of(storage) : NULL; kept != NULL; kept = next_of(kept)) {
        kept->replaced = kept->replaced || (kept->setter == setter && kept->target == target);
    }
    for (int i = 0; i < count; i++) {
        dlb_owner *const source = storage_owner_of(others[i]);

        if (keep_one_more(storage, others[i], setter, target, error) != 0 ||
            (source != storage && share_kept(storage, source, false, setter, target, error) != 0)) {
            return -1;
        }
    }
    return 0;
}

void dlb_owner_moves(dlb_owner *owner)
{
    dlb_owner *const storage = storage_owner_of(owner);

    for (dependency *kept = storage->moving ? first_of(storage) : NULL; kept != NULL; kept = next_of(kept)) {
        kept->setter = kept->target == storage ? kept->setter : NULL;
    }
    storage->moving = false;
}

/* ---- Objects that the library has ---- */

/* Takes all that `owner` keeps beside its base, newest first. */
static dependency *take_all(dlb_owner *owner)
{
    dependency *const first = first_of(owner);
    dependency *last = first;

    while (last != NULL && next_of(last) != NULL) {
        last = next_of(last);
    }
    if (last != NULL) {
        *chain_of(owner) = last->next;
        last->next = (dlb_kept){NULL, NULL};
    }
    return first;
}

/* The struct in its block is the library's: the block lives as long as `storage`, without what it has bequeathed. */
static void transfer_block(dlb_owner *owner, dlb_owner *storage, dlb_owner *base)
{
    dlb_error error;

    if (base != NULL) {
        *chain_of(owner) = (dlb_kept){NULL, NULL};
        dlb_owner_drop(base);
    }
    if (storage == NULL || add_dependency(storage, owner, NULL, NULL, &error) != 0) {
        dlb_owner_keep(owner); /* forever */
    }
}

void dlb_owner_transfer_dependencies(dlb_owner *owner, dlb_owner *recipient)
{
    dlb_owner *const storage = recipient != NULL && ends_with(storage_owner_of(recipient)) ? storage_owner_of(recipient) : NULL;
    dlb_owner *const base = base_of(owner);
    dlb_error error;
    dependency *next;

    if (base != NULL && (storage == NULL || keep_one_more(storage, base, NULL, NULL, &error) != 0)) {
        dlb_owner_keep(base); /* forever */
    }
    for (dependency *kept = take_all(owner); kept != NULL && storage != NULL; kept = next) { /* without a storage they are kept forever */
        next = next_of(kept);
        kept->target = kept->target == owner ? dlb_owner_object(owner) : kept->target;
        if (storage_owner_of(kept->other) == storage) {
            (void)keep_one_more(storage, kept->other, kept->setter, kept->target, &error);
            dlb_owner_drop(kept->other);
            free(kept);
        } else {
            kept->next = *chain_of(storage);
            *chain_of(storage) = (dlb_kept){dlb_drop_dependency, kept};
            storage->forgets = storage->moving = true;
        }
    }
    if (owner->type->value == 0 && lies_in_block(owner)) { /* else C has a copy, or a pointer */
        transfer_block(owner, storage, base);
    }
}

void dlb_owner_forget(dlb_owner *owner, const void *setter)
{
    dlb_owner *const storage = storage_owner_of(owner);
    const void *const target = identity(owner, storage);
    dlb_kept *place = chain_of(storage);
    dependency *forgotten = NULL;

    while (place->let_go == dlb_drop_dependency) {
        dependency *const kept = place->keeper;

        if (kept->setter == setter && kept->target == target && kept->replaced) {
            *place = kept->next;
            kept->next = forgotten != NULL ? (dlb_kept){dlb_drop_dependency, forgotten} : (dlb_kept){NULL, NULL};
            forgotten = kept;
        } else {
            place = &kept->next;
        }
    }
    if (forgotten != NULL) {
        dlb_drop_dependency(forgotten);
    }
}

dlb_owner *dlb_owner_outlived(dlb_owner *owner)
{
    const dlb_kept kept = kept_by(owner);
    const bool exclusive = owner->wraps == (owner->guarded ? 1 : 0); /* no texts of its params */

    return owner->keeps_sibling && exclusive && kept.let_go == dlb_drop_kept ? kept.keeper : owner;
}
