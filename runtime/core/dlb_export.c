/* SPDX-License-Identifier: MIT-0 */
/* Makes managed tensors that keep their owner alive. */
#include "dlb_gather.h"

#include <stdlib.h>

/* Counts one more export. Returns true if no other export lives; then this one has the slot. The caller must hold a share, so
 * that the owner cannot end meanwhile. */
static inline bool count_export(dlb_owner *owner)
{
    return dlb_count_enter(&owner->state, DLB_EXPORT) % DLB_HOLDER == 0;
}

/* ---- Deleters ---- */

void dlb_delete_legacy_slot(DLManagedTensor *managed)
{
    dlb_owner_give_back(managed->manager_ctx, DLB_EXPORT);
}

void dlb_delete_versioned_slot(DLManagedTensorVersioned *managed)
{
    dlb_owner_give_back(managed->manager_ctx, DLB_EXPORT);
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

/* Describes into the slot, which this export has. Returns 0, or -1 with `error` filled. Returns 1 if the slot has too little
 * capacity for the axes. */
static inline int describe_slot(dlb_owner *owner, DLTensor *slot, dlb_view *view, dlb_error *error)
{
    view->tensor = slot;
    view->exporting = 1;
    if (DLB_UNLIKELY(dlb_describe_into(owner->type, owner->object, owner->slot_axes, owner->capacity, view, error) != 0)) {
        return -1;
    }
    view->flags |= owner->flags;
    if (DLB_UNLIKELY(slot->shape != owner->slot_axes)) {
        return 1;
    }
    dlb_leave_out_axes(slot);
    return 0;
}

/* Describes into the view, because another export has the slot. Returns 0, or -1 with `error` filled. */
static int describe_copy(const dlb_owner *owner, dlb_view *view, dlb_error *error)
{
    const int flags = dlb_describe_fast(owner, &view->own, view->axes);

    view->tensor = &view->own;
    if (DLB_LIKELY(flags >= 0)) {
        view->name = owner->type->name;
        view->flags = (uint32_t)flags | owner->flags;
        return 0;
    }
    view->exporting = 1;
    if (dlb_describe_into(owner->type, owner->object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        return -1;
    }
    view->flags |= owner->flags;
    return 0;
}

/* Allocates a block for an export without the slot, and moves the axes of the view into it. The caller owns the block. Returns
 * NULL with `error` filled if memory runs out. */
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
    for (size_t axis = 0; axis < ndim; axis++) {
        axes[axis] = view->tensor->shape[axis];
        axes[ndim + axis] = view->tensor->strides[axis];
    }
    view->tensor->shape = axes;
    view->tensor->strides = axes + ndim;
    dlb_leave_out_axes(view->tensor);
    return block;
}

/* Moves a counted export out of the slot, which another export has, or whose capacity is too small. `described`: the view
 * already describes the object. Returns the block of new_block(). On failure, returns NULL with `error` filled, and the export is
 * no longer counted. */
DLB_NOINLINE static void *leave_slot(dlb_owner *owner, bool described, size_t head, dlb_view *view, dlb_error *error)
{
    void *block = NULL;
    int result = 0;

    if (described) {
        view->own = *view->tensor;
        view->tensor = &view->own;
    } else {
        result = describe_copy(owner, view, error);
    }
    if (result == 0) {
        block = new_block(view, head, error);
    }
    if (block == NULL) {
        dlb_owner_give_back(owner, DLB_EXPORT);
    }
    return block;
}

int dlb_describe_export(dlb_owner *owner, DLTensor *slot, size_t head, dlb_view *view, void **block, dlb_error *error)
{
    const bool first = count_export(owner);
    const int result = first ? describe_slot(owner, slot, view, error) : 1;

    *block = NULL;
    if (result < 0) {
        dlb_owner_give_back(owner, DLB_EXPORT);
    }
    if (result > 0) {
        *block = leave_slot(owner, first, head, view, error);
        return *block != NULL ? 0 : -1;
    }
    return result;
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
    dlb_manage_legacy(managed, owner, block != NULL ? dlb_delete_legacy_block : dlb_delete_legacy_slot);
    return managed;
}

int dlb_no_legacy(const dlb_type *type, dlb_error *error)
{
    return dlb_fail(error, DLB_BUFFER_ERROR,
                    "%s: read-only data needs a versioned capsule: pass max_version=(1, 0) or later", type->name);
}

/* ---- Versioned ---- */

int dlb_export_slow(dlb_owner *owner, bool first, DLManagedTensorVersioned **out, dlb_error *error)
{
    dlb_view view;
    void *block = NULL;
    int result;

    view.gather = NULL;
    result = first ? describe_slot(owner, &owner->slot.versioned.dl_tensor, &view, error) : 1;
    if (DLB_UNLIKELY(result < 0)) {
        dlb_owner_give_back(owner, DLB_EXPORT);
        return -1;
    }
    if (result > 0) {
        block = leave_slot(owner, first, sizeof(dlb_versioned_block), &view, error);
        if (block == NULL) {
            return -1;
        }
    }
    *out = dlb_fill_versioned(owner, &view, block);
    return 0;
}

/* Exports an owner whose type has no fast path. */
DLB_NOINLINE static int export_without_fast_path(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    return owner->hooks != NULL ? dlb_export_with_hooks(owner, out, error)
                                : dlb_export_slow(owner, count_export(owner), out, error);
}

int dlb_export(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    dlb_describe_once *const describe = owner->type->describe_fast;
    int flags;

    if (DLB_UNLIKELY(describe == NULL)) {
        return export_without_fast_path(owner, out, error);
    }
    if (DLB_UNLIKELY(!count_export(owner))) {
        return dlb_export_slow(owner, false, out, error);
    }
    *out = &owner->slot.versioned; /* stored early for speed: a reader then need not wait for the store */
    flags = describe(&owner->slot.versioned.dl_tensor, owner->slot_axes, owner->object, dlb_decline);
    if (DLB_UNLIKELY(flags < 0)) {
        *out = NULL;
        return dlb_export_slow(owner, true, out, error);
    }
    dlb_manage(&owner->slot.versioned, owner, dlb_delete_versioned_slot, (uint32_t)flags | owner->flags);
    return 0;
}

/* ---- Legacy ---- */

/* Exports read-only data as a copy, if the type allows that: legacy tensors have no flag for it. Returns 0, or -1 with `error` filled. */
DLB_COLD static int export_readonly(const dlb_owner *owner, const dlb_view *view, DLManagedTensor **out,
                                    dlb_error *error)
{
    return owner->type->legacy_copy ? dlb_copy_view_legacy(owner, view, NULL, out, error)
                                    : dlb_no_legacy(owner->type, error);
}

int dlb_export_legacy_slow(dlb_owner *owner, bool first, DLManagedTensor **out, dlb_error *error)
{
    dlb_view view;
    void *block = NULL;
    int result;

    view.gather = NULL;
    result = first ? describe_slot(owner, &owner->slot.legacy.dl_tensor, &view, error) : 1;
    if (result > 0) {
        block = leave_slot(owner, first, sizeof(dlb_legacy_block), &view, error);
        if (block == NULL) {
            return -1;
        }
        result = 0;
    }
    if (result == 0 && (view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) == 0) {
        *out = dlb_fill_legacy(owner, &view, block);
        return 0;
    }
    if (result == 0) {
        result = export_readonly(owner, &view, out, error);
    }
    free(block);
    dlb_owner_give_back(owner, DLB_EXPORT);
    return result;
}

DLB_NOINLINE static int export_legacy_without_fast_path(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    return owner->hooks != NULL ? dlb_export_legacy_with_hooks(owner, out, error)
                                : dlb_export_legacy_slow(owner, count_export(owner), out, error);
}

int dlb_export_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    dlb_describe_once *const describe = owner->type->describe_fast;
    DLManagedTensor *const managed = &owner->slot.legacy;
    int flags;

    if (DLB_UNLIKELY(describe == NULL)) {
        return export_legacy_without_fast_path(owner, out, error);
    }
    if (DLB_UNLIKELY(!count_export(owner))) {
        return dlb_export_legacy_slow(owner, false, out, error);
    }
    flags = describe(&managed->dl_tensor, owner->slot_axes, owner->object, dlb_decline);
    if (DLB_UNLIKELY(flags < 0 || (((uint32_t)flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)) {
        return dlb_export_legacy_slow(owner, true, out, error);
    }
    dlb_manage_legacy(managed, owner, dlb_delete_legacy_slot);
    *out = managed;
    return 0;
}
