/* SPDX-License-Identifier: MIT-0 */
/* What owners keep: the owner of what their object lives in, and others that it needs. No function here knows Python. */
#include "dlb_internal.h"

#include <stdlib.h>

static void drop_kept(void *keeper)
{
    dlb_owner_drop(keeper);
}

static void keep_one(dlb_owner *owner, dlb_owner *other)
{
    dlb_owner_keep(other);
    owner->keeper = other;
    owner->let_go = drop_kept;
}

/* ---- What the object lives in ---- */

void dlb_owner_live_in(dlb_owner *owner, dlb_owner *whole)
{
    keep_one(owner, whole);
    owner->flags = whole->flags;
    owner->within = true;
}

dlb_owner *dlb_owner_whole(const dlb_owner *owner)
{
    return owner->let_go == drop_kept && !owner->apart ? owner->keeper : NULL;
}

bool dlb_owner_is_within(const dlb_owner *owner)
{
    return owner->within;
}

/* ---- Others that must outlive the object ---- */

void dlb_owner_outlive(dlb_owner *owner, dlb_owner *other)
{
    keep_one(owner, other);
    owner->apart = true;
}

/* One more that an owner keeps. */
typedef struct another {
    dlb_owner *other;
    const void *by; /* whose later calls let go of it; NULL: nobody's */
    bool former;    /* such a call has begun */
    void (*let_go)(void *keeper); /* what it kept before; NULL: nothing */
    void *keeper;
} another;

/* They may be many: no call inside of another. */
static void drop_another(void *keeper)
{
    void (*let_go)(void *) = drop_another;

    while (let_go == drop_another) {
        another *const kept = keeper;

        let_go = kept->let_go;
        keeper = kept->keeper;
        dlb_owner_drop(kept->other);
        free(kept);
    }
    if (let_go != NULL) {
        let_go(keeper);
    }
}

static int keep_another(dlb_owner *owner, dlb_owner *other, const void *by, dlb_error *error)
{
    another *const kept = malloc(sizeof *kept);

    if (kept == NULL) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory", owner->type->name);
    }
    dlb_owner_keep(other);
    *kept = (another){other, by, false, owner->let_go, owner->keeper};
    owner->let_go = drop_another;
    owner->keeper = kept;
    return 0;
}

int dlb_owner_outlive_too(dlb_owner *owner, dlb_owner *other, dlb_error *error)
{
    if (owner->let_go == NULL) {
        dlb_owner_outlive(owner, other);
        return 0;
    }
    return keep_another(owner, other, NULL, error);
}

/* The owner of the memory in which the object lies. */
static dlb_owner *home_of(dlb_owner *owner)
{
    while (owner->release == NULL && dlb_owner_whole(owner) != NULL) {
        owner = dlb_owner_whole(owner);
    }
    return owner;
}

/* Whether the object ends with its owner: it is released then, by nobody's count, or it is a struct in the owner's block. */
static bool ends_with(dlb_owner *owner)
{
    const bool counted = owner->type->retain != NULL || owner->type->clone != NULL;

    return owner->release != NULL ? !counted
                                  : dlb_owner_object(owner) == (void *)((char *)owner + dlb_owner_box_at(owner->type));
}

int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *by, dlb_error *error)
{
    dlb_owner *const home = home_of(owner);

    if (!ends_with(home)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: it can keep nothing, since only the library knows when it ends",
                        owner->type->name);
    }
    for (another *kept = by != NULL && home->let_go == drop_another ? home->keeper : NULL; kept != NULL;
         kept = kept->let_go == drop_another ? kept->keeper : NULL) {
        kept->former = kept->former || kept->by == by;
    }
    for (int i = 0; i < count; i++) {
        if (home_of(others[i]) != home && keep_another(home, others[i], by, error) != 0) { /* else it lives as long anyway */
            return -1;
        }
    }
    return 0;
}

void dlb_owner_forget(dlb_owner *owner, const void *by)
{
    dlb_owner *const home = home_of(owner);
    void (**let_go)(void *) = &home->let_go;
    void **keeper = &home->keeper;
    another *forgotten = NULL;

    while (*let_go == drop_another) {
        another *const kept = *keeper;

        if (kept->by == by && kept->former) {
            *let_go = kept->let_go;
            *keeper = kept->keeper;
            kept->let_go = forgotten != NULL ? drop_another : NULL;
            kept->keeper = forgotten;
            forgotten = kept;
        } else {
            let_go = &kept->let_go;
            keeper = &kept->keeper;
        }
    }
    if (forgotten != NULL) {
        drop_another(forgotten);
    }
}

dlb_owner *dlb_owner_outlived(dlb_owner *owner)
{
    return owner->apart && owner->let_go == drop_kept ? owner->keeper : owner;
}
