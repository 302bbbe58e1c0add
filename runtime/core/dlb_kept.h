/* SPDX-License-Identifier: MIT-0 */
/* How owners hold what they keep: a chain of others, and at its end what the object lives in, or came from. */
#ifndef DLB_KEPT_H_
#define DLB_KEPT_H_

#include "dlb_internal.h"

/* One more that an owner keeps. */
typedef struct dependency {
    dlb_kept next;      /* what it kept before */
    dlb_owner *other;
    const void *setter; /* whose later calls let go of it; NULL: nobody's */
    const void *target; /* the object of such calls: its address; of what the owner itself owns, the owner's */
    bool replaced;      /* such a call has begun */
} dependency;

/* How an owner lets go of another one, and of several. */
DLB_API void dlb_drop_kept(void *keeper);
DLB_API void dlb_drop_dependency(void *keeper);

/* What the owner keeps, behind its guard and its texts. */
static inline dlb_kept *chain_of(dlb_owner *owner)
{
    dlb_kept *kept = &owner->kept;

    for (int i = 0; i < owner->wraps; i++) {
        kept = kept->keeper;
    }
    return kept;
}

static inline dlb_kept kept_by(const dlb_owner *owner)
{
    dlb_kept kept = owner->kept;

    for (int i = 0; i < owner->wraps; i++) {
        kept = *(const dlb_kept *)kept.keeper;
    }
    return kept;
}

static inline dependency *dependency_in(dlb_kept kept)
{
    return kept.let_go == dlb_drop_dependency ? kept.keeper : NULL;
}

/* The first of those that an owner keeps, and the one behind it; NULL: none. */
static inline dependency *first_of(const dlb_owner *owner)
{
    return dependency_in(kept_by(owner));
}

static inline dependency *next_of(const dependency *kept)
{
    return dependency_in(kept->next);
}

/* The owner that it keeps apart from those; NULL: none. */
static inline dlb_owner *base_of(const dlb_owner *owner)
{
    dlb_kept kept = kept_by(owner);

    while (DLB_UNLIKELY(kept.let_go == dlb_drop_dependency)) {
        kept = ((dependency *)kept.keeper)->next;
    }
    return kept.let_go == dlb_drop_kept ? kept.keeper : NULL;
}

static inline dlb_owner *whole_of(const dlb_owner *owner)
{
    return owner->keeps_sibling ? NULL : base_of(owner);
}

/* The owner of the memory in which the object lies. */
static inline dlb_owner *storage_owner_of(dlb_owner *owner)
{
    while (owner->release == NULL && !owner->guarded && whole_of(owner) != NULL) {
        owner = whole_of(owner);
    }
    return owner;
}

/* Whether the object is a struct in the owner's block. */
static inline bool lies_in_block(const dlb_owner *owner)
{
    return dlb_owner_object(owner) == (void *)((char *)(uintptr_t)owner + dlb_owner_box_at(owner->type));
}

#endif
