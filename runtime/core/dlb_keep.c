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
    const void *of; /* the object of such calls: that of the owner, or one that lives in it */
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

/* The first of those that an owner keeps, and the one behind it; NULL: none. */
static another *first_of(const dlb_owner *owner)
{
    return owner->let_go == drop_another ? owner->keeper : NULL;
}

static another *next_of(const another *kept)
{
    return kept->let_go == drop_another ? kept->keeper : NULL;
}

static int keep_another(dlb_owner *owner, dlb_owner *other, const void *by, const void *of, dlb_error *error)
{
    another *const kept = malloc(sizeof *kept);

    if (kept == NULL) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory", owner->type->name);
    }
    dlb_owner_keep(other);
    *kept = (another){other, by, of, false, owner->let_go, owner->keeper};
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
    return keep_another(owner, other, NULL, NULL, error);
}

/* The owner that it keeps apart from those; NULL: none. */
static dlb_owner *base_of(const dlb_owner *owner)
{
    void (*let_go)(void *) = owner->let_go;
    void *keeper = owner->keeper;

    while (DLB_UNLIKELY(let_go == drop_another)) {
        let_go = ((another *)keeper)->let_go;
        keeper = ((another *)keeper)->keeper;
    }
    return let_go == drop_kept ? keeper : NULL;
}

static dlb_owner *whole_of(const dlb_owner *owner)
{
    return owner->apart ? NULL : base_of(owner);
}

dlb_owner *dlb_owner_whole(const dlb_owner *owner)
{
    return first_of(owner) == NULL ? whole_of(owner) : NULL;
}

/* The owner of the memory in which the object lies. */
static dlb_owner *home_of(dlb_owner *owner)
{
    while (owner->release == NULL && whole_of(owner) != NULL) {
        owner = whole_of(owner);
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

/* All that `from` keeps, or only what later calls let go of, `owner` keeps as well. */
static int share_kept(dlb_owner *owner, const dlb_owner *from, bool all, const void *by, const void *of, dlb_error *error)
{
    for (const another *kept = first_of(from); kept != NULL; kept = next_of(kept)) {
        if ((all || kept->by != NULL) && keep_another(owner, kept->other, by, of, error) != 0) {
            return -1;
        }
    }
    return 0;
}

int dlb_owner_show_kept(dlb_owner *owner, dlb_owner *whole, dlb_error *error)
{
    dlb_owner *const home = home_of(whole);

    return whole != home && share_kept(owner, whole, true, NULL, NULL, error) != 0
               ? -1
               : share_kept(owner, home, false, NULL, NULL, error);
}

/* `home` keeps it from now on. What lives in its own object lives as long anyway, but not what that shows. */
static int keep_one_more(dlb_owner *home, dlb_owner *other, const void *by, const void *of, dlb_error *error)
{
    if (home_of(other) != home) {
        return keep_another(home, other, by, of, error);
    }
    return other != home ? share_kept(home, other, true, by, of, error) : 0;
}

int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *by, dlb_error *error)
{
    dlb_owner *const home = home_of(owner);
    const void *const of = dlb_owner_object(owner);

    if (owner != home && owner->type->value > 0) { /* of an object that is a copy, nobody knows later which one it was */
        by = NULL;
    }
    if (!ends_with(home)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: it can keep nothing, since only the library knows when it ends",
                        owner->type->name);
    }
    for (another *kept = by != NULL ? first_of(home) : NULL; kept != NULL; kept = next_of(kept)) {
        kept->former = kept->former || (kept->by == by && kept->of == of);
    }
    for (int i = 0; i < count; i++) {
        if (keep_one_more(home, others[i], by, of, error) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Takes all that `owner` keeps beside its base, newest first. */
static another *take_all(dlb_owner *owner)
{
    another *const first = first_of(owner);
    another *last = first;

    while (last != NULL && next_of(last) != NULL) {
        last = next_of(last);
    }
    if (last != NULL) {
        owner->let_go = last->let_go;
        owner->keeper = last->keeper;
        last->let_go = NULL;
    }
    return first;
}

void dlb_owner_bequeath(dlb_owner *owner, dlb_owner *heir)
{
    dlb_owner *const home = heir != NULL && ends_with(home_of(heir)) ? home_of(heir) : NULL;
    dlb_owner *const base = base_of(owner);
    dlb_error error;
    another *next;

    if (base != NULL && (home == NULL || keep_one_more(home, base, NULL, NULL, &error) != 0)) {
        dlb_owner_keep(base); /* forever */
    }
    for (another *kept = take_all(owner); kept != NULL && home != NULL; kept = next) { /* without a home they are kept forever */
        next = next_of(kept);
        if (home_of(kept->other) == home) {
            (void)keep_one_more(home, kept->other, kept->by, kept->of, &error);
            dlb_owner_drop(kept->other);
            free(kept);
        } else {
            kept->let_go = home->let_go;
            kept->keeper = home->keeper;
            home->let_go = drop_another;
            home->keeper = kept;
        }
    }
}

void dlb_owner_forget(dlb_owner *owner, const void *by)
{
    dlb_owner *const home = home_of(owner);
    const void *const of = dlb_owner_object(owner);
    void (**let_go)(void *) = &home->let_go;
    void **keeper = &home->keeper;
    another *forgotten = NULL;

    while (*let_go == drop_another) {
        another *const kept = *keeper;

        if (kept->by == by && kept->of == of && kept->former) {
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
