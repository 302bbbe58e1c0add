/* SPDX-License-Identifier: MIT-0 */
/* One malloc per export; the struct is read and checked every time; the deleters need no Python. */
#include "baseline.h"

#include <stdlib.h>

typedef struct versioned_block {
    DLManagedTensorVersioned managed;
    int64_t axes[6];
} versioned_block;

typedef struct legacy_block {
    DLManagedTensor managed;
    int64_t axes[6];
} legacy_block;

static int fail(const char **error, const char *message)
{
    if (error != NULL) {
        *error = message;
    }
    return -1;
}

static inline int describe(const picture_t *picture, int64_t *axes, DLTensor *tensor, const char **error)
{
    const int64_t inner = (int64_t)picture->width * picture->channels;
    int64_t count;

    if (__builtin_expect(picture->height < 0 || picture->width < 0 || picture->channels < 0, 0)) {
        return fail(error, "a negative extent");
    }
    if (__builtin_expect(__builtin_mul_overflow(inner, (int64_t)picture->height, &count), 0)) {
        return fail(error, "too large");
    }
    if (__builtin_expect(picture->pixels == NULL && count > 0, 0)) {
        return fail(error, "no pixels");
    }
    axes[0] = picture->height;
    axes[1] = picture->width;
    axes[2] = picture->channels;
    axes[3] = count > 0 && picture->height > 1 ? picture->pitch : inner;
    axes[4] = picture->channels;
    axes[5] = 1;
    tensor->data = count > 0 ? picture->pixels : NULL;
    tensor->device = (DLDevice){kDLCPU, 0};
    tensor->ndim = 3;
    tensor->dtype = (DLDataType){kDLUInt, 8, 1};
    tensor->shape = axes;
    tensor->strides = axes + 3;
    tensor->byte_offset = 0;
    return 0;
}

static void keep(owner *owner)
{
    (void)__atomic_fetch_add(&owner->references, 1, __ATOMIC_RELAXED);
}

static void end(owner *owner)
{
    if (owner->versioned != NULL) {
        if (owner->versioned->deleter != NULL) {
            owner->versioned->deleter(owner->versioned);
        }
    } else if (owner->legacy != NULL) {
        if (owner->legacy->deleter != NULL) {
            owner->legacy->deleter(owner->legacy);
        }
    } else {
        picture_unref(owner->picture);
    }
    free(owner);
}

void owner_drop(owner *owner)
{
    if (__atomic_fetch_sub(&owner->references, 1, __ATOMIC_ACQ_REL) == 1) {
        end(owner);
    }
}

static void delete_versioned(DLManagedTensorVersioned *managed)
{
    owner *const owner = managed->manager_ctx;

    free(managed);
    owner_drop(owner);
}

static void delete_legacy(DLManagedTensor *managed)
{
    owner *const owner = managed->manager_ctx;

    free(managed);
    owner_drop(owner);
}

static void delete_picture(DLManagedTensorVersioned *managed)
{
    picture_t *const picture = managed->manager_ctx;

    free(managed);
    picture_unref(picture);
}

static inline versioned_block *versioned_of(const picture_t *picture, const char **error)
{
    versioned_block *const block = malloc(sizeof *block);

    if (block == NULL) {
        (void)fail(error, "no memory");
        return NULL;
    }
    if (describe(picture, block->axes, &block->managed.dl_tensor, error) != 0) {
        free(block);
        return NULL;
    }
    block->managed.version = (DLPackVersion){1, 3};
    block->managed.flags = 0;
    return block;
}

int export_versioned(void *from, DLManagedTensorVersioned **out, void *error)
{
    owner *const owner = from;
    versioned_block *const block = versioned_of(owner->picture, error);

    if (block == NULL) {
        return -1;
    }
    keep(owner);
    block->managed.manager_ctx = owner;
    block->managed.deleter = delete_versioned;
    *out = &block->managed;
    return 0;
}

int export_legacy(owner *owner, DLManagedTensor **out, const char **error)
{
    legacy_block *const block = malloc(sizeof *block);

    if (block == NULL) {
        return fail(error, "no memory");
    }
    if (describe(owner->picture, block->axes, &block->managed.dl_tensor, error) != 0) {
        free(block);
        return -1;
    }
    keep(owner);
    block->managed.manager_ctx = owner;
    block->managed.deleter = delete_legacy;
    *out = &block->managed;
    return 0;
}

int borrow(owner *owner, DLTensor *out, const char **error)
{
    return describe(owner->picture, owner->axes, out, error);
}

int picture_export(void *from, DLManagedTensorVersioned **out, void *error)
{
    picture_t *const picture = from;
    versioned_block *const block = versioned_of(picture, error);

    if (block == NULL) {
        return -1;
    }
    picture_ref(picture);
    block->managed.manager_ctx = picture;
    block->managed.deleter = delete_picture;
    *out = &block->managed;
    return 0;
}
