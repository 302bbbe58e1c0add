/* SPDX-License-Identifier: MIT-0 */
/* Implements dependencies: an owner keeps the owner of the memory that its object lies in, and other owners that the object
 * needs. No function here uses Python. */
#include "dlb_kept.h"

#include <stdlib.h>

void dlb_drop_kept(void *keeper)
{
    dlb_owner_drop(keeper);
}

/* Makes `other` the end of the dependency list of `owner`, which must be empty. */
static void set_base(dlb_owner *owner, dlb_owner *other)
{
    dlb_owner_keep(other);
    *chain_of(owner) = (dlb_kept){dlb_drop_kept, other};
}

/* ---- Subobjects ---- */

void dlb_owner_live_in(dlb_owner *owner, dlb_owner *whole)
{
    set_base(owner, whole);
    owner->within = true;
}

bool dlb_owner_is_subobject(const dlb_owner *owner)
{
    return owner->within;
}

/* ---- Dependencies ---- */

void dlb_owner_outlive(dlb_owner *owner, dlb_owner *other)
{
    set_base(owner, other);
    owner->keeps_sibling = true;
}

/* Walks the list in a loop, since recursion over a long list could exhaust the stack. */
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

/* Adds one dependency at the start of the list. Returns 0, or -1 with `error` filled if memory runs out. */
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

/* Returns whether the object is destroyed together with its owner: the owner releases it without a reference count, or it lies
 * in the block of the owner. */
static bool ends_with(const dlb_owner *owner)
{
    const bool counted = owner->type->retain != NULL || owner->type->clone != NULL;

    return owner->release != NULL || owner->guarded ? !counted : lies_in_block(owner);
}

/* ---- Dependencies of dependencies ---- */

enum { MAX_EXAMINED = 64, MAX_VISITED = 64 };

/* Returns whether one of the newest dependencies is equal. A duplicate does no harm, but many equal calls would add many. */
static bool has_dependency(const dlb_owner *owner, const dlb_owner *other, const void *setter, const void *target)
{
    int looked = 0;

    for (const dependency *kept = first_of(owner); kept != NULL && looked++ < MAX_EXAMINED; kept = next_of(kept)) {
        if (kept->other == other && kept->setter == setter && kept->target == target && !kept->replaced) {
            return true;
        }
    }
    return false;
}

/* The state of add_recursively(): what to add, and the storage owners that it has visited. It visits each one once, and at
 * most MAX_VISITED. */
typedef struct traversal {
    dlb_owner *owner;
    const void *setter;
    const void *target;
    int count;
    const dlb_owner *visited[MAX_VISITED];
} traversal;

/* Records a storage owner as visited. Returns false if it was visited before, is the owner itself, or is one too many. */
static bool mark_visited(traversal *walk, const dlb_owner *storage)
{
    for (int i = 0; i < walk->count; i++) {
        if (walk->visited[i] == storage) {
            return false;
        }
    }
    if (walk->count == MAX_VISITED || storage == walk->owner) {
        return false;
    }
    walk->visited[walk->count++] = storage;
    return true;
}

/* Adds the dependencies of `from` to the owner: all of them, or only those with a setter, which later calls may replace. Also
 * adds the dependencies of these dependencies, since C may have copied addresses from them. */
static int add_recursively(traversal *walk, dlb_owner *from, bool all, dlb_error *error)
{
    dlb_owner *const base = from->keeps_sibling ? base_of(from) : NULL;
    int looked = 0;

    for (const dependency *kept = first_of(from); kept != NULL && (all || from->forgets || looked < MAX_EXAMINED); kept = next_of(kept)) {
        dlb_owner *const storage = storage_owner_of(kept->other);

        if ((all || kept->setter != NULL) && storage != walk->owner &&
            !has_dependency(walk->owner, kept->other, walk->setter, walk->target) &&
            add_dependency(walk->owner, kept->other, walk->setter, walk->target, error) != 0) {
            return -1;
        }
        if (looked++ < MAX_EXAMINED && mark_visited(walk, storage) && add_recursively(walk, storage, false, error) != 0) {
            return -1;
        }
    }
    return base != NULL && mark_visited(walk, storage_owner_of(base)) ? add_recursively(walk, storage_owner_of(base), false, error) : 0;
}

/* Calls add_recursively() if `from` keeps anything. Returns 0, or -1 with `error` filled. */
static int add_dependencies_of(dlb_owner *owner, dlb_owner *from, bool all, const void *setter, const void *target, dlb_error *error)
{
    traversal walk = {owner, setter, target, 0, {NULL}};

    return first_of(from) != NULL || from->keeps_sibling ? add_recursively(&walk, from, all, error) : 0;
}

