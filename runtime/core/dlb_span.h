/* SPDX-License-Identifier: MIT-0 */
/* Declarations that tell where arrays lie in memory, and which owner has that memory. */
#ifndef DLB_SPAN_H_
#define DLB_SPAN_H_

#include "dlb_internal.h"

/* The addresses of an array, from its lowest byte to the one after its highest byte. If it has no elements, both are the address
 * of the data. */
typedef struct dlb_span {
    uintptr_t begin;
    uintptr_t end;
} dlb_span;
/* Returns the span of an array. If `strides` is NULL, the array is compact. */
DLB_API dlb_span dlb_span_of(const DLTensor *tensor);
/* Returns whether `part` lies entirely in `whole`. */
DLB_API bool dlb_lies_in(dlb_span part, dlb_span whole);
/* Returns whether the spans have an address in common. */
static inline bool dlb_overlaps(dlb_span one, dlb_span other)
{
    return one.begin < other.end && other.begin < one.end;
}

/* Returns the reference that the owner releases last: that to the owner of the containing object, or to the memory that the
 * object was made from. */
DLB_API dlb_kept dlb_owner_source(const dlb_owner *owner);
/* Returns whether the owner has `object`, in the form that functions of `type` take: an equal address, or equal bytes for
 * structs by value. */
DLB_API bool dlb_owner_has_object(const dlb_owner *owner, const dlb_type *type, const void *object);
/* Returns whether the object lies in the block of the owner. */
DLB_API bool dlb_owner_stores_object(const dlb_owner *owner);
/* Returns whether an import made the object, in storage of its own: the library does not know it, and must not release it. */
DLB_API bool dlb_owner_made_object(const dlb_owner *owner);
/* Finds an owner for which `is_wanted(owner, what)` is true: `owner`, or one that it keeps, directly or indirectly. Returns
 * NULL if there is none. After 256 owners it returns the next one, wanted or not: keeping that one also keeps its dependencies. */
DLB_API dlb_owner *dlb_owner_find(dlb_owner *owner, bool (*is_wanted)(const dlb_owner *owner, const void *what),
                                  const void *what);
/* Finds the owner, as dlb_owner_find() does, whose struct an import made and which has `object`. Returns NULL if there is none. */
DLB_API dlb_owner *dlb_owner_of_made(dlb_owner *owner, const dlb_type *type, const void *object);

#endif
