/* SPDX-License-Identifier: MIT */
/* Owners of boxes that keep others. For one file per program. */
#ifndef KEEPS_H_
#define KEEPS_H_

#include "boxes.h"
#include "core/owner.h"

static const char setter, other_setter;

static inline dlb_owner *own_new(const dlb_type *type)
{
    dlb_owner *owner = NULL;

    CHECK(dlb_own(type, box_new(1), &owner, &error) == 0);
    return owner;
}

/* An owner whose object lives in that of `whole`. */
static inline dlb_owner *own_inside(dlb_owner *whole, void *object)
{
    dlb_owner *owner = NULL;

    CHECK(dlb_own_subobject(whole, &borrowed_type, object, 0, &owner, &error) == 0);
    return owner;
}

static inline int give(dlb_owner *owner, dlb_owner *other, const void *by)
{
    return dlb_owner_keep_others(owner, &other, 1, by, &error);
}

/* Gives a new owner, which nobody else holds then. */
static inline void give_new(dlb_owner *owner, const void *by)
{
    dlb_owner *const other = own_new(&plain_type);

    CHECK(give(owner, other, by) == 0);
    dlb_owner_drop(other);
}

/* Lets go of all that the setter gave. */
static inline void forget_all(dlb_owner *owner, const void *by)
{
    CHECK(dlb_owner_keep_others(owner, NULL, 0, by, &error) == 0);
    dlb_owner_forget(owner, by);
}

#endif
