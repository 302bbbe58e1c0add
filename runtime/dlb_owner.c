/* SPDX-License-Identifier: MIT-0 */
/* Owners, and the managed tensors that hang on them. No function here knows Python: a deleter may run on any thread,
 * without the GIL, in any interpreter and after the last one. */
#include "dlb_internal.h"

#include <stdlib.h>
#include <string.h>

/* The box starts at a multiple of this, which suits every type that malloc() suits. */
enum { BOX_ALIGNMENT = 16 };

static size_t box_offset(int32_t capacity)
{
    const size_t end = sizeof(dlb_owner) + 2 * sizeof(int64_t) * (size_t)capacity;

    return (end + BOX_ALIGNMENT - 1) / BOX_ALIGNMENT * BOX_ALIGNMENT;
}

dlb_owner *dlb_owner_new(const dlb_type *type, size_t box, dlb_error *error)
{
    const int32_t capacity = type->ndim >= 0 ? type->ndim : DLB_USUAL_NDIM;
    dlb_owner *const owner = malloc(box_offset(capacity) + box);

    if (owner == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for its owner", type->name);
        return NULL;
    }
    dlb_count_start(&owner->state, DLB_HOLDER);
    owner->type = type;
    owner->object = NULL;
    owner->release = NULL;
    owner->let_go = NULL;
    owner->keeper = NULL;
    owner->flags = 0;
    owner->capacity = capacity;
    if (box > 0) {
        owner->object = (char *)owner + box_offset(capacity);
        memset(owner->object, 0, box);
    }
    return owner;
}

void dlb_owner_disown(dlb_owner *owner)
{
    free(owner);
}

int dlb_own(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (object == NULL) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the object is NULL", type->name);
    }
    owner = dlb_owner_new(type, 0, error);
    if (owner == NULL) {
        return -1;
    }
    if (type->retain != NULL) {
        type->retain(object);
    }
    owner->object = object;
    owner->release = type->release;
    *out = owner;
    return 0;
}

/* Gives back `share`; whoever gives back the last one ends the owner. */
static void give_back(dlb_owner *owner, uint64_t share)
{
    if (dlb_count_subtract(&owner->state, share) != 0) {
        return;
    }
    if (owner->release != NULL) {
        owner->release(owner->object);
    }
    if (owner->let_go != NULL) {
        owner->let_go(owner->keeper);
    }
    free(owner);
}

void dlb_owner_keep(dlb_owner *owner)
{
    dlb_count_add(&owner->state, DLB_HOLDER);
}

void dlb_owner_drop(dlb_owner *owner)
{
    give_back(owner, DLB_HOLDER);
}

void *dlb_owner_object(const dlb_owner *owner)
{
    return owner->object;
}

int dlb_owner_view(const dlb_owner *owner, dlb_view *view, dlb_error *error)
{
    if (dlb_describe(owner->type, owner->object, view, error) != 0) {
        return -1;
    }
    view->flags |= owner->flags;
    return 0;
}

int64_t dlb_owner_exports(const dlb_owner *owner)
{
    return (int64_t)(dlb_count_read(&owner->state) / DLB_EXPORT);
}

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

/* A managed tensor made with malloc() for one export; its axes follow it. */
typedef struct legacy_block {
    DLManagedTensor managed;
    int64_t axes[];
} legacy_block;

typedef struct versioned_block {
    DLManagedTensorVersioned managed;
    int64_t axes[];
} versioned_block;

static void delete_legacy_slot(DLManagedTensor *managed)
{
    give_back(managed->manager_ctx, DLB_EXPORT + DLB_SLOT);
}

static void delete_versioned_slot(DLManagedTensorVersioned *managed)
{
    give_back(managed->manager_ctx, DLB_EXPORT + DLB_SLOT);
}

static void delete_legacy_block(DLManagedTensor *managed)
{
    dlb_owner *const owner = managed->manager_ctx;

    free(managed);
    give_back(owner, DLB_EXPORT);
}

static void delete_versioned_block(DLManagedTensorVersioned *managed)
{
    dlb_owner *const owner = managed->manager_ctx;

    free(managed);
    give_back(owner, DLB_EXPORT);
}

