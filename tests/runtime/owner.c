/* SPDX-License-Identifier: MIT */
/* How long an object lives: the three kinds of ownership, exports, holders, and every order of letting go. */
#include "check.h"
#include "grid.h"
#include "grids_dlpack.h"

#include <stdlib.h>

static dlb_error error;

static void start_counting(void)
{
    grids_retained = 0;
    grids_released = 0;
}

static void test_without_retain_the_owner_takes_the_object(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *first, *second;
    dlb_owner *owner;

    start_counting();
    CHECK(grids_moved_own(object, &owner, &error) == 0);
    CHECK(dlb_owner_object(owner) == object);
    CHECK(dlb_export(owner, &first, &error) == 0);
    CHECK(dlb_export(owner, &second, &error) == 0);
    CHECK(first != second && first->dl_tensor.data == object->data && second->dl_tensor.data == object->data);
    dlb_owner_drop(owner);
    first->deleter(first);
    CHECK_EQUAL(grids_released, 0);
    second->deleter(second);
    CHECK_EQUAL(grids_released, 1);
    CHECK_EQUAL(grids_retained, 0);
    CHECK_EQUAL(grids_living, 0);
}

static void test_with_retain_the_owner_has_one_reference_of_its_own(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy;
    dlb_owner *owner;

    start_counting();
    CHECK(grids_shared_own(object, &owner, &error) == 0);
    CHECK_EQUAL(object->references, 2);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
    CHECK_EQUAL(object->references, 2);
    managed->deleter(managed);
    legacy->deleter(legacy);
    CHECK_EQUAL(object->references, 2);
    dlb_owner_drop(owner);
    CHECK_EQUAL(object->references, 1);
    CHECK_EQUAL(grids_retained, 1);
    CHECK_EQUAL(grids_released, 1);
    grid_unref(object);
    CHECK_EQUAL(grids_living, 0);
}

static void test_the_reference_of_the_caller_can_be_released_first(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *managed;

    CHECK(grids_shared_to_dlpack(object, &managed, &error) == 0);
    grid_unref(object);
    CHECK_EQUAL(grids_living, 1);
    CHECK(((float *)managed->dl_tensor.data)[5] == 5.0F);
    managed->deleter(managed);
    CHECK_EQUAL(grids_living, 0);
}

