/* SPDX-License-Identifier: MIT-0 */
/* Finds where arrays lie in memory, and which owner that is reachable from another one has that memory. No function here uses Python. */
#include "dlb_span.h"

#include "dlb_kept.h"

#include <string.h>

dlb_span dlb_span_of(const DLTensor *tensor)
{
    const int64_t bits = (int64_t)tensor->dtype.bits * tensor->dtype.lanes;
    const uintptr_t data = (uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset;
    int64_t low = 0, high = 0, step = 1;

    if (dlb_element_count(tensor) == 0) {
        return (dlb_span){data, data};
    }
    for (int32_t axis = tensor->ndim - 1; axis >= 0; axis--) {
        const int64_t reach = (tensor->strides != NULL ? tensor->strides[axis] : step) * (tensor->shape[axis] - 1);

        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
        step *= tensor->shape[axis];
    }
    return (dlb_span){data - (uintptr_t)dlb_nbytes(tensor->dtype, -low), data + (uintptr_t)(((high + 1) * bits + 7) / 8)};
}

bool dlb_lies_in(dlb_span part, dlb_span whole)
{
    return whole.begin <= part.begin && part.begin <= part.end && part.end <= whole.end;
}

dlb_kept dlb_owner_source(const dlb_owner *owner)
{
    dlb_kept kept = kept_by(owner);

    while (kept.let_go == dlb_drop_dependency) {
        kept = ((const dependency *)kept.keeper)->next;
    }
    return kept;
}

bool dlb_owner_has_object(const dlb_owner *owner, const dlb_type *type, const void *object)
{
    if (type->value > 0) {
        return owner->type->value == type->value && memcmp(owner->object, object, type->value) == 0;
    }
    return dlb_owner_object(owner) == (type->state > 0 ? dlb_first_member(object) : object);
}

bool dlb_owner_stores_object(const dlb_owner *owner)
{
    return owner->type->value == 0 && lies_in_block(owner);
}

bool dlb_owner_made_object(const dlb_owner *owner)
{
    return owner->foreign && owner->type->importer != NULL && owner->type->importer->box > 0;
}

/* The state of dlb_owner_find(). */
typedef struct search {
    bool (*is_wanted)(const dlb_owner *owner, const void *what);
    const void *what;
    int left; /* the number of owners that it may still look at */
} search;

/* Searches the dependencies recursively, and the owners at the end of their lists in a loop. */
static dlb_owner *find(search *wanted, dlb_owner *owner)
{
    while (owner != NULL) {
        if (wanted->left-- <= 0 || wanted->is_wanted(owner, wanted->what)) {
            return owner;
        }
        for (const dependency *kept = first_of(owner); kept != NULL; kept = next_of(kept)) {
            dlb_owner *const found = find(wanted, kept->other);

            if (found != NULL) {
                return found;
            }
        }
        owner = base_of(owner);
    }
    return NULL;
}

dlb_owner *dlb_owner_find(dlb_owner *owner, bool (*is_wanted)(const dlb_owner *owner, const void *what), const void *what)
{
    enum { MOST = 256 };
    search wanted = {is_wanted, what, MOST};

    return find(&wanted, owner);
}

/* An object in the form that functions of its type take. */
typedef struct typed_object {
    const dlb_type *type;
    const void *object;
} typed_object;

/* Returns whether an import made the object that is searched for, in this owner. */
static bool made_it(const dlb_owner *owner, const void *what)
{
    const typed_object *const wanted = what;

    return dlb_owner_made_object(owner) && dlb_owner_has_object(owner, wanted->type, wanted->object);
}

dlb_owner *dlb_owner_of_made(dlb_owner *owner, const dlb_type *type, const void *object)
{
    const typed_object wanted = {type, object};
    dlb_owner *const found = dlb_owner_find(owner, made_it, &wanted);

    return found != NULL && made_it(found, &wanted) ? found : NULL;
}
