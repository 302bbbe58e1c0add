/* SPDX-License-Identifier: MIT */
/* Objects that a library gives away, and objects that live in others: who releases them, who keeps whom alive. */
#include "check.h"
#include "dlb_describe.h"
#include "foreign.h"
#include "mallocs.h"

#include <stdlib.h>

static dlb_error error;

/* A library that counts references. */
typedef struct box {
    int references;
    int number;
} box;

static int boxes_living, released, retained, hold_fails;

static box *box_new(int number)
{
    box *const self = calloc(1, sizeof *self);

    *self = (box){1, number};
    boxes_living++;
    return self;
}

static void box_unref(box *self)
{
    released++;
    if (--self->references == 0) {
        boxes_living--;
        free(self);
    }
}

/* ---- What a generated file would say ---- */

static void box_release(void *object)
{
    box_unref(object);
}

static void box_retain(void *object)
{
    ((box *)object)->references++;
    retained++;
}

typedef struct box_state {
    box *self;
    int held; /* the number of the box */
} box_state;

static int held_at_release;

static int state_hold(void *object, dlb_error *failure)
{
    box_state *const state = object;

    if (hold_fails) {
        return dlb_refuse(failure, "boxes.Held", "no number");
    }
    state->held = state->self->number;
    return 0;
}

static int state_clone(void *object, dlb_error *failure)
{
    (void)failure;
    box_retain(((box_state *)object)->self);
    return 0;
}

static void state_release(void *object)
{
    held_at_release = ((box_state *)object)->held;
    box_unref(((box_state *)object)->self);
}

/* One byte, which is the object itself. */
static int byte_describe(void *object, dlb_view *view, dlb_error *failure)
{
    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(1));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, (uint8_t *)object);
    return dlb_view_finish(view, failure);
}

static void *byte_make(dlb_source *source, dlb_error *failure)
{
    (void)failure;
    return source->data;
}

#define STATE .state = sizeof(box_state), .hold = state_hold, .release = state_release
static const dlb_type plain_type = {.name = "boxes.Plain", .shares = "box", .release = box_release};
static const dlb_type counted_type = {.name = "boxes.Counted", .retain = box_retain, .release = box_release};
static const dlb_type held_type = {.name = "boxes.Held", STATE};
static const dlb_type cloned_type = {.name = "boxes.Cloned", STATE, .clone = state_clone};
static const dlb_type borrowed_type = {.name = "boxes.Borrowed"};
static const dlb_type creator_type = {
    .name = "boxes.Creator", .release = box_release, .release_on = DLB_RELEASE_CREATOR};
static const DLDeviceType devices[] = {kDLCPU};
static const dlb_maker byte_maker = {
    .make = byte_make, .min_ndim = 1, .max_ndim = 1, .devices = devices, .device_count = 1};
static const dlb_type byte_type = {.name = "boxes.Byte", .ndim = 1, .describe = byte_describe, .importer = &byte_maker};
static const dlb_type other_type = {.name = "boxes.Other", .shares = "box"};

static void start_counting(void)
{
    released = 0;
    retained = 0;
    held_at_release = 0;
}

/* `expected`: how often the box is released when the owner ends. */
static void check_adopted(const dlb_type *type, int expected)
{
    box *const object = box_new(5);
    box_state state = {object, 0};
    dlb_owner *owner;

    start_counting();
    CHECK(dlb_adopt(type, type->state > 0 ? (void *)&state : object, 0, &owner, &error) == 0);
    CHECK(dlb_owner_object(owner) == object);
    CHECK_EQUAL(object->references, 1);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, expected);
    CHECK_EQUAL(retained, 0);
    CHECK_EQUAL(held_at_release, type->hold != NULL ? 5 : 0);
}

static void test_what_is_adopted_moves_in_with_its_reference(void)
{
    check_adopted(&plain_type, 1);
    check_adopted(&counted_type, 1);
    check_adopted(&held_type, 1);
    check_adopted(&cloned_type, 1);
    check_adopted(&creator_type, 1);
    CHECK_EQUAL(boxes_living, 0);
}

/* Without memory, and where `hold` fails. */
static void check_refused(const dlb_type *type, int mallocs_before, dlb_status status)
{
    box_state state = {box_new(5), 0};
    dlb_owner *owner = NULL;

    start_counting();
    mallocs_to_fail = mallocs_before;
    CHECK(dlb_adopt(type, type->state > 0 ? (void *)&state : state.self, 0, &owner, &error) == -1);
    mallocs_to_fail = -1;
    CHECK_EQUAL(error.status, status);
    CHECK(owner == NULL);
    CHECK_EQUAL(released, type->release != NULL);
    CHECK_EQUAL(retained, 0);
    CHECK_EQUAL(held_at_release, type->hold != NULL && !hold_fails ? 5 : 0);
}

