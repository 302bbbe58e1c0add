/* SPDX-License-Identifier: MIT */
/* Owners used by several threads at once; ThreadSanitizer watches. */
#include "check.h"
#include "dlb_emit.h"
#include "grid.h"
#include "grids_dlpack.h"

#include <pthread.h>

enum { THREADS = 8, TURNS = 20000, ROUNDS = 300 };
#include "threads.h"

static int shows_grid(const DLTensor *tensor)
{
    return tensor->ndim == 2 && tensor->shape[0] == 2 && tensor->shape[1] == 3 && tensor->strides[0] == 3 &&
           tensor->strides[1] == 1 && ((float *)tensor->data)[5] == 5.0F;
}

/* Exports and deletes in turn; two are alive at a time, so that the slot changes hands. */
static void *export_often(void *argument)
{
    worker *const self = argument;
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy;

    for (int turn = 0; turn < TURNS; turn++) {
        if (dlb_export(self->owner, &managed, NULL) != 0) {
            self->wrong++;
            continue;
        }
        switch ((turn + self->number) % 4) {
        case 0:
            if (dlb_export_legacy(self->owner, &legacy, NULL) == 0) {
                self->wrong += !shows_grid(&legacy->dl_tensor);
                legacy->deleter(legacy);
            } else {
                self->wrong++;
            }
            break;
        case 1:
            self->wrong += !shows_grid(&managed->dl_tensor);
            managed->deleter(managed);
            self->wrong += dlb_export_copy(self->owner, &managed, NULL) != 0;
            break;
        case 2:
            dlb_owner_keep(self->owner);
            self->wrong += dlb_owner_exports(self->owner) < 1;
            dlb_owner_drop(self->owner);
            break;
        default:
            break;
        }
        self->wrong += !shows_grid(&managed->dl_tensor);
        managed->deleter(managed);
    }
    return NULL;
}

static void test_threads_can_export_one_owner(void)
{
    worker workers[THREADS] = {0};
    dlb_owner *owner;

    grids_released = 0;
    CHECK(grids_moved_own(grid_new(2, 3), &owner, NULL) == 0);
    for (int i = 0; i < THREADS; i++) {
        workers[i].owner = owner;
    }
    start(workers, export_often);
    finish(workers);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    CHECK_EQUAL(grids_released, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(grids_released, 1);
    CHECK_EQUAL(grids_living, 0);
}

/* Writes what nobody else writes, then lets go: whoever is last must see it. */
static void *write_and_let_go(void *argument)
{
    worker *const self = argument;

    self->wrong += DLB_ONE_THREAD;
    ((float *)self->managed->dl_tensor.data)[self->number] = 1.0F;
    self->managed->deleter(self->managed);
    return NULL;
}

/* In the first round no other thread has begun yet where shares are made, so that they are counted without atomic steps. */
static void test_the_last_share_is_released_on_any_thread(void)
{
    worker workers[THREADS] = {0};
    dlb_owner *owner;

    for (int round = 0; round < ROUNDS; round++) {
        grid *const object = grid_new(1, THREADS);

        memset(object->data, 0, sizeof(float) * THREADS);
        grids_released = 0;
        CHECK(grids_moved_own(object, &owner, NULL) == 0);
        for (int i = 0; i < THREADS; i++) {
            CHECK(dlb_export(owner, &workers[i].managed, NULL) == 0);
        }
        dlb_owner_drop(owner);
        start(workers, write_and_let_go);
        finish(workers);
        CHECK_EQUAL(grids_released, 1);
        CHECK(grids_last_sum == (float)THREADS);
    }
    CHECK_EQUAL(grids_living, 0);
}

static void test_the_process_starts_with_one_thread(void)
{
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 32)
    CHECK(DLB_ONE_THREAD);
#endif
#endif
}

int main(void)
{
    test_the_process_starts_with_one_thread();
    test_the_last_share_is_released_on_any_thread();
    test_threads_can_export_one_owner();
    return checks_result();
}
