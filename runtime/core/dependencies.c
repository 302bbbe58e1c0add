/* SPDX-License-Identifier: MIT-0 */
/* Dependencies: which other owners an owner keeps alive, and the search for the owner of some memory. */

#include "owner.h"

#include <stdlib.h>
#include <string.h>

void dlb_drop_kept(void *keeper)
{
    dlb_owner_drop(keeper);
}

/* Makes `other` the end of the list of `owner`, which has no dependencies yet. */
static void set_base(dlb_owner *owner, dlb_owner *other, dlb_kept_kind kind)
{
    dlb_owner_keep(other);
    *chain_of(owner) = (dlb_kept){dlb_drop_kept, other, kind};
}

/* ---- Subobjects ---- */

void dlb_owner_set_whole(dlb_owner *owner, dlb_owner *whole)
{
    set_base(owner, whole, DLB_KEPT_WHOLE);
    owner->origin = owner->origin == DLB_FROM_SAME ? DLB_FROM_SAME : DLB_FROM_WHOLE;
}

bool dlb_owner_is_subobject(const dlb_owner *owner)
{
    return owner->origin == DLB_FROM_WHOLE || owner->origin == DLB_FROM_SAME;
}

/* ---- Dependencies ---- */

void dlb_owner_depend_on(dlb_owner *owner, dlb_owner *other)
{
    set_base(owner, other, DLB_KEPT_SIBLING);
}

/* Walks the list in a loop, since recursion over a long list could exhaust the stack. */
void dlb_drop_dependency(void *keeper)
{
    dlb_kept kept = {dlb_drop_dependency, keeper, DLB_KEPT_DEPENDENCY};

    while (kept.kind >= DLB_KEPT_DEPENDENCY) {
        dependency *const first = kept.keeper;

        kept = first->next;
        dlb_owner_drop(first->other);
        free(first);
    }
    if (kept.let_go != NULL) {
        kept.let_go(kept.keeper);
    }
}

/* Inserts a dependency at the start of the dependencies of `owner`. */
static void insert(dlb_owner *owner, dependency *kept)
{
    dlb_kept *const place = chain_of(owner);
    const dlb_kept_kind kind = kept->setter == NULL     ? DLB_KEPT_DEPENDENCY
                               : kept->target == owner ? DLB_KEPT_REPLACEABLE
                                                       : DLB_KEPT_MOVABLE;

    kept->next = *place;
    *place = (dlb_kept){dlb_drop_dependency, kept, kind > place->kind ? kind : place->kind};
}

/* Adds one dependency at the start of the list. Returns 0, or -1 with `error` filled if memory runs out. */
static int add_dependency(dlb_owner *owner, dlb_owner *other, const void *setter, const void *target, dlb_error *error)
{
    dependency *const kept = malloc(sizeof *kept);

    if (kept == NULL) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory", owner->type->name);
    }
    dlb_owner_keep(other);
    *kept = (dependency){{NULL, NULL, DLB_KEPT_MEMORY}, other, setter, target, false};
    insert(owner, kept);
    return 0;
}

dlb_owner *dlb_owner_whole(const dlb_owner *owner)
{
    return owner->kept.kind == DLB_KEPT_WHOLE ? owner->kept.keeper : NULL;
}

/* Returns whether the object is destroyed together with its owner: the owner releases it without a reference count, or it lies
 * in the block of the owner. */
