/* SPDX-License-Identifier: MIT-0 */
/* Owners: how they are made, counted and destroyed, on which thread, and their access scope. */

#include "owner.h"

#include <stdlib.h>
#include <string.h>

/* ---- Nested destruction ---- */

/* The maximal number of nested destructions on one stack. Deeper ones wait until the outermost destruction is done. */
enum { MAX_LEVELS = 64 };

/* The nested destructions of one thread, and the list of deferred ones. */
typedef struct nesting {
    int level;
    dlb_deferred *waiting;
} nesting;

static DLB_THREAD_LOCAL nesting this_thread;

void dlb_destroy_or_defer(void (*end)(void *what), void *what, dlb_deferred *storage)
{
    nesting *here = &this_thread;

    DLB_LAUNDER(here);
    if (here->level == MAX_LEVELS) {
        *storage = (dlb_deferred){here->waiting, end, what};
        here->waiting = storage;
        return;
    }
    here->level++;
    end(what);
    while (here->level == 1 && here->waiting != NULL) {
        const dlb_deferred next = *here->waiting;

        here->waiting = next.next;
        next.end(next.what);
    }
    here->level--;
}

/* ---- Access scopes ---- */

int dlb_access_begin(dlb_owner *owner, dlb_error *error)
{
    const dlb_type *const type = owner->type;
    dlb_hook_state *const hooks = owner->hooks;
    int result = 0;

    if (hooks == NULL || !dlb_has_access_scope(type)) {
        return 0;
    }
    dlb_lock(&hooks->lock);
    if (hooks->living == 0 && type->acquire != NULL) {
        result = type->acquire(owner->object, error);
    }
    if (result == 0) {
        hooks->living++;
    }
    dlb_unlock(&hooks->lock);
    return result;
}

void dlb_access_write(dlb_owner *owner)
{
    dlb_hook_state *const hooks = owner->hooks;

    dlb_lock(&hooks->lock);
    hooks->writing++;
    dlb_unlock(&hooks->lock);
}

void dlb_access_end(dlb_owner *owner, bool writing)
{
    const dlb_type *const type = owner->type;
    dlb_hook_state *const hooks = owner->hooks;

    if (hooks == NULL || !dlb_has_access_scope(type)) {
        return;
    }
    dlb_lock(&hooks->lock);
    if (writing && --hooks->writing == 0 && type->after_write != NULL) {
        type->after_write(owner->object);
    }
    if (--hooks->living == 0 && type->restore != NULL) {
        type->restore(owner->object);
    }
    dlb_unlock(&hooks->lock);
}

/* ---- Owners that finish on the thread that made them ---- */

/* The mailbox of one thread. Other threads may only add owners to it. */
struct dlb_mailbox {
    dlb_pointer first; /* the list of owners in the mailbox */
    int64_t owners;    /* the number of unfinished owners; only the creator changes it, so no other thread frees the mailbox */
};

static DLB_THREAD_LOCAL dlb_mailbox *mine;

int dlb_creator_enlist(dlb_owner *owner, dlb_error *error)
{
    dlb_creator_collect();
    if (mine == NULL) {
        mine = malloc(sizeof *mine);
        if (mine == NULL) {
            return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for its owner", owner->type->name);
        }
        dlb_pointer_start(&mine->first);
        mine->owners = 0;
    }
    mine->owners++;
    owner->hooks->creator = mine;
    return 0;
}

void dlb_creator_retire(dlb_hook_state *hooks)
{
    if (hooks->creator != NULL && --mine->owners == 0) {
        free(mine);
        mine = NULL;
    }
}

int dlb_creator_defer(dlb_owner *owner)
{
    dlb_mailbox *const creator = owner->hooks->creator;
    void *first = NULL;

    if (creator == NULL || creator == mine) {
        return 0;
    }
    do {
        owner->hooks->next = first;
    } while (!dlb_pointer_replace(&creator->first, &first, owner));
    return 1;
}

void dlb_creator_collect(void)
{
    dlb_owner *owner = mine != NULL ? dlb_pointer_take(&mine->first) : NULL;

    while (owner != NULL) {
        dlb_owner *const next = owner->hooks->next;

        dlb_owner_finish(owner);
        owner = next;
    }
}

/* ---- Owners ---- */

dlb_hook_state dlb_hook_state_of_handles;

dlb_owner *dlb_owner_new(const dlb_type *type, size_t box_size, void **box, dlb_error *error)
{
    const size_t hook_state_at = dlb_owner_size(dlb_capacity(type->ndim));
    const size_t state_at = dlb_owner_state_at(type);
    const size_t box_at = dlb_owner_box_at(type);
    dlb_owner *const owner = dlb_owner_alloc(type, dlb_capacity(type->ndim), box_at + box_size, error);

    if (owner == NULL) {
        return NULL;
    }
    if (box_at + box_size > hook_state_at) {
        memset((char *)owner + hook_state_at, 0, box_at + box_size - hook_state_at);
    }
    if (state_at > hook_state_at) {
        owner->hooks = (dlb_hook_state *)(void *)((char *)owner + hook_state_at);
    } else if (type->describe == NULL) {
        owner->hooks = &dlb_hook_state_of_handles;
    }
    if (type->state > 0) {
        owner->object = (char *)owner + state_at;
    }
    if (box != NULL) {
        *box = box_size > 0 ? (char *)owner + box_at : NULL;
    }
    return owner;
}

/* ---- Objects and their states ---- */

void dlb_owner_set_object(dlb_owner *owner, void *object)
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

void dlb_release_nothing(void *object)
{
    (void)object;
}

/* ---- Holders and exports ---- */

void dlb_owner_end_export(void *owner)
{
    dlb_owner_give_back(owner, DLB_EXPORT);
}

/* Finishes an owner without deferring anything. */
static void finish_at_once(void *owner)
{
    dlb_owner_empty(owner);
    dlb_owner_free(owner);
}

void dlb_owner_finish(dlb_owner *owner)
{
    while (owner->kept.let_go == dlb_owner_end_export) { /* a loop instead of deferred destruction, since the keeper is an owner as well */
        dlb_owner *const kept = owner->kept.keeper;

        owner->kept.let_go = NULL;
        finish_at_once(owner);
        if (!dlb_owner_gave_last(kept, DLB_EXPORT) || (kept->hooks != NULL && dlb_creator_defer(kept))) {
            return;
        }
        owner = kept;
    }
    if (owner->kept.let_go != NULL) {
        dlb_destroy_or_defer(finish_at_once, owner, &owner->slot.deferred);
    } else {
        finish_at_once(owner);
    }
}

void dlb_owner_free(dlb_owner *owner)
{
    if (owner->hooks != NULL) {
        dlb_creator_retire(owner->hooks);
    }
    free(owner);
}

void dlb_owner_undo(dlb_owner *owner)
{
    if (owner->type->retain == NULL && owner->type->clone == NULL) {
        owner->release = NULL; /* the object remains the caller's */
    }
    dlb_owner_drop(owner);
}

void dlb_owner_end(dlb_owner *owner)
{
    if (owner->hooks == NULL || !dlb_creator_defer(owner)) {
        dlb_owner_finish(owner);
    }
}

void dlb_owner_keep(dlb_owner *owner)
{
    dlb_count_add(&owner->state, DLB_HOLDER);
}

void dlb_owner_drop(dlb_owner *owner)
{
    if (DLB_LIKELY(owner->hooks == NULL)) {
        dlb_owner_give_back(owner, DLB_HOLDER);
    } else {
        const bool collect = dlb_has_creator(owner);

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
