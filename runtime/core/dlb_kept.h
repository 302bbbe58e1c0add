/* SPDX-License-Identifier: MIT-0 */
/* The data structure of dependencies: a list of owners, and at its end the owner or the memory that the object comes from. */
#ifndef DLB_KEPT_H_
#define DLB_KEPT_H_

#include "dlb_internal.h"

/* An owner that another owner keeps alive. */
typedef struct dependency {
    dlb_kept next;      /* the next dependency, or the end of the list */
    dlb_owner *other;
    const void *setter; /* the function whose later calls may replace this; NULL: none */
    const void *target; /* the object that the setter was called with: its address, or the storage owner for the object of that owner */
    bool replaced;      /* the setter was called again, so dlb_owner_forget() drops this */
} dependency;

/* Release one owner, or a whole list of dependencies. Used as `let_go`. */
DLB_API void dlb_drop_kept(void *keeper);
DLB_API void dlb_drop_dependency(void *keeper);

/* Returns the start of the dependency list, after the guard and the strings, which come first when the owner has them. */
static inline dlb_kept *chain_of(dlb_owner *owner)
{
    dlb_kept *kept = &owner->kept;

    for (int i = 0; i < owner->wraps; i++) {
        kept = kept->keeper;
    }
    return kept;
}

/* Returns the start of the dependency list of an owner that must not be changed. */
static inline dlb_kept kept_by(const dlb_owner *owner)
{
    dlb_kept kept = owner->kept;

    for (int i = 0; i < owner->wraps; i++) {
        kept = *(const dlb_kept *)kept.keeper;
    }
    return kept;
}

/* Returns the dependency that `kept` refers to, or NULL if `kept` is the end of the list. */
static inline dependency *dependency_in(dlb_kept kept)
{
    return kept.let_go == dlb_drop_dependency ? kept.keeper : NULL;
}

/* Return the first dependency of an owner, and the next one in its list. Return NULL if there is none. */
static inline dependency *first_of(const dlb_owner *owner)
{
    return dependency_in(kept_by(owner));
}

static inline dependency *next_of(const dependency *kept)
{
    return dependency_in(kept->next);
}

/* Returns the owner at the end of the list: that of the object that contains this one, or a sibling (`keeps_sibling`). Returns
 * NULL if the list does not end with an owner. */
static inline dlb_owner *base_of(const dlb_owner *owner)
{
    dlb_kept kept = kept_by(owner);

    while (DLB_UNLIKELY(kept.let_go == dlb_drop_dependency)) {
        kept = ((dependency *)kept.keeper)->next;
    }
    return kept.let_go == dlb_drop_kept ? kept.keeper : NULL;
}

/* Returns the owner of the object that contains this one, or NULL if there is none. */
static inline dlb_owner *whole_of(const dlb_owner *owner)
{
    return owner->keeps_sibling ? NULL : base_of(owner);
}

/* Returns the owner of the memory that contains the object. Subobjects follow `whole_of` to it. */
static inline dlb_owner *storage_owner_of(dlb_owner *owner)
{
    while (owner->release == NULL && !owner->guarded && whole_of(owner) != NULL) {
        owner = whole_of(owner);
    }
    return owner;
}

/* Returns whether the object is a struct in the block of its owner. */
static inline bool lies_in_block(const dlb_owner *owner)
{
    return dlb_owner_object(owner) == (void *)((char *)(uintptr_t)owner + dlb_owner_box_at(owner->type));
}

#endif
