/* SPDX-License-Identifier: MIT */
/* The emitted functions for the managed tensor from before DLPack 1.0: in one step, out of one, with params, refused. */
#include "check.h"
#include "foreign.h"
#include "grid.h"
#include "legacy_dlpack.h"

static const DLDataType float32 = {kDLFloat, 32, 1};
static const int64_t shape[] = {2, 3}, strides[] = {3, 1};

static dlb_error error;

static void test_moved_objects_are_freed_with_the_tensor(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensor *managed;

    CHECK(legacy_moved_to_dlpack_legacy(object, &managed, &error) == 0);
    CHECK(managed->dl_tensor.data == object->data);
    CHECK_EQUAL(managed->dl_tensor.ndim, 2);
    CHECK_EQUAL(managed->dl_tensor.shape[1], 3);
    CHECK_EQUAL(managed->dl_tensor.strides[0], 3);
    CHECK_EQUAL(managed->dl_tensor.dtype.bits, 32);
    CHECK_EQUAL(grids_living, 1);
    managed->deleter(managed);
    CHECK_EQUAL(grids_living, 0);
}

static void test_the_reference_of_the_tensor_outlives_the_reference_of_the_caller(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensor *managed;

    CHECK(legacy_shared_to_dlpack_legacy(object, &managed, &error) == 0);
    CHECK_EQUAL(object->references, 2);
    grid_unref(object);
    CHECK(((float *)managed->dl_tensor.data)[5] == 5.0F);
    managed->deleter(managed);
    CHECK_EQUAL(grids_living, 0);
}

static void test_params_follow_the_object(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensor *managed = NULL;

    CHECK(legacy_row_to_dlpack_legacy(object, 1, &managed, &error) == 0);
    CHECK(((float *)managed->dl_tensor.data)[0] == 3.0F);
    CHECK_EQUAL(managed->dl_tensor.ndim, 1);
    managed->deleter(managed);
    managed = NULL;
    CHECK_FAILS(legacy_row_to_dlpack_legacy(object, 2, &managed, &error), error, DLB_BUFFER_ERROR,
                "legacy.Row: no such row");
    CHECK(managed == NULL);
    CHECK_EQUAL(object->references, 1);
    grid_unref(object);
    CHECK_EQUAL(grids_living, 0);
}

/* The call fails, and nothing has changed hands. */
static void refuse(grid *object, int (*to)(grid *, DLManagedTensor **, dlb_error *), const char *message)
{
    const int references = object->references;
    const int living = grids_living;
    DLManagedTensor *managed = NULL;

    CHECK_FAILS(to(object, &managed, &error), error, DLB_BUFFER_ERROR, message);
    CHECK(to(object, &managed, NULL) == -1);
    CHECK(managed == NULL);
    CHECK_EQUAL(object->references, references);
    CHECK_EQUAL(grids_living, living);
}

static void test_a_failing_export_leaves_the_object_with_the_caller(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensor *managed = NULL;

    object->broken = 1;
    refuse(object, legacy_moved_to_dlpack_legacy, "legacy.Moved: the grid is broken");
    refuse(object, legacy_shared_to_dlpack_legacy, "legacy.Shared: the grid is broken");
    refuse(object, legacy_copied_to_dlpack_legacy, "legacy.Copied: the grid is broken");
    object->broken = 0;
    object->locked = 1;
    refuse(object, legacy_moved_to_dlpack_legacy,
           "legacy.Moved: read-only data needs a versioned capsule: pass max_version=(1, 0) or later");
    refuse(object, legacy_shared_to_dlpack_legacy,
           "legacy.Shared: read-only data needs a versioned capsule: pass max_version=(1, 0) or later");
    CHECK_FAILS(legacy_moved_to_dlpack_legacy(NULL, &managed, &error), error, DLB_VALUE_ERROR,
                "legacy.Moved: the object is NULL");
    CHECK(managed == NULL);
    grid_unref(object);
    CHECK_EQUAL(grids_living, 0);
}

static void test_read_only_data_is_copied_where_the_spec_says_so(void)
{
    grid *const object = grid_new(2, 3);
    float *const data = object->data;
    DLManagedTensor *managed;

    CHECK(legacy_copied_to_dlpack_legacy(object, &managed, &error) == 0); /* writable: no copy, and it has moved in */
    CHECK(managed->dl_tensor.data == data);
    managed->deleter(managed);
    CHECK_EQUAL(grids_living, 0);
}

