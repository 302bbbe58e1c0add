/* SPDX-License-Identifier: MIT */
/* Types that count in how many steps they are described and imported, and all ways to export their objects. */
#ifndef WAYS_H_
#define WAYS_H_

#include "check.h"
#include "dlb_emit.h"
#include "foreign.h"
#include "mallocs.h"
#include "sample.h"
#include "ways_dlpack.h"

static dlb_error error;
static float memory[64];
static const DLDataType float32 = {kDLFloat, 32, 1};
static const int64_t shape[] = {2, 3}, strides[] = {4, 1};

/* ---- Types that count their calls ---- */

static int in_one_step, with_care, imported, released;

void sample_release(sample *self)
{
    (void)self;
    released++;
}

static void delete_one_shot(DLManagedTensorVersioned *managed)
{
    sample_release(dlb_end_one_shot(managed));
}

static int describe_fast(DLTensor *tensor, int64_t *axes, void *object, dlb_otherwise *otherwise)
{
    in_one_step++;
    return ways_kept_type.describe_fast(tensor, axes, object, otherwise);
}

static int describe(void *object, dlb_view *view, dlb_error *why)
{
    *(dlb_is_speculative(view) ? &in_one_step : &with_care) += 1;
    return ways_kept_type.describe(object, view, why);
}

static void *import_kept(const DLTensor *array, int readonly, void *box)
{
    imported++;
    return ways_kept_type.import_fast(array, readonly, box);
}

static void *import_moved(const DLTensor *array, int readonly, void *box)
{
    imported++;
    return ways_moved_type.import_fast(array, readonly, box);
}

/* Of the two types, which describe alike. */
static dlb_type counting(const dlb_type *type)
{
    dlb_type made = *type;

    made.describe_fast = describe_fast;
    made.describe = describe;
    made.import_fast = type == &ways_kept_type ? import_kept : import_moved;
    return made;
}

/* Checks that `call` returns `result`, and counts the objects that the fast path and the slow path described. */
#define CHECK_STEPS(call, result, fast, slow)                                                                          \
    do {                                                                                                               \
        in_one_step = with_care = imported = 0;                                                                        \
        CHECK_EQUAL(call, result);                                                                                     \
        CHECK_EQUAL(in_one_step, fast);                                                                                \
        CHECK_EQUAL(with_care, slow);                                                                                  \
    } while (0)

/* ---- Ways to export ---- */

enum { VERSIONED, LEGACY, BORROWED, MOVED, MOVED_ALONE, MOVED_LEGACY, WAYS };

static sample make_sample(void)
{
    return (sample){.data = memory, .rank = 2, .shape = {2, 3}, .strides = {4, 1}, .kind = SAMPLE_F32};
}

static int shows(const DLTensor *tensor, const sample *object)
{
    int same = tensor->data == object->data && tensor->ndim == object->rank && tensor->dtype.bits == 32 &&
               tensor->device.device_type == kDLCPU && tensor->byte_offset == 0;

    for (int axis = 0; same && axis < tensor->ndim; axis++) {
        same = tensor->shape[axis] == object->shape[axis] && tensor->strides[axis] == object->strides[axis];
    }
    return same;
}

/* Exports the object in one of the ways, and ends that at once; 0 if it succeeded. */
static int try(int way, dlb_owner *owner, const dlb_type *type, sample *object)
{
    DLManagedTensorVersioned *versioned = NULL;
    DLManagedTensor *legacy = NULL;
    DLTensor borrowed;
    int result;

    switch (way) {
    case VERSIONED:
        result = dlb_export(owner, &versioned, &error);
        break;
    case LEGACY:
        result = dlb_export_legacy(owner, &legacy, &error);
        break;
    case BORROWED:
        result = dlb_borrow(owner, &borrowed, &error);
        CHECK(result != 0 || shows(&borrowed, object));
        return result;
    case MOVED:
        result = dlb_to_dlpack(type, object, &versioned, &error);
        break;
    case MOVED_ALONE:
        result = dlb_to_dlpack_fast(type, describe, type->ndim, type->retain,
                                     type->release != NULL ? delete_one_shot : dlb_delete_one_shot, object, &versioned, &error);
        break;
    default:
        result = dlb_to_dlpack_legacy(type, object, &legacy, &error);
        break;
    }
    CHECK((versioned != NULL) + (legacy != NULL) == (result == 0));
    if (versioned != NULL) {
        CHECK(shows(&versioned->dl_tensor, object));
        CHECK_EQUAL(versioned->flags, object->locked ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
        versioned->deleter(versioned);
    }
    if (legacy != NULL) {
        CHECK(shows(&legacy->dl_tensor, object));
        legacy->deleter(legacy);
    }
    return result;
}

#endif
