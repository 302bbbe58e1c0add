/* SPDX-License-Identifier: MIT */
/* Each export does the usual in one step, and looks closely, once, at what cannot be done so. */
#include "ways.h"

/* How often one step is tried on what declines it: alone, then with an owner. */
static int tries(int way)
{
    return way == MOVED_ALONE ? 2 : 1;
}

static sample no_elements(void)
{
    return (sample){.rank = 1, .strides = {1}, .kind = SAMPLE_F32};
}

/* Nothing lives, and the next export finds the owner's own managed tensor free. */
static void check_left_alone(dlb_owner *owner, sample *object)
{
    const sample spoilt = *object;

    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    *object = make_sample();
    mallocs = 0;
    CHECK_STEPS(try(VERSIONED, owner, NULL, object), 0, 1, 0);
    CHECK_STEPS(try(LEGACY, owner, NULL, object), 0, 1, 0);
    CHECK_EQUAL(mallocs, 0);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    *object = spoilt;
}

static void test_each_export_describes_in_one_step(void)
{
    const dlb_type type = counting(&ways_kept_type);
    sample object = make_sample();
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    for (int turn = 0; turn < 2; turn++) {
        for (int way = 0; way < WAYS; way++) {
            CHECK_STEPS(try(way, owner, &type, &object), 0, 1, 0);
        }
    }
    dlb_owner_drop(owner);
}

/* While another export lives in the owner, the next get blocks of their own. */
static void test_further_exports_have_blocks_of_their_own(void)
{
    const dlb_type type = counting(&ways_kept_type);
    const sample before = make_sample();
    sample object = before;
    DLManagedTensorVersioned *first;
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &first, &error) == 0);
    object.shape[0] = 1;
    CHECK_STEPS(try(VERSIONED, owner, &type, &object), 0, 1, 0);
    CHECK_STEPS(try(LEGACY, owner, &type, &object), 0, 1, 0);
    CHECK_STEPS(try(BORROWED, owner, &type, &object), 0, 1, 0);
    object.strides[1] = -1;
    CHECK_STEPS(try(VERSIONED, owner, &type, &object), 0, 1, 0);
    object = no_elements();
    CHECK_STEPS(try(VERSIONED, owner, &type, &object), 0, 1, 1);
    CHECK_STEPS(try(LEGACY, owner, &type, &object), 0, 1, 1);
    CHECK_STEPS(try(BORROWED, owner, &type, &object), 0, 1, 1);
    CHECK_EQUAL(dlb_owner_exports(owner), 1);
    CHECK(shows(&first->dl_tensor, &before));
    first->deleter(first);
    check_left_alone(owner, &object);
    dlb_owner_drop(owner);
}

/* Backwards, nowhere, column by column. */
static void test_axes_of_any_order_are_described_in_one_step(void)
{
    static const int64_t orders[][2] = {{-4, 1}, {0, 1}, {4, -1}, {1, 2}, {-3, -1}};
    const dlb_type type = counting(&ways_kept_type);
    sample object = make_sample();
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    object.data = memory + 32;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        memcpy(object.strides, orders[i], sizeof orders[i]);
        for (int way = 0; way < WAYS; way++) {
            CHECK_STEPS(try(way, owner, &type, &object), 0, 1, 0);
        }
    }
    dlb_owner_drop(owner);
}

/* The fast path declines valid objects without elements, or with more axes than the capacity. */
static void test_declined_objects_get_one_full_check(void)
{
    const dlb_type type = counting(&ways_kept_type);
    sample object = make_sample();
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    for (int way = 0; way < WAYS; way++) {
        object = no_elements();
        CHECK_STEPS(try(way, owner, &type, &object), 0, tries(way), 1);
        check_left_alone(owner, &object);
        object = make_sample();
        object.rank = 9;
        for (int axis = 0; axis < 9; axis++) {
            object.shape[axis] = object.strides[axis] = 1;
        }
        CHECK_STEPS(try(way, owner, &type, &object), way == BORROWED ? -1 : 0, tries(way), 1);
        CHECK(way != BORROWED ||
              strcmp(error.message, "ways.Kept: a borrowed view holds 8 axes, not 9") == 0);
        check_left_alone(owner, &object);
    }
    dlb_owner_drop(owner);
}

static void check_refused(const sample *refused, const char *message)
{
    const dlb_type type = counting(&ways_moved_type);
    sample object = *refused;
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    released = 0;
    for (int way = 0; way < WAYS; way++) {
        CHECK_STEPS(try(way, owner, &type, &object), -1, tries(way), 1);
        CHECK_EQUAL(error.status, DLB_BUFFER_ERROR);
        CHECK(strcmp(error.message, message) == 0);
        check_left_alone(owner, &object);
        CHECK_EQUAL(released, 0); /* what could not be exported is still the caller's */
    }
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 1);
}