/* Describes the object for one export: into the owner's slot while that is free (then `*block` is NULL on success), else
 * into a new block of `head` bytes and the axes. Returns the share that the export holds, or 0 on failure. */
static uint64_t describe_for_export(dlb_owner *owner, dlb_view *view, size_t head, void **block, dlb_error *error)
{
    uint64_t share = take_share(owner);
    const bool slot = (share & DLB_SLOT) != 0;
    int64_t *axes = slot ? owner->axes : view->axes;
    int32_t ndim;

    if (DLB_UNLIKELY(dlb_describe_into(owner->type, owner->object, axes, slot ? owner->capacity : DLB_MAX_NDIM, view,
                                       error) != 0)) {
        give_back(owner, share);
        return 0;
    }
    view->flags |= owner->flags;
    *block = NULL;
    if (slot && view->tensor.shape == owner->axes) {
        return share;
    }
    if (slot) { /* more axes than the slot has room for */
        give_back(owner, DLB_SLOT);
        share = DLB_EXPORT;
    }
    ndim = view->tensor.ndim;
    *block = malloc(head + 2 * sizeof(int64_t) * (size_t)ndim);
    if (*block == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for an export", view->name);
        give_back(owner, share);
        return 0;
    }
    axes = (int64_t *)(void *)((char *)*block + head);
    memcpy(axes, view->tensor.shape, sizeof(int64_t) * (size_t)ndim);
    memcpy(axes + ndim, view->tensor.strides, sizeof(int64_t) * (size_t)ndim);
    view->tensor.shape = axes;
    view->tensor.strides = axes + ndim;
    return share;
}

static inline void drop_axes_of_scalar(DLTensor *tensor)
{
    if (tensor->ndim == 0) { /* dlpack.h: only then may they be NULL */
        tensor->shape = NULL;
        tensor->strides = NULL;
    }
}

int dlb_export(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    DLManagedTensorVersioned *managed;
    dlb_view view;
    void *block;

    if (DLB_UNLIKELY(describe_for_export(owner, &view, sizeof(versioned_block), &block, error) == 0)) {
        return -1;
    }
    managed = block != NULL ? block : &owner->slot.versioned;
    managed->version = (DLPackVersion){DLB_VERSION_MAJOR, DLB_VERSION_MINOR};
    managed->manager_ctx = owner;
    managed->deleter = block != NULL ? delete_versioned_block : delete_versioned_slot;
    managed->flags = view.flags;
    managed->dl_tensor = view.tensor;
    drop_axes_of_scalar(&managed->dl_tensor);
    *out = managed;
    return 0;
}

int dlb_export_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    DLManagedTensor *managed;
    uint64_t share;
    dlb_view view;
    void *block;

    share = describe_for_export(owner, &view, sizeof(legacy_block), &block, error);
    if (DLB_UNLIKELY(share == 0)) {
        return -1;
    }
    if (DLB_UNLIKELY((view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)) {
        free(block);
        give_back(owner, share);
        return dlb_fail(error, DLB_BUFFER_ERROR,
                        "%s: read-only data needs a versioned capsule: ask with max_version=(1, 0) or later",
                        owner->type->name);
    }
    managed = block != NULL ? block : &owner->slot.legacy;
    managed->manager_ctx = owner;
    managed->deleter = block != NULL ? delete_legacy_block : delete_legacy_slot;
    managed->dl_tensor = view.tensor;
    drop_axes_of_scalar(&managed->dl_tensor);
    *out = managed;
    return 0;
}

int dlb_to_dlpack(const dlb_type *type, void *object, DLManagedTensorVersioned **out, dlb_error *error)
{
    dlb_owner *owner;

    if (dlb_own(type, object, &owner, error) != 0) {
        return -1;
    }
    if (dlb_export(owner, out, error) == 0) {
        dlb_owner_drop(owner);
        return 0;
    }
    if (type->retain != NULL) {
        dlb_owner_drop(owner);
    } else {
        dlb_owner_disown(owner); /* the object stays the caller's */
    }
    return -1;
}