static void test_what_cannot_be_adopted_is_released(void)
{
    check_refused(&plain_type, 0, DLB_MEMORY_ERROR);
    check_refused(&counted_type, 0, DLB_MEMORY_ERROR);
    check_refused(&held_type, 0, DLB_MEMORY_ERROR);
    check_refused(&cloned_type, 0, DLB_MEMORY_ERROR);
    check_refused(&creator_type, 1, DLB_MEMORY_ERROR);
    hold_fails = 1;
    check_refused(&held_type, -1, DLB_BUFFER_ERROR);
    check_refused(&held_type, 0, DLB_MEMORY_ERROR);
    hold_fails = 0;
    CHECK_EQUAL(boxes_living, 0);
}

/* In room of the owner, which has it until the end; `expected`: how often the box is released. */
static void check_in_room(const dlb_type *type, dlb_owner *whole, int expected)
{
    box *const object = dlb_room(type, sizeof *object, &error);
    box_state state = {object, 0};
    void *const given = type->state > 0 ? (void *)&state : object;
    dlb_owner *owner;

    CHECK_EQUAL(object->references + object->number, 0);
    *object = (box){2, 5};
    start_counting();
    CHECK((whole == NULL ? dlb_adopt(type, given, 1, &owner, &error)
                         : dlb_own_within(whole, type, given, 1, &owner, &error)) == 0);
    CHECK(dlb_owner_object(owner) == object);
    CHECK_EQUAL(object->number, 5);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, expected);
    CHECK_EQUAL(held_at_release, type->hold != NULL && expected > 0 ? 5 : 0);
}

static void test_what_is_in_room_ends_with_it(void)
{
    dlb_owner *whole;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    check_in_room(&plain_type, NULL, 1);
    check_in_room(&held_type, NULL, 1);
    check_in_room(&cloned_type, NULL, 1);
    check_in_room(&creator_type, NULL, 1);
    check_in_room(&byte_type, NULL, 0);
    check_in_room(&plain_type, whole, 0);
    check_in_room(&held_type, whole, 0);
    dlb_owner_drop(whole);
    CHECK_EQUAL(boxes_living, 0);
}

static void test_room_without_an_object_is_given_back(void)
{
    box_state state;
    dlb_owner *owner = NULL;

    dlb_leave_room(&held_type, dlb_room(&held_type, sizeof(box), &error));
    dlb_leave_room(&creator_type, dlb_room(&creator_type, sizeof(box), &error));
    dlb_leave_room(&plain_type, NULL);
    mallocs_to_fail = 0;
    CHECK(dlb_room(&plain_type, sizeof(box), &error) == NULL);
    mallocs_to_fail = -1;
    CHECK_EQUAL(error.status, DLB_MEMORY_ERROR);
    start_counting();
    hold_fails = 1;
    state.self = dlb_room(&held_type, sizeof(box), &error);
    state.self->references = 2;
    CHECK(dlb_adopt(&held_type, &state, 1, &owner, &error) == -1);
    CHECK_EQUAL(released, 1);
    state.self = dlb_room(&held_type, sizeof(box), &error);
    CHECK(dlb_own_within(NULL, &held_type, &state, 1, &owner, &error) == -1);
    CHECK_EQUAL(released, 1);
    hold_fails = 0;
    CHECK(owner == NULL);
}

static void test_null_is_no_object(void)
{
    box_state state = {NULL, 0};
    dlb_owner *owner = NULL;

    start_counting();
    CHECK_FAILS(dlb_adopt(&plain_type, NULL, 0, &owner, &error), error, DLB_VALUE_ERROR,
                "boxes.Plain: the object is NULL");
    CHECK_FAILS(dlb_adopt(&held_type, &state, 0, &owner, &error), error, DLB_VALUE_ERROR,
                "boxes.Held: the object is NULL");
    CHECK_FAILS(dlb_own_within(NULL, &plain_type, NULL, 0, &owner, &error), error, DLB_VALUE_ERROR,
                "boxes.Plain: the object is NULL");
    CHECK(owner == NULL);
    CHECK_EQUAL(released, 0);
}

static void test_what_lives_for_good_is_not_released(void)
{
    box *const object = box_new(5);
    box_state state = {object, 0};
    dlb_owner *owner;

    start_counting();
    CHECK(dlb_own_within(NULL, &plain_type, object, 0, &owner, &error) == 0);
    dlb_owner_drop(owner);
    CHECK(dlb_own_within(NULL, &held_type, &state, 0, &owner, &error) == 0);
    CHECK(dlb_owner_object(owner) == object);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 0);
    /* With references, it has one of its own. */
    CHECK(dlb_own_within(NULL, &counted_type, object, 0, &owner, &error) == 0);
    CHECK_EQUAL(object->references, 2);
    dlb_owner_drop(owner);
    CHECK(dlb_own_within(NULL, &cloned_type, &state, 0, &owner, &error) == 0);
    CHECK_EQUAL(object->references, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 2);
    CHECK_EQUAL(object->references, 1);
    box_unref(object);
}

