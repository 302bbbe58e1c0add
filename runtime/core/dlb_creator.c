/* SPDX-License-Identifier: MIT-0 */
/* Implements `release_on: creator`: only the thread that made an owner may release its object. Another thread that releases the
 * last share puts the owner into a mailbox. The creator empties the mailbox at its next call. If that thread has ended, the owner
 * is never released. */
#include "dlb_internal.h"

#include <stdlib.h>

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
