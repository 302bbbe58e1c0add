/* SPDX-License-Identifier: MIT-0 */
/* Where arrays lie in memory, and whose memory that is. */
#ifndef DLB_SPAN_H_
#define DLB_SPAN_H_

#include "dlb_internal.h"

/* The addresses of an array: from its lowest byte to the one behind its highest. Without elements, both are that of the data. */
typedef struct dlb_span {
    uintptr_t begin;
    uintptr_t end;
} dlb_span;
DLB_API dlb_span dlb_span_of(const DLTensor *tensor);
/* Whether all of `part` lies in `whole`. */
DLB_API bool dlb_lies_in(dlb_span part, dlb_span whole);
/* Whether they have an address in common. */
static inline bool dlb_overlaps(dlb_span one, dlb_span other)
{
    return one.begin < other.end && other.begin < one.end;
}

/* Returns the last thing that the owner lets go of: the owner that its object lives in, or the array that it was made from. */
DLB_API dlb_kept dlb_owner_source(const dlb_owner *owner);
/* Whether `object`, as the functions of `type` get it, is the object of the owner: the same address, or of structs by value the same
 * bytes. */
DLB_API bool dlb_owner_has_object(const dlb_owner *owner, const dlb_type *type, const void *object);
/* Whether the object lies in the block of the owner. */
DLB_API bool dlb_owner_stores_object(const dlb_owner *owner);
/* Whether an import made the object, in storage of its own: the library does not know it, and nothing may release it. */
DLB_API bool dlb_owner_made_object(const dlb_owner *owner);
/* Finds an owner that is wanted: `owner`, or one that it keeps, directly or through others. Returns NULL if there is none. After
 * 256 owners it returns the next one, wanted or not: whoever keeps that keeps what it keeps. */
DLB_API dlb_owner *dlb_owner_find(dlb_owner *owner, bool (*is_wanted)(const dlb_owner *owner, const void *what),
                                  const void *what);
/* Returns the owner among those whose struct an import made, and which has `object`; NULL: there is none. */
DLB_API dlb_owner *dlb_owner_of_made(dlb_owner *owner, const dlb_type *type, const void *object);

#endif
