/* SPDX-License-Identifier: MIT-0 */
/* Managed tensors that hang on an owner. */
#include "dlb_internal.h"

#include <stdlib.h>
#include <string.h>

/* Counts one more export and, when nobody uses it, takes the owner's own managed tensor for it. The caller holds a
 * share, so the owner cannot end meanwhile. */
static uint64_t take_share(dlb_owner *owner)
{
    uint64_t seen = dlb_count_read(&owner->state);
    uint64_t share;

    do {
        share = (seen & DLB_SLOT) != 0 ? DLB_EXPORT : DLB_EXPORT + DLB_SLOT;
    } while (!dlb_count_replace(&owner->state, &seen, seen + share));
    return share;
}

/* ---- Deleters ---- */

void dlb_delete_legacy_slot(DLManagedTensor *managed)
{
    dlb_owner_give_back(managed->manager_ctx, DLB_EXPORT + DLB_SLOT);
}

void dlb_delete_versioned_slot(DLManagedTensorVersioned *managed)
{
    dlb_owner_give_back(managed->manager_ctx, DLB_EXPORT + DLB_SLOT);
}

void dlb_delete_legacy_block(DLManagedTensor *managed)
{
    dlb_owner *const owner = managed->manager_ctx;

    free(managed);
    dlb_owner_give_back(owner, DLB_EXPORT);
}

void dlb_delete_versioned_block(DLManagedTensorVersioned *managed)
{
    dlb_owner *const owner = managed->manager_ctx;

    free(managed);
    dlb_owner_give_back(owner, DLB_EXPORT);
}

/* ---- One export ---- */

/* See dlb_describe_export(); inlined, since nearly every export comes here. */
static inline uint64_t describe_export(dlb_owner *owner, dlb_view *view, size_t head, void **block, dlb_error *error)
{
    uint64_t share = take_share(owner);
    const bool slot = (share & DLB_SLOT) != 0;
    int64_t *axes = slot ? owner->axes : view->axes;
    int32_t ndim;

    view->exporting = 1;
    if (DLB_UNLIKELY(dlb_describe_into(owner->type, owner->object, axes, slot ? owner->capacity : DLB_MAX_NDIM, view,
                                       error) != 0)) {
        dlb_owner_give_back(owner, share);
        return 0;
    }
    view->flags |= owner->flags;
    *block = NULL;
    if (slot && view->tensor.shape == owner->axes) {
        return share;
    }
    if (slot) { /* more axes than the slot has room for */
        dlb_owner_give_back(owner, DLB_SLOT);
        share = DLB_EXPORT;
    }
    ndim = view->tensor.ndim;
    *block = malloc(head + 2 * sizeof(int64_t) * (size_t)ndim);
    if (*block == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for an export", view->name);
        dlb_owner_give_back(owner, share);
        return 0;
    }
    axes = (int64_t *)(void *)((char *)*block + head);
    memcpy(axes, view->tensor.shape, sizeof(int64_t) * (size_t)ndim);
    memcpy(axes + ndim, view->tensor.strides, sizeof(int64_t) * (size_t)ndim);
    view->tensor.shape = axes;
    view->tensor.strides = axes + ndim;
    return share;
}

uint64_t dlb_describe_export(dlb_owner *owner, dlb_view *view, size_t head, void **block, dlb_error *error)
{
    return describe_export(owner, view, head, block, error);
}

static inline void fill_tensor(DLTensor *tensor, const dlb_view *view)
{
    *tensor = view->tensor;
    if (tensor->ndim == 0) { /* dlpack.h: only then may they be NULL */
        tensor->shape = NULL;
        tensor->strides = NULL;
    }
}

static inline DLManagedTensorVersioned *fill_versioned(dlb_owner *owner, const dlb_view *view, void *block)
{
    DLManagedTensorVersioned *const managed = block != NULL ? block : &owner->slot.versioned;

    managed->version = (DLPackVersion){DLB_VERSION_MAJOR, DLB_VERSION_MINOR};
    managed->manager_ctx = owner;
    managed->flags = view->flags;
    fill_tensor(&managed->dl_tensor, view);
    return managed;
}