static void test_failures_leave_it_where_it_lives(void)
{
    box_state state = {box_new(5), 0};
    dlb_owner *whole, *owner = NULL;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    start_counting();
    mallocs_to_fail = 0;
    CHECK(dlb_own_within(whole, &counted_type, state.self, 0, &owner, &error) == -1);
    mallocs_to_fail = -1;
    hold_fails = 1;
    CHECK_FAILS(dlb_own_within(whole, &cloned_type, &state, 0, &owner, &error), error, DLB_BUFFER_ERROR,
                "boxes.Held: no number");
    hold_fails = 0;
    CHECK(owner == NULL);
    CHECK_EQUAL(released + retained, 0);
    dlb_owner_drop(whole);
    CHECK_EQUAL(released, 1);
    box_unref(state.self);
}

static void test_it_keeps_what_it_lives_in(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *owner;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    start_counting();
    CHECK(dlb_own_within(whole, &borrowed_type, inner, 0, &owner, &error) == 0);
    dlb_owner_drop(whole);
    CHECK_EQUAL(boxes_living, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 1);
    CHECK_EQUAL(boxes_living, 1);
    box_unref(inner);
}

/* One node after the other, as in a list: no chain of owners grows. */
static void test_what_lives_in_what_is_lent_keeps_the_first_one(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *node;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    CHECK(dlb_own_within(whole, &plain_type, inner, 0, &node, &error) == 0);
    dlb_owner_drop(whole);
    start_counting();
    for (int i = 0; i < 3; i++) {
        const int before = blocks;
        dlb_owner *next;

        CHECK(dlb_own_within(node, &plain_type, inner, 0, &next, &error) == 0);
        dlb_owner_drop(node);
        CHECK_EQUAL(blocks, before);
        node = next;
    }
    CHECK_EQUAL(released, 0);
    dlb_owner_drop(node);
    CHECK_EQUAL(released, 1);
    box_unref(inner);
}

/* A reference of its own may be all that keeps the object. */
static void test_what_has_a_reference_is_kept_itself(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *middle, *owner;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    CHECK(dlb_own_within(whole, &counted_type, inner, 0, &middle, &error) == 0);
    CHECK(dlb_own_within(middle, &borrowed_type, inner, 0, &owner, &error) == 0);
    dlb_owner_drop(middle);
    dlb_owner_drop(whole);
    CHECK_EQUAL(inner->references, 2);
    CHECK_EQUAL(boxes_living, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(inner->references, 1);
    CHECK_EQUAL(boxes_living, 1);
    box_unref(inner);
}

static void test_a_part_of_what_is_lent_shows_that(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *lent, *part;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    CHECK(dlb_own_within(whole, &plain_type, inner, 0, &lent, &error) == 0);
    CHECK(dlb_own_part(lent, &other_type, NULL, &part, &error) == 0);
    CHECK(dlb_owner_object(part) == inner);
    dlb_owner_drop(lent);
    dlb_owner_drop(whole);
    CHECK_EQUAL(boxes_living, 2);
    dlb_owner_drop(part);
    CHECK_EQUAL(boxes_living, 1);
    box_unref(inner);
}

static void check_flags(uint64_t flags)
{
    static const int64_t one[] = {1};
    uint8_t bytes[2] = {0};
    dlb_owner *whole, *owner;
    foreign source;
    dlb_view view;

    foreign_array(&source, bytes, DLB_DTYPE(kDLUInt, 8), 1, one, one)->flags = flags;
    CHECK(dlb_import(&byte_type, &source.versioned, &whole, &error) == 0);
    CHECK(dlb_own_within(whole, &byte_type, bytes + 1, 0, &owner, &error) == 0);
    dlb_owner_drop(whole);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK(view.tensor->data == bytes + 1);
    CHECK_EQUAL(view.flags, flags);
    CHECK_EQUAL(source.deleted, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
}

static void test_what_lives_in_read_only_memory_is_read_only(void)
{
    check_flags(DLPACK_FLAG_BITMASK_READ_ONLY);
    check_flags(0);
}

int main(void)
{
    test_what_is_adopted_moves_in_with_its_reference();
    test_what_cannot_be_adopted_is_released();
    test_what_is_in_room_ends_with_it();
    test_room_without_an_object_is_given_back();
    test_null_is_no_object();
    test_what_lives_for_good_is_not_released();
    test_failures_leave_it_where_it_lives();
    test_it_keeps_what_it_lives_in();
    test_what_lives_in_what_is_lent_keeps_the_first_one();
    test_what_has_a_reference_is_kept_itself();
    test_a_part_of_what_is_lent_shows_that();
    test_what_lives_in_read_only_memory_is_read_only();
    CHECK_EQUAL(boxes_living, 0);
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
