/* SPDX-License-Identifier: MIT */
/* Exports, imports and failures in an order that no one would write down, with several owners and tensors alive. */
#include "check.h"
#include "grid.h"
#include "grids_dlpack.h"

#include <stdbool.h>

enum { STEPS = 2000, PLACES = 8 };

/* One thing that is alive: an owner, a tensor of one of the two structs, or nothing. */
typedef struct place {
    dlb_owner *owner;
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy;
} place;

static place places[PLACES];
static dlb_error error;
static int refused;

/* The same numbers on every machine. */
static unsigned next(unsigned below)
{
    static uint32_t state = 1;

    state = state * 1664525u + 1013904223u;
    return (unsigned)(state >> 16) % below;
}

static void clear(place *at)
{
    if (at->owner != NULL) {
        dlb_owner_drop(at->owner);
    } else if (at->managed != NULL) {
        at->managed->deleter(at->managed);
    } else if (at->legacy != NULL) {
        at->legacy->deleter(at->legacy);
    }
    *at = (place){NULL, NULL, NULL};
}

/* Makes an object, and shares it in one step or by an owner. Broken and locked ones stay ours. */
static void make(place *at)
{
    grid *const object = grid_new(2, 3);
    int result;

    object->broken = next(4) == 0;
    object->locked = next(4) == 0;
    switch (next(3)) {
    case 0:
        result = grids_moved_own(object, &at->owner, &error);
        break;
    case 1:
        result = dlb_to_dlpack(&grids_moved_type, object, &at->managed, &error);
        break;
    default:
        result = dlb_to_dlpack_legacy(&grids_moved_type, object, &at->legacy, &error);
    }
    if (result != 0) {
        refused++;
        CHECK(at->owner == NULL && at->managed == NULL && at->legacy == NULL);
        grid_unref(object);
    }
}

/* One more export of an owner. */
static void export(const place *from, place *at)
{
    int result;

    switch (next(4)) {
    case 0:
        result = dlb_export(from->owner, &at->managed, &error);
        break;
    case 1:
        result = dlb_export_legacy(from->owner, &at->legacy, &error);
        break;
    case 2:
        result = dlb_export_copy(from->owner, &at->managed, &error);
        break;
    default:
        result = dlb_export_copy_legacy(from->owner, &at->legacy, &error);
    }
    refused += result != 0;
    CHECK(result == 0 || (at->managed == NULL && at->legacy == NULL));
}

/* A tensor goes back in, and is an owner from then on; what is refused is put back as it was. */
static void import(place *at)
{
    DLTensor *const tensor = at->managed != NULL ? &at->managed->dl_tensor : &at->legacy->dl_tensor;
    const bool spoil = next(3) == 0;
    dlb_owner *owner = NULL;
    int result;

    tensor->dtype.bits = spoil ? 16 : 32;
    if (at->managed != NULL) {
        result = grids_moved_from_dlpack(at->managed, &owner, &error);
    } else {
        result = grids_moved_from_dlpack_legacy(at->legacy, &owner, &error);
    }
    CHECK_EQUAL(result, spoil ? -1 : 0);
    if (result == 0) {
        *at = (place){owner, NULL, NULL};
    } else {
        refused++;
        CHECK(owner == NULL);
    }
}

static void step(void)
{
    place *const at = &places[next(PLACES)];
    place *const other = &places[next(PLACES)];

    if (at->managed != NULL || at->legacy != NULL) {
        if (next(2) == 0) {
            import(at);
        } else {
            clear(at);
        }
    } else if (at->owner != NULL) {
        clear(at);
    } else if (other->owner != NULL) {
        export(other, at);
    } else {
        make(at);
    }
}

int main(void)
{
    for (int i = 0; i < STEPS; i++) {
        step();
    }
    for (int i = 0; i < PLACES; i++) {
        clear(&places[i]);
    }
    CHECK(refused > STEPS / 20);
    CHECK_EQUAL(grids_living, 0);
    return checks_result();
}