static inline DLManagedTensor *fill_legacy(dlb_owner *owner, const dlb_view *view, void *block)
{
    DLManagedTensor *const managed = block != NULL ? block : &owner->slot.legacy;

    managed->manager_ctx = owner;
    fill_tensor(&managed->dl_tensor, view);
    return managed;
}

DLManagedTensorVersioned *dlb_fill_versioned(dlb_owner *owner, const dlb_view *view, void *block)
{
    return fill_versioned(owner, view, block);
}

DLManagedTensor *dlb_fill_legacy(dlb_owner *owner, const dlb_view *view, void *block)
{
    return fill_legacy(owner, view, block);
}

int dlb_no_legacy(const dlb_type *type, dlb_error *error)
{
    return dlb_fail(error, DLB_BUFFER_ERROR,
                    "%s: read-only data needs a versioned capsule: ask with max_version=(1, 0) or later", type->name);
}

int dlb_export(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    DLManagedTensorVersioned *managed;
    dlb_view view;
    void *block;

    if (DLB_UNLIKELY(owner->special != NULL)) {
        return dlb_export_special(owner, out, error);
    }
    view.gather = NULL;
    if (DLB_UNLIKELY(describe_export(owner, &view, sizeof(dlb_versioned_block), &block, error) == 0)) {
        return -1;
    }
    managed = fill_versioned(owner, &view, block);
    managed->deleter = block != NULL ? dlb_delete_versioned_block : dlb_delete_versioned_slot;
    *out = managed;
    return 0;
}

int dlb_export_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    DLManagedTensor *managed;
    uint64_t share;
    dlb_view view;
    void *block;

    if (DLB_UNLIKELY(owner->special != NULL)) {
        return dlb_export_special_legacy(owner, out, error);
    }
    view.gather = NULL;
    share = describe_export(owner, &view, sizeof(dlb_legacy_block), &block, error);
    if (DLB_UNLIKELY(share == 0)) {
        return -1;
    }
    if (DLB_UNLIKELY((view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)) {
        const int result = owner->type->legacy_copy ? dlb_copy_view_legacy(owner, &view, NULL, out, error)
                                                    : dlb_no_legacy(owner->type, error);

        free(block);
        dlb_owner_give_back(owner, share);
        return result;
    }
    managed = fill_legacy(owner, &view, block);
    managed->deleter = block != NULL ? dlb_delete_legacy_block : dlb_delete_legacy_slot;
    *out = managed;
    return 0;
}

int dlb_owner_view(const dlb_owner *owner, dlb_view *view, dlb_error *error)
{
    if (DLB_UNLIKELY(owner->special != NULL)) {
        return dlb_view_special((dlb_owner *)(uintptr_t)owner, view, error);
    }
    view->exporting = 0;
    view->gather = NULL;
    if (dlb_describe_into(owner->type, owner->object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        return -1;
    }
    view->flags |= owner->flags;
    return 0;
}

int dlb_borrow(dlb_owner *owner, DLTensor *out, dlb_error *error)
{
    const dlb_type *const type = owner->type;
    dlb_view view;

    if (DLB_UNLIKELY(type->describe == NULL)) {
        return dlb_no_tensor(type, error);
    }
    if (DLB_UNLIKELY(type->copy == DLB_COPY_ALWAYS || dlb_has_bracket(type))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data is there only while it is exported", type->name);
    }
    view.exporting = 1;
    view.gather = NULL;
    if (DLB_UNLIKELY(dlb_describe_into(type, owner->object, owner->axes + 2 * owner->capacity, owner->capacity, &view,
                                       error) != 0)) {
        return -1;
    }
    if (DLB_UNLIKELY(((view.flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data is read-only, which a borrowed view cannot say",
                        type->name);
    }
    if (DLB_UNLIKELY(view.tensor.shape == view.axes)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: a borrowed view has room for %d axes, not for %d", type->name,
                        (int)owner->capacity, (int)view.tensor.ndim);
    }
    fill_tensor(out, &view);
    return 0;
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
