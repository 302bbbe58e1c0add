/* SPDX-License-Identifier: MIT-0 */
/* Exports an object once, without a Python object or another holder. */
#include "dlb_internal.h"

void dlb_delete_one_shot(DLManagedTensorVersioned *managed)
{
    (void)dlb_end_one_shot(managed);
}

int dlb_to_dlpack(const dlb_type *type, void *object, DLManagedTensorVersioned **out, dlb_error *error)
{
    dlb_owner *owner;

    if (dlb_own(type, object, &owner, error) != 0) {
        return -1;
    }
    if (dlb_export(owner, out, error) != 0) {
        dlb_owner_undo(owner);
        return -1;
    }
    dlb_owner_drop(owner);
    return 0;
}

int dlb_to_dlpack_legacy(const dlb_type *type, void *object, DLManagedTensor **out, dlb_error *error)
{
    dlb_owner *owner;

    if (dlb_own(type, object, &owner, error) != 0) {
        return -1;
    }
    if (dlb_export_legacy(owner, out, error) != 0) {
        dlb_owner_undo(owner);
        return -1;
    }
    dlb_owner_drop(owner);
    return 0;
}
