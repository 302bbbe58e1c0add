/* SPDX-License-Identifier: MIT */
/* Owners that keep others: which setter forgets which, and what is shared in turn. */
#include "keeps.h"

enum { MANY = 70 }; /* more than are looked into */

/* The next call of malloc() but so many fails; then `call` must say so. */
#define CHECK_NO_MEMORY(successes, call, name)                                                                         \
    do {                                                                                                               \
        mallocs_to_fail = (successes);                                                                                 \
        CHECK_FAILS((call), error, DLB_MEMORY_ERROR, name ": no memory");                                              \
        mallocs_to_fail = -1;                                                                                          \
    } while (0)

static void test_an_owner_keeps_one_dependency_or_several(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const other = own_new(&plain_type), *const third = own_new(&plain_type);

    CHECK(dlb_owner_only_dependency(owner) == owner);
    CHECK(dlb_owner_add_dependency(owner, other, &error) == 0);
    CHECK(dlb_owner_only_dependency(owner) == other);
    dlb_owner_drop(other);
    CHECK_NO_MEMORY(0, dlb_owner_add_dependency(owner, third, &error), "boxes.Plain");
    give_new(third, &setter);
    CHECK(dlb_owner_add_dependency(owner, third, &error) == 0);
    CHECK(dlb_owner_only_dependency(owner) == owner);
    forget_all(third, &setter);
    dlb_owner_drop(third);
    CHECK_EQUAL(boxes_living, 4); /* what `third` gave up, too */
    dlb_owner_drop(owner);
    CHECK_EQUAL(boxes_living, 0);
}

static void test_a_subobject_knows_its_whole(void)
{
    dlb_owner *const whole = own_new(&plain_type);
    dlb_owner *const inside = own_inside(whole, dlb_owner_object(whole));
    dlb_owner *const other = own_new(&plain_type);

    CHECK(dlb_owner_is_subobject(inside) && !dlb_owner_is_subobject(whole));
    CHECK(dlb_owner_whole(inside) == whole);
    CHECK(dlb_owner_whole(whole) == NULL);
    CHECK(dlb_owner_add_dependency(inside, other, &error) == 0);
    CHECK(dlb_owner_whole(inside) == NULL); /* it keeps others, too */
    dlb_owner_drop(other);
    dlb_owner_drop(inside);
    CHECK_EQUAL(boxes_living, 1);
    dlb_owner_drop(whole);
}

static void test_a_setter_replaces_its_own_dependencies(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const other = own_new(&plain_type);
    int before;

    give_new(owner, &setter);
    give_new(owner, &other_setter);
    dlb_owner_forget(owner, &setter); /* which has given nothing since */
    CHECK_EQUAL(boxes_living, 4);
    CHECK(give(owner, other, &setter) == 0);
    dlb_owner_forget(owner, &other_setter);
    CHECK_EQUAL(boxes_living, 4);
    dlb_owner_forget(owner, &setter);
    CHECK_EQUAL(boxes_living, 3);
    CHECK(give(owner, other, &setter) == 0); /* again: the former one is forgotten alone */
    dlb_owner_forget(owner, &setter);
    forget_all(owner, &other_setter);
    CHECK_EQUAL(boxes_living, 2);
    CHECK(dlb_owner_of_kept(owner, dlb_owner_object(other)) == other);

    CHECK(give(owner, other, NULL) == 0);
    before = blocks;
    CHECK(give(owner, other, NULL) == 0); /* twice does not count */
    CHECK(give(owner, owner, NULL) == 0); /* nor does it itself */
    CHECK_EQUAL(blocks, before);
    forget_all(owner, &setter);
    dlb_owner_drop(other);
    CHECK_EQUAL(boxes_living, 2); /* what nobody set is never forgotten */
    dlb_owner_drop(owner);
    CHECK_EQUAL(boxes_living, 0);
}

static void test_an_object_with_references_keeps_no_dependencies(void)
{
    dlb_owner *const owner = own_new(&counted_type), *const other = own_new(&plain_type);

    CHECK_FAILS(give(owner, other, &setter), error, DLB_TYPE_ERROR,
                "boxes.Counted: it cannot keep objects, since only the library knows when it is freed");
    box_unref(dlb_owner_object(owner)); /* the reference of box_new() */
    dlb_owner_drop(owner);
    dlb_owner_drop(other);
    CHECK_EQUAL(boxes_living, 0);
}

/* What the other keeps may be forgotten there, but C may have copied its address. */
static void test_dependencies_of_a_dependency_are_kept_too(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const source = own_new(&plain_type);
    dlb_owner *const middle = own_new(&plain_type), *const base = own_new(&plain_type);

    dlb_owner_depend_on(source, base);
    CHECK(give(source, middle, NULL) == 0);
    give_new(source, &setter);
    give_new(middle, &setter);
    give_new(base, &setter);
    CHECK_NO_MEMORY(0, give(owner, source, &setter), "boxes.Plain");
    CHECK_NO_MEMORY(1, give(owner, source, &setter), "boxes.Plain");
    forget_all(owner, &setter);
    CHECK_NO_MEMORY(2, give(owner, source, &setter), "boxes.Plain");
    forget_all(owner, &setter);
    CHECK_NO_MEMORY(3, give(owner, source, &setter), "boxes.Plain");
    forget_all(owner, &setter);
    CHECK_EQUAL(boxes_living, 7);

    CHECK(give(owner, source, &other_setter) == 0);
    forget_all(source, &setter);
    forget_all(middle, &setter);
    forget_all(base, &setter);
    CHECK_EQUAL(boxes_living, 7);
    forget_all(owner, &other_setter);
    CHECK_EQUAL(boxes_living, 4);
    dlb_owner_drop(middle);
    dlb_owner_drop(base);
    dlb_owner_drop(source);
    dlb_owner_drop(owner);
    CHECK_EQUAL(boxes_living, 0);
}