static bool ends_with(const dlb_owner *owner)
{
    const bool counted = owner->type->retain != NULL || owner->type->clone != NULL;

    return owner->release != NULL || is_guarded(owner) ? !counted : lies_in_block(owner);
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
    const dlb_kept end = end_of(from);
    dlb_owner *const base = end.kind == DLB_KEPT_SIBLING ? end.keeper : NULL;
    const bool forgets = kept_by(from).kind >= DLB_KEPT_REPLACEABLE;
    int looked = 0;

    for (const dependency *kept = first_of(from); kept != NULL && (all || forgets || looked < MAX_EXAMINED); kept = next_of(kept)) {
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

    return first_of(from) != NULL || kept_by(from).kind == DLB_KEPT_SIBLING ? add_recursively(&walk, from, all, error) : 0;
}

int dlb_owner_copy_dependencies(dlb_owner *owner, dlb_owner *whole, dlb_error *error)
{
    dlb_owner *const storage = storage_owner_of(whole);

    return whole != storage && add_dependencies_of(owner, whole, true, NULL, NULL, error) != 0
               ? -1
               : add_dependencies_of(owner, storage, false, NULL, NULL, error);
}

int dlb_owner_add_dependency(dlb_owner *owner, dlb_owner *other, dlb_error *error)
{
    if (chain_of(owner)->let_go == NULL) {
        dlb_owner_depend_on(owner, other);
    } else if (add_dependency(owner, other, NULL, NULL, error) != 0) {
        return -1;
    }
    return dlb_owner_copy_dependencies(owner, other, error);
}

dlb_owner *dlb_owner_of_kept(dlb_owner *whole, const void *object)
{
    for (const dependency *kept = first_of(storage_owner_of(whole)); kept != NULL; kept = next_of(kept)) {
        if (dlb_owner_object(kept->other) == object && !dlb_owner_is_closed(kept->other)) {
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

void dlb_owner_mark_moved(dlb_owner *owner)
{
    dlb_owner *const storage = storage_owner_of(owner);

    for (dlb_kept *place = chain_of(storage); place->kind == DLB_KEPT_MOVABLE; place = &((dependency *)place->keeper)->next) {
        dependency *const kept = place->keeper;

        kept->setter = kept->target == storage ? kept->setter : NULL;
        place->kind = DLB_KEPT_REPLACEABLE;
    }
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
        last->next = (dlb_kept){NULL, NULL, DLB_KEPT_MEMORY};
    }
    return first;
}

/* Keeps the block of `owner` alive as long as `storage`, since the library uses the struct in it. The block no longer keeps the
 * dependencies, which `storage` has now. */
static void transfer_block(dlb_owner *owner, dlb_owner *storage, dlb_owner *base)
{
    dlb_error error;

    if (base != NULL) {
        *chain_of(owner) = (dlb_kept){NULL, NULL, DLB_KEPT_MEMORY};
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
            insert(storage, kept);
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

    while (place->kind >= DLB_KEPT_DEPENDENCY) {
        dependency *const kept = place->keeper;

        if (kept->setter == setter && kept->target == target && kept->replaced) {
            *place = kept->next;
            kept->next = forgotten != NULL ? (dlb_kept){dlb_drop_dependency, forgotten, DLB_KEPT_DEPENDENCY}
                                           : (dlb_kept){NULL, NULL, DLB_KEPT_MEMORY};
            forgotten = kept;
        } else {
            place = &kept->next;
        }
    }
    if (forgotten != NULL) {
        dlb_drop_dependency(forgotten);
    }
}

bool dlb_owner_owns_elements(const dlb_owner *owner)
{
    if (owner->origin == DLB_FROM_IMPORT) {
        return dlb_owner_source(owner).let_go == free; /* a copy of the array */
    }
    return owner->origin == DLB_FROM_LIBRARY && !dlb_owner_is_closed(owner) && (owner->release != NULL || is_guarded(owner));
}

dlb_owner *dlb_owner_only_dependency(dlb_owner *owner)
{
    const dlb_kept *kept = &owner->kept;

    kept = kept->kind == DLB_KEPT_GUARD ? kept->keeper : kept;
    return kept->kind == DLB_KEPT_SIBLING ? kept->keeper : owner;
}

/* ---- The search for an owner ---- */

dlb_kept dlb_owner_source(const dlb_owner *owner)
{
    return end_of(owner);
}

bool dlb_owner_has_object(const dlb_owner *owner, const dlb_type *type, const void *object)
{
    if (type->value > 0) {
        return owner->type->value == type->value && memcmp(owner->object, object, type->value) == 0;
    }
    return dlb_owner_object(owner) == (type->state > 0 ? dlb_first_member(object) : object);
}

bool dlb_owner_stores_object(const dlb_owner *owner)
{
    return owner->type->value == 0 && lies_in_block(owner);
}

bool dlb_owner_made_object(const dlb_owner *owner)
{
    return dlb_owner_is_imported(owner) && owner->type->importer != NULL && owner->type->importer->box > 0;
}

/* The state of dlb_owner_find(). */
typedef struct search {
    bool (*is_wanted)(const dlb_owner *owner, const void *what);
    const void *what;
    int left; /* the number of owners that it may still look at */
} search;

/* Searches the dependencies recursively, and the owners at the end of their lists in a loop. */
static dlb_owner *find(search *wanted, dlb_owner *owner)
{
    while (owner != NULL) {
        if (wanted->left-- <= 0 || wanted->is_wanted(owner, wanted->what)) {
            return owner;
        }
        for (const dependency *kept = first_of(owner); kept != NULL; kept = next_of(kept)) {
            dlb_owner *const found = find(wanted, kept->other);

            if (found != NULL) {
                return found;
            }
        }
        owner = base_of(owner);
    }
    return NULL;
}

dlb_owner *dlb_owner_find(dlb_owner *owner, bool (*is_wanted)(const dlb_owner *owner, const void *what), const void *what)
{
    enum { MOST = 256 };
    search wanted = {is_wanted, what, MOST};

    return find(&wanted, owner);
}

/* An object in the form that functions of its type take. */
typedef struct typed_object {
    const dlb_type *type;
    const void *object;
} typed_object;

/* Returns whether an import made the object that is searched for, in this owner. */
static bool made_it(const dlb_owner *owner, const void *what)
{
    const typed_object *const wanted = what;

    return dlb_owner_made_object(owner) && dlb_owner_has_object(owner, wanted->type, wanted->object);
}

dlb_owner *dlb_owner_of_made(dlb_owner *owner, const dlb_type *type, const void *object)
{
    const typed_object wanted = {type, object};
    dlb_owner *const found = dlb_owner_find(owner, made_it, &wanted);

    return found != NULL && made_it(found, &wanted) ? found : NULL;
}