static void test_a_borrowed_object_is_not_released(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;

    start_counting();
    CHECK(grids_borrowed_own(object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    dlb_owner_drop(owner);
    managed->deleter(managed);
    CHECK(dlb_to_dlpack(&grids_borrowed_type, object, &managed, &error) == 0);
    managed->deleter(managed);
    CHECK_EQUAL(grids_retained, 0);
    CHECK_EQUAL(grids_released, 0);
    CHECK_EQUAL(object->references, 1);
    grid_unref(object);
}

static void test_an_object_can_be_exported_in_one_call(void)
{
    DLManagedTensorVersioned *managed;

    start_counting();
    CHECK(dlb_to_dlpack(&grids_moved_type, grid_new(2, 3), &managed, &error) == 0);
    CHECK_EQUAL(managed->version.major, 1);
    CHECK_EQUAL(managed->version.minor, 3);
    CHECK_EQUAL(managed->flags, 0);
    CHECK_EQUAL(managed->dl_tensor.ndim, 2);
    CHECK_EQUAL(managed->dl_tensor.shape[0], 2);
    CHECK_EQUAL(managed->dl_tensor.shape[1], 3);
    CHECK_EQUAL(managed->dl_tensor.strides[0], 3);
    CHECK_EQUAL(managed->dl_tensor.strides[1], 1);
    CHECK_EQUAL(managed->dl_tensor.byte_offset, 0);
    CHECK_EQUAL(managed->dl_tensor.device.device_type, kDLCPU);
    CHECK_EQUAL(managed->dl_tensor.device.device_id, 0);
    CHECK_EQUAL(grids_released, 0);
    managed->deleter(managed);
    CHECK_EQUAL(grids_released, 1);
}

static void test_a_failing_export_leaves_the_object_with_the_caller(void)
{
    static const dlb_type *const types[] = {&grids_moved_type, &grids_shared_type, &grids_borrowed_type};
    static const char *const messages[] = {"grids.Moved: the grid is broken", "grids.Shared: the grid is broken",
                                           "grids.Borrowed: the grid is broken"};

    for (int i = 0; i < 3; i++) {
        grid *const object = grid_new(2, 3);
        DLManagedTensorVersioned *managed = NULL;

        start_counting();
        object->broken = 1;
        CHECK_FAILS(dlb_to_dlpack(types[i], object, &managed, &error), error, DLB_BUFFER_ERROR, messages[i]);
        CHECK(dlb_to_dlpack(types[i], object, &managed, NULL) == -1);
        CHECK(managed == NULL);
        CHECK_EQUAL(grids_released, i == 1 ? 2 : 0);
        CHECK_EQUAL(grids_retained, grids_released);
        CHECK_EQUAL(object->references, 1);
        grid_unref(object);
        CHECK_EQUAL(grids_living, 0);
    }
}

static void test_null_cannot_be_owned(void)
{
    DLManagedTensorVersioned *managed = NULL;
    dlb_owner *owner = NULL;

    CHECK_FAILS(grids_moved_own(NULL, &owner, &error), error, DLB_VALUE_ERROR, "grids.Moved: the object is NULL");
    CHECK_FAILS(grids_shared_own(NULL, &owner, &error), error, DLB_VALUE_ERROR, "grids.Shared: the object is NULL");
    CHECK_FAILS(dlb_to_dlpack(&grids_borrowed_type, NULL, &managed, &error), error, DLB_VALUE_ERROR,
                "grids.Borrowed: the object is NULL");
    CHECK(grids_moved_own(NULL, &owner, NULL) == -1);
    CHECK(owner == NULL && managed == NULL);
}

static void test_exports_are_counted(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *first, *second, *copy;
    DLManagedTensor *legacy;
    dlb_owner *owner;

    CHECK(grids_moved_own(object, &owner, &error) == 0);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    CHECK(dlb_export(owner, &first, &error) == 0);
    CHECK_EQUAL(dlb_owner_exports(owner), 1);
    CHECK(dlb_export(owner, &second, &error) == 0);
    CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
    CHECK_EQUAL(dlb_owner_exports(owner), 3);
    dlb_owner_keep(owner);
    CHECK_EQUAL(dlb_owner_exports(owner), 3); /* a holder is no export */
    dlb_owner_drop(owner);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK_EQUAL(dlb_owner_exports(owner), 3); /* nor is a copy */
    copy->deleter(copy);
    object->broken = 1;
    CHECK(dlb_export(owner, &copy, &error) == -1);
    CHECK(dlb_export_legacy(owner, NULL, NULL) == -1);
    CHECK_EQUAL(dlb_owner_exports(owner), 3); /* nor what failed */
    second->deleter(second);
    first->deleter(first);
    CHECK_EQUAL(dlb_owner_exports(owner), 1);
    legacy->deleter(legacy);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    dlb_owner_drop(owner);
}

/* Three exports and two holders, let go in the order that `order` names. */
static void let_go_in_order(const int order[5])
{
    DLManagedTensorVersioned *managed[2];
    DLManagedTensor *legacy;
    dlb_owner *owner;

    start_counting();
    CHECK(grids_moved_own(grid_new(2, 3), &owner, &error) == 0);
    dlb_owner_keep(owner);
    CHECK(dlb_export(owner, &managed[0], &error) == 0);
    CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
    CHECK(dlb_export(owner, &managed[1], &error) == 0);
    for (int i = 0; i < 5; i++) {
        CHECK_EQUAL(grids_released, 0);
        if (order[i] < 2) {
            CHECK(((float *)managed[order[i]]->dl_tensor.data)[4] == 4.0F);
            managed[order[i]]->deleter(managed[order[i]]);
        } else if (order[i] == 2) {
            CHECK(((float *)legacy->dl_tensor.data)[4] == 4.0F);
            legacy->deleter(legacy);
        } else {
            dlb_owner_drop(owner);
        }
    }
    CHECK_EQUAL(grids_released, 1);
    CHECK_EQUAL(grids_living, 0);
}

static void test_holders_can_be_released_in_every_order(void)
{
    int tried = 0;

    for (int number = 0; number < 5 * 5 * 5 * 5 * 5; number++) {
        int order[5];
        int seen = 0;

        for (int i = 0, rest = number; i < 5; i++, rest /= 5) {
            order[i] = rest % 5;
            seen |= 1 << order[i];
        }
        if (seen == 31) {
            let_go_in_order(order);
            tried++;
        }
    }
    CHECK_EQUAL(tried, 120);
}

static void test_each_export_reads_the_struct_again(void)
{
    grid *const object = grid_new(4, 6);
    DLManagedTensorVersioned *before, *after;
    dlb_owner *owner;
    dlb_view view;

    CHECK(grids_moved_own(object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &before, &error) == 0);
    object->rows = 2;
    object->columns = 5;
    object->data += 1;
    CHECK(dlb_export(owner, &after, &error) == 0);
    CHECK_EQUAL(after->dl_tensor.shape[0], 2);
    CHECK_EQUAL(after->dl_tensor.shape[1], 5);
    CHECK_EQUAL(after->dl_tensor.strides[0], 6);
    CHECK(after->dl_tensor.data == object->data);
    CHECK(grids_moved_view(object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->shape[1], 5);
    /* What lives keeps what it said. */
    CHECK_EQUAL(before->dl_tensor.shape[0], 4);
    CHECK_EQUAL(before->dl_tensor.shape[1], 6);
    CHECK(before->dl_tensor.data == object->data - 1);
    before->deleter(before);
    CHECK_EQUAL(after->dl_tensor.shape[1], 5);
    after->deleter(after);
    dlb_owner_drop(owner);
}

static void test_read_only_data_needs_the_versioned_struct(void)
{
    grid *const object = grid_new(2, 3);
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy = NULL;
    dlb_owner *owner;
    dlb_view view;

    CHECK(grids_moved_own(object, &owner, &error) == 0);
    object->locked = 1;
    CHECK_FAILS(dlb_export_legacy(owner, &legacy, &error), error, DLB_BUFFER_ERROR,
                "grids.Moved: read-only data needs a versioned capsule: pass max_version=(1, 0) or later");
    CHECK(dlb_export_legacy(owner, &legacy, NULL) == -1);
    CHECK(legacy == NULL);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    CHECK(grids_moved_view(object, &view, &error) == 0);
    CHECK_EQUAL(view.flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    CHECK(dlb_export_legacy(owner, &legacy, NULL) == -1); /* also while the slot is taken */
    CHECK_EQUAL(dlb_owner_exports(owner), 1);
    object->locked = 0;
    CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
    legacy->deleter(legacy);
    managed->deleter(managed);
    dlb_owner_drop(owner);
}

int main(void)
{
    test_without_retain_the_owner_takes_the_object();
    test_with_retain_the_owner_has_one_reference_of_its_own();
    test_the_reference_of_the_caller_can_be_released_first();
    test_a_borrowed_object_is_not_released();
    test_an_object_can_be_exported_in_one_call();
    test_a_failing_export_leaves_the_object_with_the_caller();
    test_null_cannot_be_owned();
    test_exports_are_counted();
    test_holders_can_be_released_in_every_order();
    test_each_export_reads_the_struct_again();
    test_read_only_data_needs_the_versioned_struct();
    CHECK_EQUAL(grids_living, 0);
    return checks_result();
}
