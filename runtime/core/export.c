/* SPDX-License-Identifier: MIT-0 */
/* Exports: views of owners, copies, managed tensors, the hooks around them, and one-shot exports. */

#include "exchange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Views of owners ---- */

int dlb_owner_view(const dlb_owner *owner, dlb_view *view, dlb_error *error)
{
    if (DLB_UNLIKELY(owner->hooks != NULL)) {
        return dlb_view_with_hooks((dlb_owner *)(uintptr_t)owner, view, error);
    }
    view->tensor = &view->own;
    view->exporting = 0;
    view->gather = NULL;
    if (dlb_describe_into(owner->type, owner->object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        return -1;
    }
    view->flags |= owner->flags;
    return 0;
}

/* Checks that an owner with hooks can give a borrowed view. Returns 0, or -1 with `error` filled. */
static int check_borrowed(const dlb_type *type, dlb_error *error)
{
    if (type->describe == NULL) {
        return dlb_no_tensor(type, error);
    }
    if (type->copy == DLB_COPY_ALWAYS || dlb_has_access_scope(type)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data exists only while it is exported", type->name);
    }
    return 0;
}

int dlb_borrow_slow(dlb_owner *owner, DLTensor *out, dlb_error *error)
{
    const dlb_type *const type = owner->type;
    dlb_view view;

    if (owner->hooks != NULL && check_borrowed(type, error) != 0) {
        return -1;
    }
    view.tensor = out;
    view.exporting = 1;
    view.gather = NULL;
    if (dlb_describe_into(type, owner->object, owner->axes, owner->capacity, &view, error) != 0) {
        return -1;
    }
    if (out->shape == view.axes) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: a borrowed view holds %d axes, not %d", type->name,
                        (int)owner->capacity, (int)out->ndim);
    }
    dlb_leave_out_axes(out);
    DLB_CHECK(dlb_checked_viewed(owner, &view));
    if (((view.flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data is read-only, which a borrowed view cannot express",
                        type->name);
    }
    return 0;
}

