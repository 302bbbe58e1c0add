/* SPDX-License-Identifier: MIT */
/* Transfers the dependencies of an owner whose object the library has taken over, and searches all that an owner keeps. */
#include "keeps.h"

static bool has_object_at(const dlb_owner *owner, const void *address)
{
    return dlb_owner_object(owner) == address;
}

/* ---- Objects that belong to the library ---- */

/* The library has the box: the test, which frees it, stands for that. */
static void hand_to_library(dlb_owner *owner, dlb_owner *recipient)
{
    dlb_owner_close(owner);
    dlb_owner_transfer_dependencies(owner, recipient);
    dlb_owner_drop(owner);
}

static void test_the_recipient_keeps_all_dependencies(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const recipient = own_new(&plain_type), *const base = own_new(&plain_type);
    dlb_owner *const late = own_new(&plain_type); /* which `inside` shows after `owner` has it */
    box *const object = dlb_owner_object(owner);
    int inner;
    dlb_owner *const inside = own_inside(recipient, &inner);

    dlb_owner_depend_on(owner, base);
    dlb_owner_drop(base);
    give_new(owner, &setter);
    give_new(owner, NULL);
    CHECK(dlb_owner_add_dependency(owner, inside, &error) == 0);
    CHECK(dlb_owner_add_dependency(inside, late, &error) == 0);
    dlb_owner_drop(late);
    dlb_owner_drop(inside);
    hand_to_library(owner, recipient);
    CHECK_EQUAL(boxes_living, 6);
    box_unref(object);
    dlb_owner_drop(recipient);
    CHECK_EQUAL(boxes_living, 0);
}

static void test_a_recipient_that_only_the_library_frees_keeps_dependencies_forever(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const recipient = own_new(&counted_type), *const base = own_new(&plain_type);
    box *const object = dlb_owner_object(owner);

    dlb_owner_depend_on(owner, base);
    hand_to_library(owner, recipient);
    box_unref(object);
    box_unref(dlb_owner_object(recipient));
    dlb_owner_drop(recipient);
    dlb_owner_drop(base);
    CHECK_EQUAL(boxes_living, 1); /* kept forever */
    dlb_owner_drop(base);
    CHECK_EQUAL(boxes_living, 0);
}

static dlb_owner *own_in_block(void)
{
    box *const object = dlb_new_storage(&borrowed_type, sizeof *object, &error);
    dlb_owner *owner = NULL;

    CHECK(dlb_adopt(&borrowed_type, object, 1, &owner, &error) == 0);
    CHECK(dlb_owner_stores_object(owner));
    return owner;
}

/* The struct lies in the block of its owner, which lives on. */
static void test_the_recipient_keeps_the_block(void)
{
    for (int with_base = 0; with_base < 2; with_base++) {
        dlb_owner *const owner = own_in_block(), *const recipient = own_new(&plain_type);
        int before;

        if (with_base) {
            dlb_owner *const base = own_new(&plain_type);

            dlb_owner_depend_on(owner, base);
            dlb_owner_drop(base);
        }
        before = blocks;
        hand_to_library(owner, recipient);
        CHECK(blocks >= before);
        CHECK(dlb_owner_find(recipient, has_object_at, dlb_owner_object(owner)) == owner);
        CHECK_EQUAL(boxes_living, 1 + with_base);
        dlb_owner_drop(recipient);
        CHECK_EQUAL(boxes_living, 0);
    }
}

static void test_a_block_without_a_recipient_is_kept_forever(void)
{
    dlb_owner *const owner = own_in_block(), *const recipient = own_new(&plain_type);
    const int before = blocks;

    hand_to_library(owner, NULL);
    mallocs_to_fail = 0;
    hand_to_library(owner, recipient); /* which has no memory to keep it */
    mallocs_to_fail = -1;
    CHECK_EQUAL(blocks, before);
    dlb_owner_drop(owner);
    dlb_owner_drop(recipient);
}

/* ---- Searches ---- */

static void test_owners_are_found_among_the_dependencies(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const other = own_new(&plain_type), *const base = own_new(&plain_type);
    dlb_owner *const deep = own_new(&plain_type);
    dlb_owner *found;

    dlb_owner_depend_on(owner, base);
    CHECK(give(owner, other, NULL) == 0);
    CHECK(give(other, deep, NULL) == 0);
    CHECK(dlb_owner_find(owner, has_object_at, dlb_owner_object(owner)) == owner);
    CHECK(dlb_owner_find(owner, has_object_at, dlb_owner_object(deep)) == deep);
    CHECK(dlb_owner_find(owner, has_object_at, dlb_owner_object(base)) == base);
    CHECK(dlb_owner_find(owner, has_object_at, &found) == NULL);
    CHECK(dlb_owner_source(owner).keeper == base);
    CHECK(dlb_owner_of_made(owner, &plain_type, dlb_owner_object(other)) == NULL); /* no import made it */
    for (int i = 0; i < 256; i++) {
        give_new(owner, NULL);
    }
    found = dlb_owner_find(owner, has_object_at, dlb_owner_object(base));
    CHECK(found != NULL && found != base); /* it gave up before */
    dlb_owner_drop(deep);
    dlb_owner_drop(base);
    dlb_owner_drop(other);
    dlb_owner_drop(owner);
    CHECK_EQUAL(boxes_living, 0);
}

int main(void)
{
    test_the_recipient_keeps_all_dependencies();
    test_a_recipient_that_only_the_library_frees_keeps_dependencies_forever();
    test_the_recipient_keeps_the_block();
    test_a_block_without_a_recipient_is_kept_forever();
    test_owners_are_found_among_the_dependencies();
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
