/* SPDX-License-Identifier: MIT-0 */
/* The only export of an object, in one step with its owner. */
#include "dlb_internal.h"

#include <stdlib.h>

/* Its managed tensor is the owner as well: there is nothing else to share. */
typedef struct single {
    DLManagedTensorVersioned managed;
    void (*release)(void *object);
    void *object;
    int64_t axes[];
} single;

static void delete_single(DLManagedTensorVersioned *managed)
{
    single *const alone = managed->manager_ctx;

    if (alone->release != NULL) {
        alone->release(alone->object);
    }
    free(alone);
}

/* 0; -1 without memory, and `error` filled; or 1: the object must be looked at more closely. */
static int export_single(const dlb_type *type, void *object, DLManagedTensorVersioned **out, dlb_error *error)
{
    single *const alone = malloc(sizeof *alone + 2 * sizeof(int64_t) * (size_t)dlb_capacity(type->ndim));
    int flags;

    if (DLB_UNLIKELY(alone == NULL)) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for its owner", type->name);
    }
    flags = type->describe_usual(object, &alone->managed.dl_tensor, alone->axes);
    if (DLB_UNLIKELY(flags < 0)) {
        free(alone);
        return 1;
    }
    alone->release = type->release;
    alone->object = object;
    if (type->retain != NULL) {
        type->retain(object);
    }
    dlb_manage(&alone->managed, alone, delete_single, (uint64_t)flags);
    *out = &alone->managed;
    return 0;
}

int dlb_to_dlpack(const dlb_type *type, void *object, DLManagedTensorVersioned **out, dlb_error *error)
{
    dlb_owner *owner;

    if (type->describe_usual != NULL && type->state == 0 && type->release_on == DLB_RELEASE_ANY && object != NULL) {
        const int result = export_single(type, object, out, error);

        if (DLB_LIKELY(result <= 0)) {
            return result;
        }
    }
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