/* Each of them is looked into once. */
static void test_a_cycle_of_dependencies_is_searched_once(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const left = own_new(&plain_type), *const right = own_new(&plain_type);
    dlb_owner *const shared = own_new(&plain_type), *const source = own_new(&plain_type);

    CHECK(give(left, shared, NULL) == 0);
    CHECK(give(right, shared, NULL) == 0);
    CHECK(give(shared, owner, &setter) == 0);
    CHECK(give(source, left, NULL) == 0);
    CHECK(give(source, right, NULL) == 0);
    CHECK(give(owner, source, &setter) == 0);
    CHECK(give(owner, right, &setter) == 0);
    forget_all(shared, &setter);
    forget_all(owner, &setter);
    dlb_owner_drop(owner);
    dlb_owner_drop(source);
    dlb_owner_drop(right);
    dlb_owner_drop(left);
    CHECK_EQUAL(boxes_living, 1);
    dlb_owner_drop(shared);
    CHECK_EQUAL(boxes_living, 0);
}

static void test_an_owner_can_keep_many_dependencies(void)
{
    dlb_owner *const owner = own_new(&plain_type), *const source = own_new(&plain_type), *const last = own_new(&plain_type);

    for (int i = 0; i < MANY; i++) {
        give_new(source, NULL);
    }
    CHECK(give(owner, source, &setter) == 0);
    for (int i = 0; i < MANY; i++) {
        dlb_owner *const other = own_new(&plain_type);

        CHECK(dlb_owner_keep_others(source, &other, 1, i == 0 ? &setter : NULL, &error) == 0);
        dlb_owner_drop(other);
    }
    CHECK(give(owner, source, &other_setter) == 0); /* finds the one that may be forgotten, behind the newest ones */
    forget_all(source, &setter);
    CHECK_EQUAL(boxes_living, 3 + 2 * MANY);
    CHECK(give(last, owner, NULL) == 0);
    dlb_owner_drop(source);
    dlb_owner_drop(owner);
    CHECK_EQUAL(boxes_living, 3 + 2 * MANY);
    dlb_owner_drop(last);
    CHECK_EQUAL(boxes_living, 0);
}

static void test_objects_inside_are_kept_by_their_storage_owner(void)
{
    dlb_owner *const home = own_new(&plain_type), *const other = own_new(&plain_type), *const viewer = own_new(&plain_type);
    void (*release)(void *object);
    int inner;
    dlb_owner *const inside = own_inside(home, &inner);

    CHECK(dlb_owner_add_dependency(inside, other, &error) == 0);
    CHECK_NO_MEMORY(0, dlb_owner_copy_dependencies(viewer, inside, &error), "boxes.Plain");
    CHECK(dlb_owner_copy_dependencies(viewer, inside, &error) == 0);
    CHECK_NO_MEMORY(0, give(home, inside, NULL), "boxes.Plain");
    CHECK(give(home, inside, NULL) == 0); /* not `inside`, but what that shows */
    CHECK(dlb_owner_of_kept(inside, dlb_owner_object(other)) == other);
    release = other->release;
    dlb_owner_close(other);
    CHECK(dlb_owner_of_kept(inside, dlb_owner_object(other)) == inside);
    other->release = release;
    CHECK(dlb_owner_of_kept(inside, &inner) == inside);
    dlb_owner_drop(inside);
    dlb_owner_drop(other);
    dlb_owner_drop(home);
    CHECK_EQUAL(boxes_living, 2);
    dlb_owner_drop(viewer);
    CHECK_EQUAL(boxes_living, 0);
}

/* Once it lies elsewhere, its address is that of something else. */
static void test_dependencies_of_a_moved_object_are_not_forgotten(void)
{
    dlb_owner *const home = own_new(&plain_type);
    int inner;
    dlb_owner *const inside = own_inside(home, &inner);

    give_new(inside, &setter);
    give_new(home, &setter);
    forget_all(inside, &setter);
    CHECK_EQUAL(boxes_living, 2);
    give_new(inside, &setter);
    CHECK_EQUAL(chain_of(home)->kind, DLB_KEPT_MOVABLE);
    dlb_owner_mark_moved(inside);
    CHECK_EQUAL(chain_of(home)->kind, DLB_KEPT_REPLACEABLE);
    dlb_owner_mark_moved(inside);
    forget_all(inside, &setter);
    CHECK_EQUAL(boxes_living, 3);
    forget_all(home, &setter);
    CHECK_EQUAL(boxes_living, 2);
    dlb_owner_drop(inside);
    dlb_owner_drop(home);
    CHECK_EQUAL(boxes_living, 0);
}

int main(void)
{
    test_an_owner_keeps_one_dependency_or_several();
    test_a_subobject_knows_its_whole();
    test_a_setter_replaces_its_own_dependencies();
    test_an_object_with_references_keeps_no_dependencies();
    test_dependencies_of_a_dependency_are_kept_too();
    test_a_cycle_of_dependencies_is_searched_once();
    test_an_owner_can_keep_many_dependencies();
    test_objects_inside_are_kept_by_their_storage_owner();
    test_dependencies_of_a_moved_object_are_not_forgotten();
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
