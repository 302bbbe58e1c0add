/* SPDX-License-Identifier: MIT-0 */
/* What a library wants to be done before the first export of an object, when the last one that may write has gone, and when
 * nothing is left of any: one thing at a time for each owner, on whichever thread it happens. */
#include "dlb_internal.h"

int dlb_access_begin(dlb_owner *owner, dlb_error *error)
{
    const dlb_type *const type = owner->type;
    dlb_special *const special = owner->special;
    int result = 0;

    if (special == NULL || !dlb_has_access_scope(type)) {
        return 0;
    }
    dlb_lock(&special->lock);
    if (special->living == 0 && type->acquire != NULL) {
        result = type->acquire(owner->object, error);
    }
    if (result == 0) {
        special->living++;
    }
    dlb_unlock(&special->lock);
    return result;
}

void dlb_access_write(dlb_owner *owner)
{
    dlb_special *const special = owner->special;

    dlb_lock(&special->lock);
    special->writing++;
    dlb_unlock(&special->lock);
}

void dlb_access_end(dlb_owner *owner, bool writing)
{
    const dlb_type *const type = owner->type;
    dlb_special *const special = owner->special;

    if (special == NULL || !dlb_has_access_scope(type)) {
        return;
    }
    dlb_lock(&special->lock);
    if (writing && --special->writing == 0 && type->after_write != NULL) {
        type->after_write(owner->object);
    }
    if (--special->living == 0 && type->restore != NULL) {
        type->restore(owner->object);
    }
    dlb_unlock(&special->lock);
}
