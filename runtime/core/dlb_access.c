/* SPDX-License-Identifier: MIT-0 */
/* Implements access scopes. `acquire` runs before the first export of an object, `after_write` after the last export that may
 * write, and `restore` after the last export. A lock in each owner serialises these calls, which may come
 * from any thread. */
#include "dlb_internal.h"

int dlb_access_begin(dlb_owner *owner, dlb_error *error)
{
    const dlb_type *const type = owner->type;
    dlb_hook_state *const hooks = owner->hooks;
    int result = 0;

    if (hooks == NULL || !dlb_has_access_scope(type)) {
        return 0;
    }
    dlb_lock(&hooks->lock);
    if (hooks->living == 0 && type->acquire != NULL) {
        result = type->acquire(owner->object, error);
    }
    if (result == 0) {
        hooks->living++;
    }
    dlb_unlock(&hooks->lock);
    return result;
}

void dlb_access_write(dlb_owner *owner)
{
    dlb_hook_state *const hooks = owner->hooks;

    dlb_lock(&hooks->lock);
    hooks->writing++;
    dlb_unlock(&hooks->lock);
}

void dlb_access_end(dlb_owner *owner, bool writing)
{
    const dlb_type *const type = owner->type;
    dlb_hook_state *const hooks = owner->hooks;

    if (hooks == NULL || !dlb_has_access_scope(type)) {
        return;
    }
    dlb_lock(&hooks->lock);
    if (writing && --hooks->writing == 0 && type->after_write != NULL) {
        type->after_write(owner->object);
    }
    if (--hooks->living == 0 && type->restore != NULL) {
        type->restore(owner->object);
    }
    dlb_unlock(&hooks->lock);
}