int dlb_borrow(dlb_owner *owner, DLTensor *out, dlb_error *error)
{
    const int flags = dlb_describe_fast(owner, out, owner->axes);

    if (DLB_LIKELY(flags >= 0 && (((uint32_t)flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) == 0)) {
        return 0;
    }
    return dlb_borrow_slow(owner, out, error);
}

/* ---- Copies ---- */

void dlb_show_copy(DLTensor *tensor)
{
    tensor->data = NULL;
    tensor->byte_offset = 0;
    tensor->device = DLB_CPU;
    dlb_compact_tensor(tensor, tensor->ndim);
}

/* Copies the elements of a nonempty view to `data`, which has `nbytes` bytes. Returns 0, or -1 with `error` filled if `to_cpu` fails. */
static int copy_elements(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather, void *data,
                         int64_t nbytes, dlb_error *error)
{
    const DLTensor *const tensor = view->tensor;
    int64_t steps[DLB_MAX_NDIM];
    dlb_layout layout;

    if (!dlb_host_readable(tensor->device.device_type)) {
        return owner->type->to_cpu(owner->object, data, nbytes, error);
    }
    if (tensor->dtype.bits % 8 != 0) {
        memcpy(data, tensor->data, (size_t)nbytes); /* packed elements are always compact */
        return 0;
    }
    layout = dlb_layout_of(tensor, dlb_itemsize(tensor->dtype), steps);
    if (gather != NULL && gather->used) {
        layout.steps = gather->steps;
        layout.rows_axis = gather->rows_axis;
        layout.rows = gather->rows;
    }
    dlb_gather_elements(&layout, data);
    return 0;
}

/* Allocates a block for a copy of the view, and copies the elements. The block holds `head` bytes for the managed tensor, 2 *
 * ndim axes and the aligned data. Fills `copy`. The caller owns the block. Returns NULL with `error` filled on failure. */
static void *copy_block(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather, size_t head,
                        DLTensor *copy, dlb_error *error)
{
    const int64_t count = dlb_element_count(view->tensor);
    const int64_t nbytes = dlb_nbytes(view->tensor->dtype, count);
    const size_t axes_size = 2 * sizeof(int64_t) * (size_t)view->tensor->ndim;
    char *block = NULL;
    char *data;

    if (!dlb_host_readable(view->tensor->device.device_type) && owner->type->to_cpu == NULL) {
        char buffer[DLB_NAME_SIZE];

        (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: data on %s cannot be copied by the CPU", view->name,
                       dlb_device_name(view->tensor->device.device_type, buffer));
        return NULL;
    }
    if ((uint64_t)nbytes <= SIZE_MAX - head - axes_size - DLB_COPY_ALIGNMENT) {
        block = malloc(head + axes_size + DLB_COPY_ALIGNMENT + (size_t)nbytes);
    }
    if (block == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a copy of %lld bytes", view->name, (long long)nbytes);
        return NULL;
    }
    data = dlb_next_aligned(block + head + axes_size, DLB_COPY_ALIGNMENT);
    if (count > 0 && copy_elements(owner, view, gather, data, nbytes, error) != 0) {
        free(block);
        return NULL;
    }

    *copy = *view->tensor;
    copy->shape = copy->ndim == 0 ? NULL : (int64_t *)(void *)(block + head);
    copy->strides = copy->ndim == 0 ? NULL : copy->shape + copy->ndim;
    if (copy->ndim > 0) {
        memcpy(copy->shape, view->tensor->shape, axes_size / 2);
    }
    dlb_show_copy(copy);
    copy->data = count > 0 ? data : NULL;
    return block;
}

static void delete_legacy_copy(DLManagedTensor *managed)
{
    free(managed);
}

static void delete_versioned_copy(DLManagedTensorVersioned *managed)
{
    free(managed);
}

int dlb_copy_view(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                  DLManagedTensorVersioned **out, dlb_error *error)
{
    DLTensor tensor;
    DLManagedTensorVersioned *const managed = copy_block(owner, view, gather, sizeof *managed, &tensor, error);

    if (managed == NULL) {
        return -1;
    }
    dlb_manage(managed, NULL, delete_versioned_copy, DLPACK_FLAG_BITMASK_IS_COPIED);
    managed->dl_tensor = tensor;
    *out = managed;
    return 0;
}

int dlb_copy_view_legacy(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather, DLManagedTensor **out,
                         dlb_error *error)
{
    DLTensor tensor;
    DLManagedTensor *const managed = copy_block(owner, view, gather, sizeof *managed, &tensor, error);

    if (managed == NULL) {
        return -1;
    }
    dlb_manage_legacy(managed, NULL, delete_legacy_copy);
    managed->dl_tensor = tensor;
    *out = managed;
    return 0;
}

/* ---- Copies that the caller requests ---- */

/* Describes the object for a copy. Enters the access scope, which the caller must leave. Returns 0, or -1 with `error` filled. */
static int describe_for_copy(dlb_owner *owner, dlb_view *view, dlb_gather *gather, dlb_error *error)
{
    if (owner->type->describe == NULL) {
        return dlb_no_tensor(owner->type, error);
    }
    if (dlb_access_begin(owner, error) != 0) {
        return -1;
    }
    view->tensor = &view->own;
    view->exporting = 1;
    view->gather = dlb_gather_start(gather, owner->type, true);
    if (dlb_describe_into(owner->type, owner->object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        dlb_gather_end(view->gather);
        dlb_access_end(owner, false);
        return -1;
    }
    DLB_CHECK(dlb_checked_viewed(owner, view));
    return 0;
}

int dlb_export_copy(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    dlb_gather gather;
    dlb_view view;
    int result;

    if (describe_for_copy(owner, &view, &gather, error) != 0) {
        return -1;
    }
    result = dlb_copy_view(owner, &view, view.gather, out, error);
    dlb_gather_end(view.gather);
    dlb_access_end(owner, false);
    return result;
}

int dlb_export_copy_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    dlb_gather gather;
    dlb_view view;
    int result;

    if (describe_for_copy(owner, &view, &gather, error) != 0) {
        return -1;
    }
    result = dlb_copy_view_legacy(owner, &view, view.gather, out, error);
    dlb_gather_end(view.gather);
    dlb_access_end(owner, false);
    return result;
}

/* ---- Exports ---- */

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
    DLB_CHECK(dlb_checked_exported(owner, view));
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
    DLB_CHECK(dlb_checked_exported(owner, view));
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

/* ---- Owners with hooks ---- */

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

/* ---- One-shot exports ---- */

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
