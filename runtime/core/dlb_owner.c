/* SPDX-License-Identifier: MIT-0 */
/* Implements the life of owners: allocation, holders and destruction. No function here uses Python: the last share may be
 * released on any thread, without the GIL, in any interpreter, and after the last interpreter has ended. */
#include "dlb_internal.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- Holders and exports ---- */

void dlb_owner_end_export(void *owner)
{
    dlb_owner_give_back(owner, DLB_EXPORT);
}

/* Finishes an owner without deferring anything. */
static void finish_at_once(void *owner)
{
    dlb_owner_empty(owner);
    dlb_owner_disown(owner);
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

void dlb_owner_disown(dlb_owner *owner)
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
