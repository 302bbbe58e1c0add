/* SPDX-License-Identifier: MIT */
/* What things cost: at most one malloc() per export, and none while nobody uses the owner's own managed tensor. */
#include "check.h"
#include "grid.h"
#include "grids_dlpack.h"
#include "mallocs.h"

static dlb_error error;

/* How often malloc() is called by `call`, which must succeed. */
#define MALLOCS_OF(call) (mallocs = 0, CHECK((call) == 0), mallocs)

static void test_each_call_costs_at_most_one_malloc(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *first, *second, *copy;
    DLManagedTensor *legacy;
    dlb_owner *owner;
    dlb_view view;

    CHECK_EQUAL(MALLOCS_OF(grids_shared_own(object, &owner, &error)), 1);
    CHECK_EQUAL(MALLOCS_OF(dlb_export(owner, &first, &error)), 0);
    CHECK_EQUAL(MALLOCS_OF(dlb_export(owner, &second, &error)), 1);
    CHECK_EQUAL(MALLOCS_OF(dlb_export_legacy(owner, &legacy, &error)), 1);
    CHECK_EQUAL(MALLOCS_OF(dlb_export_copy(owner, &copy, &error)), 1);
    CHECK_EQUAL(MALLOCS_OF(grids_shared_view(object, &view, &error)), 0);
    CHECK_EQUAL(MALLOCS_OF(dlb_describe(&grids_borrowed_type, object, &view, &error)), 0);
    first->deleter(first);
    second->deleter(second);
    legacy->deleter(legacy);
    copy->deleter(copy);
    dlb_owner_drop(owner);
    CHECK_EQUAL(MALLOCS_OF(dlb_to_dlpack(&grids_moved_type, object, &first, &error)), 1);
    first->deleter(first);
    CHECK_EQUAL(blocks, 0);
}

static void test_the_slot_is_used_again(void)
{
    DLManagedTensorVersioned *slot, *block;
    DLManagedTensor *legacy;
    dlb_owner *owner;

    CHECK(grids_moved_own(grid_new(2, 3), &owner, &error) == 0);
    CHECK_EQUAL(MALLOCS_OF(dlb_export(owner, &slot, &error)), 0);
    CHECK_EQUAL(MALLOCS_OF(dlb_export(owner, &block, &error)), 1);
    block->deleter(block); /* gives no slot back */
    CHECK_EQUAL(MALLOCS_OF(dlb_export(owner, &block, &error)), 1);
    slot->deleter(slot);
    CHECK_EQUAL(MALLOCS_OF(dlb_export_legacy(owner, &legacy, &error)), 1); /* it rests as long as another export lives */
    legacy->deleter(legacy);
    block->deleter(block);
    CHECK_EQUAL(MALLOCS_OF(dlb_export_legacy(owner, &legacy, &error)), 0); /* both structs share it */
    CHECK_EQUAL(MALLOCS_OF(dlb_export(owner, &block, &error)), 1);
    legacy->deleter(legacy);
    dlb_owner_drop(owner);
    CHECK_EQUAL(MALLOCS_OF(dlb_export(block->manager_ctx, &slot, &error)), 1); /* without a holder too */
    block->deleter(block);
    slot->deleter(slot);
    CHECK_EQUAL(blocks, 0);
}

static void test_a_failure_gives_the_slot_back(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *slot = NULL, *block = NULL;
    DLManagedTensor *legacy = NULL;
    dlb_owner *owner;

    CHECK(grids_moved_own(object, &owner, &error) == 0);
    object->broken = 1;
    CHECK(dlb_export(owner, &slot, &error) == -1);
    CHECK(dlb_export_legacy(owner, &legacy, &error) == -1);
    object->broken = 0;
    object->locked = 1;
    CHECK(dlb_export_legacy(owner, &legacy, &error) == -1);
    CHECK(slot == NULL && legacy == NULL);
    CHECK_EQUAL(MALLOCS_OF(dlb_export(owner, &slot, &error)), 0);

    CHECK_EQUAL(blocks, 2); /* the object and its owner */
    object->broken = 1;
    CHECK(dlb_export(owner, &block, &error) == -1);
    object->broken = 0;
    CHECK(dlb_export_legacy(owner, &legacy, &error) == -1);
    CHECK(block == NULL && legacy == NULL);
    CHECK_EQUAL(blocks, 2);
    CHECK_EQUAL(dlb_owner_exports(owner), 1);
    slot->deleter(slot);
    dlb_owner_drop(owner);
    CHECK_EQUAL(blocks, 0);
}

/* A long random life of one owner against the simplest model of it. */
enum { MOST = 6, STEPS = 20000 };

typedef struct life {
    dlb_owner *owner;
    grid *object;
    DLManagedTensorVersioned *versioned[MOST]; /* each place holds one of the two, or nothing */
    DLManagedTensor *legacy[MOST];
    int slot; /* the place of the export that has the slot, or -1 */
    int living;
} life;

static uint32_t random_below(uint32_t limit)
{
    static uint32_t state = 12345;

    state = state * 1664525U + 1013904223U;
    return (state >> 8) % limit;
}

static void delete_at(life *self, int place)
{
    if (self->versioned[place] != NULL) {
        self->versioned[place]->deleter(self->versioned[place]);
    } else {
        self->legacy[place]->deleter(self->legacy[place]);
    }
    self->versioned[place] = NULL;
    self->legacy[place] = NULL;
    self->slot = self->slot == place ? -1 : self->slot;
    self->living--;
}

static void export_at(life *self, int place)
{
    const int legacy = (int)random_below(2);
    const int refused = self->object->broken || (legacy && self->object->locked);
    int result;

    mallocs = 0;
    result = legacy ? dlb_export_legacy(self->owner, &self->legacy[place], &error)
                    : dlb_export(self->owner, &self->versioned[place], &error);
    CHECK_EQUAL(result, refused ? -1 : 0);
    if (refused) {
        return;
    }
    CHECK_EQUAL(mallocs, self->living > 0);
    self->slot = self->living == 0 ? place : self->slot;
    self->living++;
}

static void test_exports_in_random_order_use_the_slot_once(void)
{
    life self = {.object = grid_new(3, 4), .slot = -1};

    CHECK(grids_moved_own(self.object, &self.owner, &error) == 0);
    for (int step = 0; step < STEPS; step++) {
        const int place = (int)random_below(MOST);

        self.object->locked = random_below(4) == 0;
        self.object->broken = random_below(8) == 0;
        if (self.versioned[place] != NULL || self.legacy[place] != NULL) {
            delete_at(&self, place);
        } else {
            export_at(&self, place);
        }
        CHECK_EQUAL(dlb_owner_exports(self.owner), self.living);
        CHECK_EQUAL(blocks, 2 + self.living - (self.slot >= 0));
    }
    for (int place = 0; place < MOST; place++) {
        if (self.versioned[place] != NULL || self.legacy[place] != NULL) {
            delete_at(&self, place);
        }
    }
    dlb_owner_drop(self.owner);
    CHECK_EQUAL(blocks, 0);
}

int main(void)
{
    test_each_call_costs_at_most_one_malloc();
    test_the_slot_is_used_again();
    test_a_failure_gives_the_slot_back();
    test_exports_in_random_order_use_the_slot_once();
    CHECK_EQUAL(grids_living, 0);
    return checks_result();
}
