/* SPDX-License-Identifier: MIT-0 */
/* Exports and describes owners with hooks: their types have an access scope, or may copy. */
#include "dlb_gather.h"

#include <stdlib.h>

/* ---- Deleters that leave an access scope; whether an export may write is known when it is made ---- */

static void delete_legacy_slot(DLManagedTensor *managed)
{
    dlb_access_end(managed->manager_ctx, true);
    dlb_delete_legacy_slot(managed);
}

static void delete_legacy_block(DLManagedTensor *managed)
{
    dlb_access_end(managed->manager_ctx, true);
    dlb_delete_legacy_block(managed);
}

static void delete_reading_slot(DLManagedTensorVersioned *managed)
{
    dlb_access_end(managed->manager_ctx, false);
    dlb_delete_versioned_slot(managed);
}

static void delete_reading_block(DLManagedTensorVersioned *managed)
{
    dlb_access_end(managed->manager_ctx, false);
    dlb_delete_versioned_block(managed);
}

static void delete_writing_slot(DLManagedTensorVersioned *managed)
{
    dlb_access_end(managed->manager_ctx, true);
    dlb_delete_versioned_slot(managed);
}

static void delete_writing_block(DLManagedTensorVersioned *managed)
{
    dlb_access_end(managed->manager_ctx, true);
    dlb_delete_versioned_block(managed);
}

/* ---- Exports ---- */

/* An export that is not complete yet. */
typedef struct pending_export {
    dlb_view view;
    dlb_gather gather;
    void *block;
} pending_export;

int dlb_no_tensor(const dlb_type *type, dlb_error *error)
{
    return dlb_fail(error, DLB_TYPE_ERROR, "%s is not an array", type->name);
}

/* Enters the access scope, and describes the object for an export. Returns 0, or -1 with `error` filled; then the scope is left. */
static int begin_export(pending_export *pending, dlb_owner *owner, DLTensor *slot, size_t head, dlb_error *error)
{
    if (owner->type->describe == NULL) {
        return dlb_no_tensor(owner->type, error);
    }
    dlb_creator_collect();
    if (dlb_access_begin(owner, error) != 0) {
        return -1;
    }
    pending->view.gather = dlb_gather_start(&pending->gather, owner->type, true);
    if (dlb_describe_export(owner, slot, head, &pending->view, &pending->block, error) != 0) {
        dlb_gather_end(pending->view.gather);
        dlb_access_end(owner, false);
        return -1;
    }
    return 0;
}

/* Frees the block, leaves the access scope, and no longer counts the export. Returns `result`, that of a copy or a failure. */
static int cancel_export(pending_export *pending, dlb_owner *owner, int result)
{
    dlb_gather_end(pending->view.gather);
    free(pending->block);
    dlb_access_end(owner, false);
    dlb_owner_give_back(owner, DLB_EXPORT);
    return result;
}

/* Returns whether the export must be a copy. */
static bool is_copy(const pending_export *pending, const dlb_owner *owner)
{
    return owner->type->copy == DLB_COPY_ALWAYS || (pending->view.gather != NULL && pending->gather.used);
}

int dlb_export_with_hooks(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    DLManagedTensorVersioned *managed;
    pending_export pending;

    if (begin_export(&pending, owner, &owner->slot.versioned.dl_tensor, sizeof(dlb_versioned_block), error) != 0) {
        return -1;
    }
    if (is_copy(&pending, owner)) {
        return cancel_export(&pending, owner, dlb_copy_view(owner, &pending.view, pending.view.gather, out, error));
    }
    dlb_gather_end(pending.view.gather);
    managed = dlb_fill_versioned(owner, &pending.view, pending.block);
    if (dlb_has_access_scope(owner->type) && (pending.view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        managed->deleter = pending.block != NULL ? delete_reading_block : delete_reading_slot;
    } else if (dlb_has_access_scope(owner->type)) {
        managed->deleter = pending.block != NULL ? delete_writing_block : delete_writing_slot;
        dlb_access_write(owner);
    }
    *out = managed;
    return 0;
}

int dlb_export_legacy_with_hooks(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    DLManagedTensor *managed;
    pending_export pending;
    bool readonly;

    if (begin_export(&pending, owner, &owner->slot.legacy.dl_tensor, sizeof(dlb_legacy_block), error) != 0) {
        return -1;
    }
    readonly = (pending.view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    if (is_copy(&pending, owner) || (readonly && owner->type->legacy_copy)) {
        return cancel_export(&pending, owner, dlb_copy_view_legacy(owner, &pending.view, pending.view.gather, out, error));
    }
    if (readonly) {
        return cancel_export(&pending, owner, dlb_no_legacy(owner->type, error));
    }
    dlb_gather_end(pending.view.gather);
    managed = dlb_fill_legacy(owner, &pending.view, pending.block);
    if (dlb_has_access_scope(owner->type)) {
        managed->deleter = pending.block != NULL ? delete_legacy_block : delete_legacy_slot;
        dlb_access_write(owner);
    }
    *out = managed;
    return 0;
}

/* ---- Descriptions ---- */

int dlb_view_with_hooks(dlb_owner *owner, dlb_view *view, dlb_error *error)
{
    const dlb_type *const type = owner->type;
    dlb_gather gather;
    int result;

    if (type->describe == NULL) {
        return dlb_no_tensor(type, error);
    }
    dlb_creator_collect();
    if (dlb_access_begin(owner, error) != 0) {
        return -1;
    }
    view->tensor = &view->own;
    view->exporting = 0;
    view->gather = dlb_gather_start(&gather, type, false);
    result = dlb_describe_into(type, owner->object, view->axes, DLB_MAX_NDIM, view, error);
    dlb_access_end(owner, false);
    dlb_gather_end(view->gather);
    if (result != 0) {
        return result;
    }
    view->flags |= owner->flags;
    if (type->copy == DLB_COPY_ALWAYS || (view->gather != NULL && gather.used)) {
        dlb_show_copy(view->tensor);
        view->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
    }
    if (type->acquire != NULL || type->restore != NULL) {
        view->tensor->data = NULL;
    }
    view->gather = NULL;
    return 0;
}