int dlb_owner_show_kept(dlb_owner *owner, dlb_owner *whole, dlb_error *error)
{
    dlb_owner *const storage = storage_owner_of(whole);

    return whole != storage && add_dependencies_of(owner, whole, true, NULL, NULL, error) != 0
               ? -1
               : add_dependencies_of(owner, storage, false, NULL, NULL, error);
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

/* Makes `storage` keep `other`. A subobject of `storage` lives as long anyway, but its dependencies may not, so they are added. */
static int add_other(dlb_owner *storage, dlb_owner *other, const void *setter, const void *target, dlb_error *error)
{
    if (storage_owner_of(other) != storage) {
        return has_dependency(storage, other, setter, target) ? 0 : add_dependency(storage, other, setter, target, error);
    }
    return other != storage ? add_dependencies_of(storage, other, true, setter, target, error) : 0;
}

/* Returns the address that identifies the object of `owner` as a target. The object of `storage` is identified by its owner: its
 * own address is also that of its first member. */
static const void *target_of(const dlb_owner *owner, const dlb_owner *storage)
{
    return owner->type == storage->type && dlb_owner_object(owner) == dlb_owner_object(storage) ? storage : dlb_owner_object(owner);
}

int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *setter, dlb_error *error)
{
    dlb_owner *const storage = storage_owner_of(owner);
    const void *const target = target_of(owner, storage);
    const bool is_one_of = owner->type->state > 0 && dlb_owner_object(owner) == dlb_owner_object(storage); /* a part of the same struct */

    if (owner != storage && (owner->type->value > 0 || is_one_of)) { /* a copy, or one of several parts: nobody can tell later */
        setter = NULL;
    }
    if (!ends_with(storage)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: it cannot keep objects, since only the library knows when it is freed",
                        owner->type->name);
    }
    for (dependency *kept = setter != NULL ? first_of(storage) : NULL; kept != NULL; kept = next_of(kept)) {
        kept->replaced = kept->replaced || (kept->setter == setter && kept->target == target);
    }
    for (int i = 0; i < count; i++) {
        dlb_owner *const source = storage_owner_of(others[i]);

        if (add_other(storage, others[i], setter, target, error) != 0 ||
            (source != storage && add_dependencies_of(storage, source, false, setter, target, error) != 0)) {
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

/* ---- Objects that the library owns ---- */

/* Removes and returns the dependencies of `owner`, newest first. The owner at the end of the list (base_of()) remains. */
static dependency *take_dependencies(dlb_owner *owner)
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

/* Keeps the block of `owner` alive as long as `storage`, since the library uses the struct in it. The block no longer keeps the
 * dependencies, which `storage` has now. */
static void transfer_block(dlb_owner *owner, dlb_owner *storage, dlb_owner *base)
{
    dlb_error error;

    if (base != NULL) {
        *chain_of(owner) = (dlb_kept){NULL, NULL};
        dlb_owner_drop(base);
    }
    if (storage == NULL || add_dependency(storage, owner, NULL, NULL, &error) != 0) {
        dlb_owner_keep(owner); /* forever: nothing else keeps it alive */
    }
}

void dlb_owner_transfer_dependencies(dlb_owner *owner, dlb_owner *recipient)
{
    dlb_owner *const storage = recipient != NULL && ends_with(storage_owner_of(recipient)) ? storage_owner_of(recipient) : NULL;
    dlb_owner *const base = base_of(owner);
    dlb_error error;
    dependency *next;

    if (base != NULL && (storage == NULL || add_other(storage, base, NULL, NULL, &error) != 0)) {
        dlb_owner_keep(base); /* forever: nothing else keeps it alive */
    }
    for (dependency *kept = take_dependencies(owner); kept != NULL && storage != NULL; kept = next) { /* no storage owner: kept forever */
        next = next_of(kept);
        kept->target = kept->target == owner ? dlb_owner_object(owner) : kept->target;
        if (storage_owner_of(kept->other) == storage) {
            (void)add_other(storage, kept->other, kept->setter, kept->target, &error);
            dlb_owner_drop(kept->other);
            free(kept);
        } else {
            kept->next = *chain_of(storage);
            *chain_of(storage) = (dlb_kept){dlb_drop_dependency, kept};
            storage->forgets = storage->moving = true;
        }
    }
    if (owner->type->value == 0 && lies_in_block(owner)) { /* otherwise C has a copy, or a pointer */
        transfer_block(owner, storage, base);
    }
}

void dlb_owner_forget(dlb_owner *owner, const void *setter)
{
    dlb_owner *const storage = storage_owner_of(owner);
    const void *const target = target_of(owner, storage);
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
    const bool exclusive = owner->wraps == (owner->guarded ? 1 : 0); /* no strings of parameters */

    return owner->keeps_sibling && exclusive && kept.let_go == dlb_drop_kept ? kept.keeper : owner;
}
