/* SPDX-License-Identifier: MIT */
/* Objects that live in others, or for good: who keeps whom alive, and what they show of that. */
#include "boxes.h"
#include "foreign.h"

static void test_an_object_that_lives_forever_is_not_released(void)
{
    box *const object = box_new(5);
    box_state state = {object, 0};
    dlb_owner *owner;

    start_counting();
    CHECK(dlb_own_subobject(NULL, &plain_type, object, 0, &owner, &error) == 0);
    dlb_owner_drop(owner);
    CHECK(dlb_own_subobject(NULL, &held_type, &state, 0, &owner, &error) == 0);
    CHECK(dlb_owner_object(owner) == object);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 0);
    /* With references, it has one of its own. */
    CHECK(dlb_own_subobject(NULL, &counted_type, object, 0, &owner, &error) == 0);
    CHECK_EQUAL(object->references, 2);
    dlb_owner_drop(owner);
    CHECK(dlb_own_subobject(NULL, &cloned_type, &state, 0, &owner, &error) == 0);
    CHECK_EQUAL(object->references, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 2);
    CHECK_EQUAL(object->references, 1);
    box_unref(object);
}

static void test_a_failure_leaves_a_subobject_in_its_whole(void)
{
    box_state state = {box_new(5), 0};
    dlb_owner *whole, *owner = NULL;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    start_counting();
    mallocs_to_fail = 0;
    CHECK(dlb_own_subobject(whole, &counted_type, state.self, 0, &owner, &error) == -1);
    mallocs_to_fail = -1;
    hold_fails = 1;
    CHECK_FAILS(dlb_own_subobject(whole, &cloned_type, &state, 0, &owner, &error), error, DLB_BUFFER_ERROR,
                "boxes.Held: no number");
    hold_fails = 0;
    CHECK(owner == NULL);
    CHECK_EQUAL(released + retained, 0);
    dlb_owner_drop(whole);
    CHECK_EQUAL(released, 1);
    box_unref(state.self);
}

static void test_a_subobject_keeps_its_whole(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *owner;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    start_counting();
    CHECK(dlb_own_subobject(whole, &borrowed_type, inner, 0, &owner, &error) == 0);
    dlb_owner_drop(whole);
    CHECK_EQUAL(boxes_living, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 1);
    CHECK_EQUAL(boxes_living, 1);
    box_unref(inner);
}

/* One node after the other, as in a list: no chain of owners grows. */
static void test_parts_of_borrowed_objects_keep_the_first_one(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *node;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    CHECK(dlb_own_subobject(whole, &plain_type, inner, 0, &node, &error) == 0);
    dlb_owner_drop(whole);
    start_counting();
    for (int i = 0; i < 3; i++) {
        const int before = blocks;
        dlb_owner *next;

        CHECK(dlb_own_subobject(node, &plain_type, inner, 0, &next, &error) == 0);
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
static void test_a_subobject_with_a_reference_is_kept_itself(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *middle, *owner;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    CHECK(dlb_own_subobject(whole, &counted_type, inner, 0, &middle, &error) == 0);
    CHECK(dlb_own_subobject(middle, &borrowed_type, inner, 0, &owner, &error) == 0);
    dlb_owner_drop(middle);
    dlb_owner_drop(whole);
    CHECK_EQUAL(inner->references, 2);
    CHECK_EQUAL(boxes_living, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(inner->references, 1);
    CHECK_EQUAL(boxes_living, 1);
    box_unref(inner);
}

static void test_a_part_of_a_borrowed_object_shows_the_borrowed_object(void)
{
    box *const inner = box_new(2);
    dlb_owner *whole, *temporary, *part;

    CHECK(dlb_own(&plain_type, box_new(1), &whole, &error) == 0);
    CHECK(dlb_own_subobject(whole, &plain_type, inner, 0, &temporary, &error) == 0);
    CHECK(dlb_own_part(temporary, &other_type, NULL, &part, &error) == 0);
    CHECK(dlb_owner_object(part) == inner);
    dlb_owner_drop(temporary);
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
    CHECK(dlb_own_subobject(whole, &byte_type, bytes + 1, 0, &owner, &error) == 0);
    dlb_owner_drop(whole);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK(view.tensor->data == bytes + 1);
    CHECK_EQUAL(view.flags, flags);
    CHECK_EQUAL(source.deleted, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
}

static void test_a_subobject_of_read_only_memory_is_read_only(void)
{
    check_flags(DLPACK_FLAG_BITMASK_READ_ONLY);
    check_flags(0);
}

static void leave_byte(void *object)
{
    (void)object;
}

/* Neither for the owner, nor for the list of what the thread must release. */
static void test_an_import_without_memory_stays_with_the_caller(void)
{
    static const dlb_type type = {.name = "boxes.Byte", .ndim = 1, .describe = byte_describe, .importer = &byte_factory,
                                  .release = leave_byte, .release_on = DLB_RELEASE_CREATOR};
    static const int64_t one[] = {1};
    uint8_t byte = 0;
    int successes = 0;
    dlb_owner *owner = NULL;
    foreign source;

    foreign_array(&source, &byte, DLB_DTYPE(kDLUInt, 8), 1, one, one);
    for (mallocs_to_fail = 0; dlb_import(&type, &source.versioned, &owner, &error) != 0; mallocs_to_fail = ++successes) {
        CHECK_EQUAL(error.status, DLB_MEMORY_ERROR);
        CHECK(owner == NULL);
        CHECK_EQUAL(source.deleted, 0);
        if (successes > 8) {
            break;
        }
    }
    mallocs_to_fail = -1;
    CHECK_EQUAL(successes, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
}

int main(void)
{
    test_an_import_without_memory_stays_with_the_caller();
    test_an_object_that_lives_forever_is_not_released();
    test_a_failure_leaves_a_subobject_in_its_whole();
    test_a_subobject_keeps_its_whole();
    test_parts_of_borrowed_objects_keep_the_first_one();
    test_a_subobject_with_a_reference_is_kept_itself();
    test_a_part_of_a_borrowed_object_shows_the_borrowed_object();
    test_a_subobject_of_read_only_memory_is_read_only();
    CHECK_EQUAL(boxes_living, 0);
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
