/* SPDX-License-Identifier: MIT */
/* Every malloc() of a whole scenario fails once, or from then on: the step says so, and nothing is half done. */
#include "check.h"
#include "foreign.h"
#include "grid.h"
#include "grids_dlpack.h"
#include "mallocs.h"

enum { STEPS = 12 };

/* What the steps make. */
typedef struct stage {
    grid *object;
    float memory[6];
    foreign array;
    foreign old_array;
    dlb_owner *owner, *imported, *imported_legacy, *allocated;
    DLManagedTensorVersioned *managed[4];
    DLManagedTensor *legacy[3];
} stage;

static dlb_error error;

/* In the order of the steps below; the third export finds the slot taken, the second does not need a malloc(). */
static int do_step(stage *s, int step)
{
    switch (step) {
    case 0:
        return grids_shared_own(s->object, &s->owner, &error);
    case 1:
        return s->owner == NULL ? 0 : dlb_export(s->owner, &s->managed[0], &error);
    case 2:
        return s->owner == NULL ? 0 : dlb_export(s->owner, &s->managed[1], &error);
    case 3:
        return s->owner == NULL ? 0 : dlb_export_legacy(s->owner, &s->legacy[0], &error);
    case 4:
        return s->owner == NULL ? 0 : dlb_export_copy(s->owner, &s->managed[2], &error);
    case 5:
        return s->owner == NULL ? 0 : dlb_export_copy_legacy(s->owner, &s->legacy[1], &error);
    case 6:
        return dlb_to_dlpack(&grids_shared_type, s->object, &s->managed[3], &error);
    case 7:
        return grids_shared_to_dlpack_legacy(s->object, &s->legacy[2], &error);
    case 8:
        return grids_moved_from_dlpack(&s->array.versioned, &s->imported, &error);
    case 9:
        return grids_moved_from_dlpack_legacy(&s->old_array.legacy, &s->imported_legacy, &error);
    case 10:
        return dlb_allocate(&grids_moved_type, &s->array.versioned.dl_tensor, &s->allocated, &error);
    default:
        return dlb_to_dlpack(&grids_shared_type, s->object, &s->managed[3], NULL); /* no place for the error */
    }
}

static const char *const messages[STEPS] = {
    "grids.Shared: no memory for its owner",
    "(takes the slot)",
    "grids.Shared: no memory for an export",
    "grids.Shared: no memory for an export",
    "grids.Shared: no memory for a copy of 24 bytes",
    "grids.Shared: no memory for a copy of 24 bytes",
    "grids.Shared: no memory for its owner",
    "grids.Shared: no memory for its owner",
    "grids.Moved: no memory for its owner",
    "grids.Moved: no memory for its owner",
    "grids.Moved: no memory for its owner",
    "",
};

/* All that a failing step must leave as it was. */
typedef struct state {
    int blocks, grids, references, deleted;
    int64_t exports;
    stage made;
} state;

static state state_of(const stage *s)
{
    return (state){blocks, grids_living, s->object->references, s->array.deleted + s->old_array.deleted,
                   s->owner == NULL ? 0 : dlb_owner_exports(s->owner), *s};
}

static void check_unchanged(const state *before, const stage *s)
{
    CHECK_EQUAL(blocks, before->blocks);
    CHECK_EQUAL(grids_living, before->grids);
    CHECK_EQUAL(s->object->references, before->references);
    CHECK_EQUAL(s->array.deleted + s->old_array.deleted, before->deleted);
    CHECK_EQUAL(s->owner == NULL ? 0 : dlb_owner_exports(s->owner), before->exports);
    CHECK(memcmp(s, &before->made, sizeof *s) == 0); /* no result was stored, no tensor was touched */
}

static void drop_managed(DLManagedTensorVersioned *managed)
{
    if (managed != NULL) {
        managed->deleter(managed);
    }
}

static void drop_legacy(DLManagedTensor *managed)
{
    if (managed != NULL) {
        managed->deleter(managed);
    }
}

static void drop_owner(dlb_owner *owner)
{
    if (owner != NULL) {
        dlb_owner_drop(owner);
    }
}

/* Gives all back and checks that nothing is left. */
static void clear(stage *s)
{
    const int imported = s->imported != NULL;
    const int imported_legacy = s->imported_legacy != NULL;

    for (int i = 0; i < 4; i++) {
        drop_managed(s->managed[i]);
    }
    for (int i = 0; i < 3; i++) {
        drop_legacy(s->legacy[i]);
    }
    drop_owner(s->owner);
    drop_owner(s->imported);
    drop_owner(s->imported_legacy);
    drop_owner(s->allocated);
    CHECK_EQUAL(s->array.deleted, imported);
    CHECK_EQUAL(s->old_array.deleted, imported_legacy);
    CHECK_EQUAL(s->object->references, 1);
    grid_unref(s->object);
    CHECK_EQUAL(grids_living, 0);
    CHECK_EQUAL(blocks, 0);
}

/* One scenario, in which malloc() fails after `successes` calls. Returns how many steps failed. */
static int play(int successes, bool for_ever)
{
    static const int64_t shape[] = {2, 3}, strides[] = {3, 1};
    stage s;
    int failed = 0;

    memset(&s, 0, sizeof s);
    s.object = grid_new(2, 3);
    foreign_array(&s.array, s.memory, (DLDataType){kDLFloat, 32, 1}, 2, shape, strides);
    foreign_array(&s.old_array, s.memory, (DLDataType){kDLFloat, 32, 1}, 2, shape, strides);
    foreign_legacy(&s.old_array);
    mallocs_to_fail = successes;
    mallocs_fail_for_ever = for_ever;
    for (int step = 0; step < STEPS; step++) {
        const state before = state_of(&s);
        int result;

        if (step == STEPS - 1) { /* the place is used a second time */
            drop_managed(s.managed[3]);
            s.managed[3] = NULL;
        }
        memset(&error, 0, sizeof error);
        result = do_step(&s, step);
        if (result == 0) {
            continue;
        }
        failed++;
        if (step == STEPS - 1) {
            CHECK(s.managed[3] == NULL);
        } else {
            CHECK_FAILS(result, error, DLB_MEMORY_ERROR, messages[step]);
            check_unchanged(&before, &s);
        }
        if (!for_ever) {
            CHECK(do_step(&s, step) == 0); /* with memory, the same works at once */
        }
    }
    mallocs_to_fail = -1;
    clear(&s);
    return failed;
}

int main(void)
{
    int successes = 0;

    while (play(successes, false) == 1) {
        successes++;
    }
    CHECK_EQUAL(play(successes, false), 0);
    CHECK_EQUAL(successes, STEPS - 1); /* all steps but the one that takes the slot */
    for (int i = 0; i < successes; i++) {
        CHECK(play(i, true) >= 1);
    }
    return checks_result();
}