static void test_a_copy_depends_on_no_object(void)
{
    grid *const object = grid_new(2, 3);
    float *const data = object->data;
    DLManagedTensor *managed;

    object->locked = 1;
    CHECK(legacy_copied_to_dlpack_legacy(object, &managed, &error) == 0);
    CHECK_EQUAL(grids_living, 0); /* it had moved in, and nobody needs it any longer */
    CHECK(managed->dl_tensor.data != data);
    CHECK(((float *)managed->dl_tensor.data)[5] == 5.0F);
    managed->deleter(managed);
}

static void test_an_import_is_destroyed_before_its_tensor(void)
{
    float memory[6] = {1, 2, 3, 4, 5, 6};
    foreign array;
    dlb_owner *owner;

    foreign_living = &grids_living;
    foreign_array(&array, memory, float32, 2, shape, strides);
    CHECK(legacy_moved_from_dlpack_legacy(foreign_legacy(&array), &owner, &error) == 0);
    CHECK(((grid *)dlb_owner_object(owner))->data == memory);
    CHECK_EQUAL(array.deleted, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(array.deleted, 1);
    CHECK_EQUAL(array.living_at_deletion, 0);
}

static void test_params_of_an_import_are_the_last_arguments(void)
{
    float memory[6] = {1, 2, 3, 4, 5, 6};
    foreign array;
    dlb_owner *owner = NULL;

    foreign_array(&array, memory, float32, 2, shape, strides);
    CHECK(legacy_part_from_dlpack_legacy(foreign_legacy(&array), &owner, &error, 1) == 0);
    CHECK_EQUAL(((grid *)dlb_owner_object(owner))->locked, 1);
    CHECK(((grid *)dlb_owner_object(owner))->data == memory);
    dlb_owner_drop(owner);
    CHECK_EQUAL(array.deleted, 1);
    foreign_array(&array, memory, float32, 2, shape, strides);
    owner = NULL;
    CHECK_FAILS(legacy_part_from_dlpack_legacy(foreign_legacy(&array), &owner, &error, 2), error, DLB_BUFFER_ERROR,
                "legacy.Part: neither locked nor open");
    CHECK(owner == NULL);
    CHECK_EQUAL(array.deleted, 0);
    CHECK_EQUAL(grids_living, 0);
}

static void test_a_refused_tensor_stays_with_the_caller(void)
{
    float memory[6] = {0};
    foreign array;
    dlb_owner *owner = NULL;

    foreign_array(&array, memory, (DLDataType){kDLInt, 32, 1}, 2, shape, strides);
    CHECK_FAILS(legacy_moved_from_dlpack_legacy(foreign_legacy(&array), &owner, &error), error, DLB_BUFFER_ERROR,
                "legacy.Moved: the dtype is int32, not float32");
    CHECK_FAILS(legacy_moved_from_dlpack_legacy(NULL, &owner, &error), error, DLB_VALUE_ERROR,
                "legacy.Moved: the managed tensor is NULL");
    CHECK(legacy_moved_from_dlpack_legacy(&array.legacy, &owner, NULL) == -1);
    CHECK(owner == NULL);
    CHECK_EQUAL(array.deleted, 0);
    CHECK_EQUAL(grids_living, 0);
}

static void test_an_export_can_be_imported_again(void)
{
    grid *const object = grid_new(2, 3);
    float *const data = object->data;
    DLManagedTensor *managed, *again;
    dlb_owner *owner;

    CHECK(legacy_moved_to_dlpack_legacy(object, &managed, &error) == 0);
    CHECK(legacy_moved_from_dlpack_legacy(managed, &owner, &error) == 0);
    CHECK_EQUAL(grids_living, 2);
    CHECK(dlb_export_legacy(owner, &again, &error) == 0);
    CHECK(again->dl_tensor.data == data);
    dlb_owner_drop(owner);
    CHECK_EQUAL(grids_living, 2);
    again->deleter(again);
    CHECK_EQUAL(grids_living, 0);
}

int main(void)
{
    test_moved_objects_are_freed_with_the_tensor();
    test_the_reference_of_the_tensor_outlives_the_reference_of_the_caller();
    test_params_follow_the_object();
    test_a_failing_export_leaves_the_object_with_the_caller();
    test_read_only_data_is_copied_where_the_spec_says_so();
    test_a_copy_depends_on_no_object();
    test_an_import_is_destroyed_before_its_tensor();
    test_params_of_an_import_are_the_last_arguments();
    test_a_refused_tensor_stays_with_the_caller();
    test_an_export_can_be_imported_again();
    CHECK_EQUAL(grids_living, 0);
    return checks_result();
}