static void test_an_object_that_cannot_be_exported_is_refused_with_the_reason(void)
{
    sample object = make_sample();

    object.data = NULL;
    check_refused(&object, "ways.Moved: data is NULL, but the shape has 6 elements");
    object = make_sample();
    object.shape[1] = -3;
    check_refused(&object, "ways.Moved: shape[1] (self->shape[axis]) is -3: an extent is 0 to 2^63 - 1");
    object = make_sample();
    object.kind = 77;
    check_refused(&object, "ways.Moved: dtype (self->kind) is 77: not a supported value");
    object = make_sample();
    object.rank = 65;
    check_refused(&object, "ways.Moved: ndim (self->rank) is 65: a rank is 0 to 64");
}

static void test_a_moved_object_is_freed_with_its_only_export(void)
{
    const dlb_type type = counting(&ways_moved_type);
    sample object = make_sample();

    for (int way = MOVED; way <= MOVED_LEGACY; way++) {
        released = 0;
        CHECK_STEPS(try(way, NULL, &type, &object), 0, 1, 0);
        CHECK_EQUAL(released, 1);
    }
}

static void test_an_only_export_is_one_block(void)
{
    sample object = make_sample();
    DLManagedTensorVersioned *managed = NULL;
    const int before = blocks;

    mallocs = 0;
    CHECK(ways_kept_to_dlpack(&object, &managed, &error) == 0);
    CHECK_EQUAL(mallocs, 1);
    CHECK(shows(&managed->dl_tensor, &object));
    managed->deleter(managed);
    CHECK_FAILS(ways_kept_to_dlpack(NULL, &managed, &error), error, DLB_VALUE_ERROR, "ways.Kept: the object is NULL");
    object.kind = 77;
    CHECK_FAILS(ways_kept_to_dlpack(&object, &managed, &error), error, DLB_BUFFER_ERROR,
                "ways.Kept: dtype (self->kind) is 77: not a supported value");
    CHECK_EQUAL(blocks, before);
}

/* ---- Read-only data ---- */

static void check_readonly(dlb_owner *owner, const dlb_type *type, sample *object)
{
    static const char legacy[] =
        "ways.Kept: read-only data needs a versioned capsule: pass max_version=(1, 0) or later";
    static const char borrowed[] = "ways.Kept: the data is read-only, which a borrowed view cannot express";
    DLManagedTensorVersioned *versioned;

    CHECK_STEPS(dlb_export(owner, &versioned, &error), 0, 1, 0);
    CHECK_EQUAL(versioned->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    versioned->deleter(versioned);
    CHECK_FAILS(try(LEGACY, owner, type, object), error, DLB_BUFFER_ERROR, legacy);
    CHECK_FAILS(try(BORROWED, owner, type, object), error, DLB_BUFFER_ERROR, borrowed);
    if (object->locked) {
        CHECK_FAILS(try(MOVED_LEGACY, owner, type, object), error, DLB_BUFFER_ERROR, legacy);
    }
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    CHECK(dlb_export(owner, &versioned, &error) == 0);
    CHECK(versioned->deleter != NULL && dlb_owner_exports(owner) == 1);
    versioned->deleter(versioned);
}

static void test_read_only_data_is_described_once_for_each_export(void)
{
    const dlb_type type = counting(&ways_kept_type);
    sample object = make_sample();
    dlb_owner *owner;
    foreign array;

    object.locked = 1;
    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    check_readonly(owner, &type, &object);
    check_left_alone(owner, &object);
    dlb_owner_drop(owner);

    foreign_array(&array, memory, float32, 2, shape, strides)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    CHECK(dlb_import(&type, &array.versioned, &owner, &error) == 0);
    check_readonly(owner, &type, dlb_owner_object(owner)); /* also where the struct says nothing of it */
    dlb_owner_drop(owner);
    CHECK_EQUAL(array.deleted, 1);
}

int main(void)
{
    test_each_export_describes_in_one_step();
    test_further_exports_have_blocks_of_their_own();
    test_axes_of_any_order_are_described_in_one_step();
    test_declined_objects_get_one_full_check();
    test_an_object_that_cannot_be_exported_is_refused_with_the_reason();
    test_a_moved_object_is_freed_with_its_only_export();
    test_an_only_export_is_one_block();
    test_read_only_data_is_described_once_for_each_export();
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
