/* SPDX-License-Identifier: MIT */
/* Objects that a library gives away: who releases them, when they are adopted and when that fails. */
#include "boxes.h"

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

static void test_an_adopted_object_moves_with_its_reference(void)
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

static void test_an_object_that_cannot_be_adopted_is_released(void)
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
    box *const object = dlb_new_storage(type, sizeof *object, &error);
    box_state state = {object, 0};
    void *const given = type->state > 0 ? (void *)&state : object;
    dlb_owner *owner;

    CHECK_EQUAL(object->references + object->number, 0);
    *object = (box){2, 5};
    start_counting();
    CHECK((whole == NULL ? dlb_adopt(type, given, 1, &owner, &error)
                         : dlb_own_subobject(whole, type, given, 1, &owner, &error)) == 0);
    CHECK(dlb_owner_object(owner) == object);
    CHECK_EQUAL(object->number, 5);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, expected);
    CHECK_EQUAL(held_at_release, type->hold != NULL && expected > 0 ? 5 : 0);
}

static void test_an_object_in_our_storage_is_freed_with_it(void)
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

static void test_storage_without_an_object_is_freed(void)
{
    box_state state;
    dlb_owner *owner = NULL;

    dlb_free_storage(&held_type, dlb_new_storage(&held_type, sizeof(box), &error));
    dlb_free_storage(&creator_type, dlb_new_storage(&creator_type, sizeof(box), &error));
    dlb_free_storage(&plain_type, NULL);
    mallocs_to_fail = 0;
    CHECK(dlb_new_storage(&plain_type, sizeof(box), &error) == NULL);
    mallocs_to_fail = -1;
    CHECK_EQUAL(error.status, DLB_MEMORY_ERROR);
    start_counting();
    hold_fails = 1;
    state.self = dlb_new_storage(&held_type, sizeof(box), &error);
    state.self->references = 2;
    CHECK(dlb_adopt(&held_type, &state, 1, &owner, &error) == -1);
    CHECK_EQUAL(released, 1);
    state.self = dlb_new_storage(&held_type, sizeof(box), &error);
    CHECK(dlb_own_subobject(NULL, &held_type, &state, 1, &owner, &error) == -1);
    CHECK_EQUAL(released, 1);
    hold_fails = 0;
    CHECK(owner == NULL);
}

static void test_null_cannot_be_adopted(void)
{
    box_state state = {NULL, 0};
    dlb_owner *owner = NULL;

    start_counting();
    CHECK_FAILS(dlb_adopt(&plain_type, NULL, 0, &owner, &error), error, DLB_VALUE_ERROR,
                "boxes.Plain: the object is NULL");
    CHECK_FAILS(dlb_adopt(&held_type, &state, 0, &owner, &error), error, DLB_VALUE_ERROR,
                "boxes.Held: the object is NULL");
    CHECK_FAILS(dlb_own_subobject(NULL, &plain_type, NULL, 0, &owner, &error), error, DLB_VALUE_ERROR,
                "boxes.Plain: the object is NULL");
    CHECK(owner == NULL);
    CHECK_EQUAL(released, 0);
}

int main(void)
{
    test_an_adopted_object_moves_with_its_reference();
    test_an_object_that_cannot_be_adopted_is_released();
    test_an_object_in_our_storage_is_freed_with_it();
    test_storage_without_an_object_is_freed();
    test_null_cannot_be_adopted();
    CHECK_EQUAL(boxes_living, 0);
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
