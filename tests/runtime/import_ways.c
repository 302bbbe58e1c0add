/* SPDX-License-Identifier: MIT */
/* Each import does the usual in one step, and looks closely, once, at what cannot be done so. */
#include "ways.h"

static void test_each_import_takes_one_step(void)
{
    const dlb_type types[] = {counting(&ways_kept_type), counting(&ways_moved_type)};
    sample expected = make_sample();

    released = 0;
    for (int i = 0; i < 4; i++) {
        const dlb_type *const type = &types[i / 2];
        dlb_owner *owner;
        foreign array;

        foreign_array(&array, memory, float32, 2, shape, strides);
        CHECK_STEPS(i % 2 ? dlb_import(type, &array.versioned, &owner, &error)
                          : dlb_import_legacy(type, foreign_legacy(&array), &owner, &error), 0, 0, 0);
        CHECK_EQUAL(imported, 1);
        CHECK_STEPS(try(VERSIONED, owner, type, &expected), 0, 1, 0);
        CHECK_EQUAL(array.deleted, 0);
        dlb_owner_drop(owner);
        CHECK_EQUAL(array.deleted, 1);
    }
    CHECK_EQUAL(released, 0); /* the struct was never the library's */
    CHECK_EQUAL(blocks, 0);
}

static void test_other_arrays_take_the_slow_path(void)
{
    const dlb_type type = counting(&ways_kept_type), moved = counting(&ways_moved_type);
    dlb_owner *owner;
    foreign array;

    foreign_array(&array, memory, float32, 2, shape, strides)->dl_tensor.byte_offset = 4;
    CHECK_STEPS(dlb_import(&type, &array.versioned, &owner, &error), 0, 0, 1);
    CHECK_EQUAL(imported, 1);
    CHECK(((sample *)dlb_owner_object(owner))->data == memory + 1);
    dlb_owner_drop(owner);
    CHECK_EQUAL(array.deleted, 1);

    foreign_array(&array, NULL, float32, 2, shape, strides);
    CHECK_FAILS(dlb_import(&type, &array.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "ways.Kept: the data of the array is NULL, but it has 6 elements");
    foreign_array(&array, memory, float32, 2, shape, strides)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    imported = 0;
    CHECK_FAILS(dlb_import(&moved, &array.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "ways.Moved: the array is read-only, and must be writable");
    CHECK_EQUAL(imported, 0); /* that function is not told what must be writable */
    CHECK_EQUAL(array.deleted, 0);
    CHECK_EQUAL(blocks, 0);
}

static void test_imports_without_memory_are_a_memory_error(void)
{
    const dlb_type type = counting(&ways_kept_type);
    dlb_owner *owner = NULL;
    foreign array;

    foreign_array(&array, memory, float32, 2, shape, strides);
    mallocs_to_fail = 0;
    mallocs_fail_for_ever = true;
    CHECK_FAILS(dlb_import(&type, &array.versioned, &owner, &error), error, DLB_MEMORY_ERROR,
                "ways.Kept: no memory for its owner");
    mallocs_to_fail = -1;
    CHECK(owner == NULL);
    CHECK_EQUAL(array.deleted, 0);
    CHECK_EQUAL(blocks, 0);
}

int main(void)
{
    test_each_import_takes_one_step();
    test_other_arrays_take_the_slow_path();
    test_imports_without_memory_are_a_memory_error();
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
