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

/* The same for a caller who knows that the one holder, if there is but one, is used by nobody else at this moment: then
 * nothing else reaches the owner, and no atomic step is needed. */
static inline uint64_t take_share_alone(dlb_owner *owner)
{
    if (DLB_UNLIKELY(dlb_count_read(&owner->state) != DLB_HOLDER)) {
        return take_share(owner);
    }
    dlb_count_set(&owner->state, DLB_HOLDER + DLB_EXPORT + DLB_SLOT);
    return DLB_EXPORT + DLB_SLOT;
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

/* Describes into the slot, which the caller has taken. 0; -1 with `error` filled; or 1: the slot has not room for all axes. */
static inline int describe_slot(dlb_owner *owner, DLTensor *slot, dlb_view *view, dlb_error *error)
{
    view->tensor = slot;
    view->exporting = 1;
    if (DLB_UNLIKELY(dlb_describe_into(owner->type, owner->object, owner->axes, owner->capacity, view, error) != 0)) {
        return -1;
    }
    view->flags |= owner->flags;
    if (DLB_UNLIKELY(slot->shape != owner->axes)) {
        return 1;
    }
    dlb_leave_out_axes(slot);
    return 0;
}

/* The same with the slot of somebody else in use, into the view. */
static int describe_apart(const dlb_owner *owner, dlb_view *view, dlb_error *error)
{
    view->tensor = &view->own;
    view->exporting = 1;
    if (dlb_describe_into(owner->type, owner->object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        return -1;
    }
    view->flags |= owner->flags;
    return 0;
}

/* A block for what has been described outside of the slot, whose axes then are there. */
static void *new_block(dlb_view *view, size_t head, dlb_error *error)
{
    const size_t ndim = (size_t)view->tensor->ndim;
    char *const block = malloc(head + 2 * sizeof(int64_t) * ndim);
    int64_t *axes;

    if (block == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for an export", view->name);
        return NULL;
    }
    axes = (int64_t *)(void *)(block + head);
    memcpy(axes, view->tensor->shape, sizeof(int64_t) * ndim);
    memcpy(axes + ndim, view->tensor->strides, sizeof(int64_t) * ndim);
    view->tensor->shape = axes;
    view->tensor->strides = axes + ndim;
    dlb_leave_out_axes(view->tensor);
    return block;
}

/* The export does without the slot: somebody else has it, or it is too small for what has been described there. Holds
 * DLB_EXPORT afterwards, or nothing. */
DLB_COLD static void *leave_slot(dlb_owner *owner, uint64_t share, size_t head, dlb_view *view, dlb_error *error)
{
    void *block = NULL;
    int result = 0;

    if ((share & DLB_SLOT) != 0) {
        view->own = *view->tensor;
        view->tensor = &view->own;
        dlb_owner_give_back(owner, DLB_SLOT);
    } else {
        result = describe_apart(owner, view, error);
    }
    if (result == 0) {
        block = new_block(view, head, error);
    }
    if (block == NULL) {
        dlb_owner_give_back(owner, DLB_EXPORT);
    }
    return block;
}

uint64_t dlb_describe_export(dlb_owner *owner, DLTensor *slot, size_t head, dlb_view *view, void **block,
                             dlb_error *error)
{
    const uint64_t share = take_share(owner);
    const int result = (share & DLB_SLOT) != 0 ? describe_slot(owner, slot, view, error) : 1;

    *block = NULL;
    if (result < 0) {
        dlb_owner_give_back(owner, share);
        return 0;
    }
    if (result == 0) {
        return share;
    }
    *block = leave_slot(owner, share, head, view, error);
    return *block != NULL ? DLB_EXPORT : 0;
}

static inline void fill_legacy(DLManagedTensor *managed, dlb_owner *owner, void (*deleter)(DLManagedTensor *managed))
{
    managed->manager_ctx = owner;
    managed->deleter = deleter;
}

DLManagedTensorVersioned *dlb_fill_versioned(dlb_owner *owner, const dlb_view *view, void *block)
{
    DLManagedTensorVersioned *const managed = block != NULL ? block : &owner->slot.versioned;

    if (block != NULL) {
        managed->dl_tensor = *view->tensor;
    }
    dlb_manage(managed, owner, block != NULL ? dlb_delete_versioned_block : dlb_delete_versioned_slot, view->flags);
    return managed;
}

DLManagedTensor *dlb_fill_legacy(dlb_owner *owner, const dlb_view *view, void *block)
{
    DLManagedTensor *const managed = block != NULL ? block : &owner->slot.legacy;

    if (block != NULL) {
        managed->dl_tensor = *view->tensor;
    }
    fill_legacy(managed, owner, block != NULL ? dlb_delete_legacy_block : dlb_delete_legacy_slot);
    return managed;
}

int dlb_no_legacy(const dlb_type *type, dlb_error *error)
{
    return dlb_fail(error, DLB_BUFFER_ERROR,
                    "%s: read-only data needs a versioned capsule: ask with max_version=(1, 0) or later", type->name);
}

DLB_COLD static int export_block(dlb_owner *owner, uint64_t share, dlb_view *view, DLManagedTensorVersioned **out,
                                 dlb_error *error)
{
    void *const block = leave_slot(owner, share, sizeof(dlb_versioned_block), view, error);

    if (block == NULL) {
        return -1;
    }
    *out = dlb_fill_versioned(owner, view, block);
    return 0;
}

/* What is not described in one step, with a share that has been taken. */
DLB_APART static int export_closely(dlb_owner *owner, uint64_t share, DLManagedTensorVersioned **out, dlb_error *error)
{
    DLManagedTensorVersioned *const managed = &owner->slot.versioned;
    dlb_view view;

    view.gather = NULL;
    if (DLB_UNLIKELY((share & DLB_SLOT) == 0)) {
        return export_block(owner, share, &view, out, error);
    }
    switch (describe_slot(owner, &managed->dl_tensor, &view, error)) {
    case 0:
        dlb_manage(managed, owner, dlb_delete_versioned_slot, view.flags);
        *out = managed;
        return 0;
    case 1:
        return export_block(owner, DLB_EXPORT + DLB_SLOT, &view, out, error);
    default:
        dlb_owner_give_back(owner, DLB_EXPORT + DLB_SLOT);
        return -1;
    }
}

/* The flags of what has been described in the slot of that share, or -1. */
static inline int describe_usual(dlb_owner *owner, uint64_t share, DLTensor *slot)
{
    const dlb_type *const type = owner->type;

    if (DLB_UNLIKELY((share & DLB_SLOT) == 0 || type->describe_usual == NULL)) {
        return -1;
    }
    return type->describe_usual(owner->object, slot, owner->axes);
}

/* With a share that has been taken. */
static inline int export_with(dlb_owner *owner, uint64_t share, DLManagedTensorVersioned **out, dlb_error *error)
{
    DLManagedTensorVersioned *const managed = &owner->slot.versioned;
    const int flags = describe_usual(owner, share, &managed->dl_tensor);

    if (DLB_UNLIKELY(flags < 0)) {
        return export_closely(owner, share, out, error);
    }
    dlb_manage(managed, owner, dlb_delete_versioned_slot, (uint64_t)flags | owner->flags);
    *out = managed;
    return 0;
}

int dlb_export(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    return DLB_UNLIKELY(owner->special != NULL) ? dlb_export_special(owner, out, error)
                                                : export_with(owner, take_share(owner), out, error);
}

int dlb_export_alone(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    return DLB_UNLIKELY(owner->special != NULL) ? dlb_export_special(owner, out, error)
                                                : export_with(owner, take_share_alone(owner), out, error);
}

/* What a legacy tensor cannot say: a copy can, where the type allows one. */
DLB_COLD static int export_readonly(const dlb_owner *owner, const dlb_view *view, DLManagedTensor **out,
                                    dlb_error *error)
{
    return owner->type->legacy_copy ? dlb_copy_view_legacy(owner, view, NULL, out, error)
                                    : dlb_no_legacy(owner->type, error);
}

DLB_COLD static int export_legacy_block(dlb_owner *owner, uint64_t share, dlb_view *view, DLManagedTensor **out,
                                        dlb_error *error)
{
    void *const block = leave_slot(owner, share, sizeof(dlb_legacy_block), view, error);

    if (block == NULL) {
        return -1;
    }
    if ((view->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        const int result = export_readonly(owner, view, out, error);

        free(block);
        dlb_owner_give_back(owner, DLB_EXPORT);
        return result;
    }
    *out = dlb_fill_legacy(owner, view, block);
    return 0;
}

/* What is not described in one step, with a share that has been taken. */
DLB_APART static int export_legacy_closely(dlb_owner *owner, uint64_t share, DLManagedTensor **out, dlb_error *error)
{
    DLManagedTensor *const managed = &owner->slot.legacy;
    dlb_view view;
    int result;

    view.gather = NULL;
    if (DLB_UNLIKELY((share & DLB_SLOT) == 0)) {
        return export_legacy_block(owner, share, &view, out, error);
    }
    result = describe_slot(owner, &managed->dl_tensor, &view, error);
    if (DLB_UNLIKELY(result > 0)) {
        return export_legacy_block(owner, share, &view, out, error);
    }
    if (result == 0 && (view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) == 0) {
        fill_legacy(managed, owner, dlb_delete_legacy_slot);
        *out = managed;
        return 0;
    }
    if (result == 0) {
        result = export_readonly(owner, &view, out, error);
    }
    dlb_owner_give_back(owner, DLB_EXPORT + DLB_SLOT);
    return result;
}

/* With a share that has been taken. */
static inline int export_legacy_with(dlb_owner *owner, uint64_t share, DLManagedTensor **out, dlb_error *error)
{
    DLManagedTensor *const managed = &owner->slot.legacy;
    const int flags = describe_usual(owner, share, &managed->dl_tensor);

    if (DLB_UNLIKELY(flags < 0 || (((uint64_t)flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)) {
        return export_legacy_closely(owner, share, out, error);
    }
    fill_legacy(managed, owner, dlb_delete_legacy_slot);
    *out = managed;
    return 0;
}

int dlb_export_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    return DLB_UNLIKELY(owner->special != NULL) ? dlb_export_special_legacy(owner, out, error)
                                                : export_legacy_with(owner, take_share(owner), out, error);
}

int dlb_export_legacy_alone(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    return DLB_UNLIKELY(owner->special != NULL) ? dlb_export_special_legacy(owner, out, error)
                                                : export_legacy_with(owner, take_share_alone(owner), out, error);
}
