/* SPDX-License-Identifier: MIT */
/* Ranks that a struct has no room for, elements below eight bits, and what a library is left with when it cannot attach. */
#include "check.h"
#include "edges_dlpack.h"
#include "foreign.h"

static dlb_error error;
static foreign producer;
static uint8_t memory[64];

static void test_more_axes_than_the_capacity_are_not_described(void)
{
    edge object = {.data = memory, .rank = 4, .shape = {1, 1, 2, 3}, .strides = {6, 6, 3, 1}};
    dlb_view view;

    CHECK(edges_each_view(&object, &view, &error) == 0);
    CHECK(edges_late_view(&object, &view, &error) == 0);
    for (int axis = 0; axis < 8; axis++) {
        object.beyond[axis] = -1000 - axis;
    }
    object.rank = 6;
    CHECK_FAILS(edges_each_view(&object, &view, &error), error, DLB_BUFFER_ERROR,
                "edges.Each: ndim (self->rank) is 6: the struct cannot hold so many axes");
    CHECK_EQUAL(view.tensor->ndim, 0);
    CHECK_FAILS(edges_late_view(&object, &view, &error), error, DLB_BUFFER_ERROR,
                "edges.Late: ndim (self->rank) is 6: the struct cannot hold so many axes");
    CHECK_EQUAL(view.tensor->ndim, 0);
}

static void test_more_axes_than_the_capacity_are_not_imported(void)
{
    const int64_t shape[] = {1, 1, 1, 2, 3}, strides[] = {6, 6, 6, 3, 1};
    const DLDataType u8 = {kDLUInt, 8, 1};
    DLManagedTensorVersioned *const five = foreign_array(&producer, memory, u8, 5, shape, strides);
    dlb_owner *owner;

    CHECK_FAILS(edges_each_from_dlpack(five, &owner, &error), error, DLB_BUFFER_ERROR,
                "edges.Each: the array has 5 axes, not 0 to 4");
    CHECK_EQUAL(producer.deleted, 0);
    CHECK(edges_each_from_dlpack(foreign_array(&producer, memory, u8, 4, shape + 1, strides + 1), &owner, &error) == 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(producer.deleted, 1);
}

static void test_rows_of_packed_elements_have_no_gaps(void)
{
    decoded object = {memory, kDLUInt, 4, 2, 4, 2};
    const int64_t shape[] = {2, 8}, strides[] = {8, 1};
    const DLDataType u4 = {kDLUInt, 4, 1};
    dlb_owner *owner;
    dlb_view view;

    CHECK(edges_decoded_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->strides[0], 4);
    object.pitch = 4; /* twice what a row needs */
    CHECK_FAILS(edges_decoded_view(&object, &view, &error), error, DLB_BUFFER_ERROR,
                "edges.Decoded: elements of 4 bits are packed, so they must be compact");
    object.pitch = INT64_MAX / 2;
    CHECK_FAILS(edges_decoded_view(&object, &view, &error), error, DLB_BUFFER_ERROR,
                "edges.Decoded: strides[0] (self->pitch) is 4611686018427387903: "
                "so many bytes lead beyond the address space");

    CHECK(edges_decoded_from_dlpack(foreign_array(&producer, memory, u4, 2, shape, strides), &owner, &error) == 0);
    CHECK_EQUAL(((decoded *)dlb_owner_object(owner))->pitch, 4);
    dlb_owner_drop(owner);
    CHECK_FAILS(edges_decoded_from_dlpack(foreign_array(&producer, memory, (DLDataType){kDLUInt, 0, 1}, 2, shape, strides),
                                          &owner, &error),
                error, DLB_BUFFER_ERROR, "edges.Decoded: the array declares elements of 0 bits and 1 lanes");
}

static void test_row_strides_of_packed_elements_can_be_set_in_bytes(void)
{
    const DLDataType u4 = {kDLUInt, 4, 1};
    dlb_owner *owner;

    for (int64_t columns = 4; columns <= 20; columns += 4) { /* also counts that are not a multiple of 8 */
        const int64_t shape[] = {2, columns}, strides[] = {columns, 1};

        CHECK(edges_decoded_from_dlpack(foreign_array(&producer, memory, u4, 2, shape, strides), &owner, &error) == 0);
        CHECK_EQUAL(((decoded *)dlb_owner_object(owner))->pitch, columns / 2);
        dlb_owner_drop(owner);
    }
}

static void test_a_copy_has_all_bytes_of_packed_matrices(void)
{
    enum { COUNT = 4, SIZE = COUNT * 9 * 4 / 8 };
    const int64_t shape[] = {COUNT}, strides[] = {1};
    const DLDataType matrix = {kDLInt, 4, 9}; /* 36 bits */
    DLManagedTensorVersioned *copy;
    dlb_owner *owner;

    for (int i = 0; i < SIZE; i++) {
        memory[i] = (uint8_t)(100 + i);
    }
    CHECK(edges_matrices_from_dlpack(foreign_array(&producer, memory, matrix, 1, shape, strides), &owner, &error) == 0);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK(copy->dl_tensor.data != memory);
    CHECK(memcmp(copy->dl_tensor.data, memory, SIZE) == 0);
    copy->deleter(copy);
    dlb_owner_drop(owner);
}

static void test_an_object_is_destroyed_if_attaching_fails(void)
{
    const int64_t shape[] = {8}, strides[] = {1};
    dlb_owner *owner;

    CHECK_FAILS(edges_clip_from_dlpack(foreign_array(&producer, memory, (DLDataType){kDLUInt, 8, 1}, 1, shape, strides),
                                       &owner, &error),
                error, DLB_RUNTIME_ERROR, "edges.Clip: clip_attach(self, deleter, user) failed");
    CHECK_EQUAL(clips, 0);
    CHECK_EQUAL(clip_resources, 0); /* `finally` has run, `undo` is what `destroy` does */
    CHECK_EQUAL(producer.deleted, 0);
}

static void test_a_copy_without_elements_keeps_no_source(void)
{
    const int64_t shape[] = {0}, strides[] = {1};
    dlb_owner *owner;

    CHECK(edges_copied_from_dlpack(foreign_array(&producer, memory, (DLDataType){kDLUInt, 8, 1}, 1, shape, strides),
                                   &owner, &error) == 0);
    CHECK_EQUAL(producer.deleted, 1);
    CHECK(((clip *)dlb_owner_object(owner))->data != memory); /* which has gone */
    dlb_owner_drop(owner);
}

static void test_a_copy_is_as_aligned_as_required(void)
{
    const int64_t shape[] = {8}, strides[] = {1};
    dlb_owner *owners[4];

    for (int i = 0; i < 4; i++) {
        DLManagedTensorVersioned *const array =
            foreign_array(&producer, memory + 1, (DLDataType){kDLUInt, 8, 1}, 1, shape, strides);

        CHECK(edges_aligned_from_dlpack(array, &owners[i], &error) == 0);
        CHECK_EQUAL((uintptr_t)((clip *)dlb_owner_object(owners[i]))->data % 4096, 0);
    }
    for (int i = 0; i < 4; i++) {
        dlb_owner_drop(owners[i]);
    }
}

int main(void)
{
    test_more_axes_than_the_capacity_are_not_described();
    test_more_axes_than_the_capacity_are_not_imported();
    test_rows_of_packed_elements_have_no_gaps();
    test_row_strides_of_packed_elements_can_be_set_in_bytes();
    test_a_copy_has_all_bytes_of_packed_matrices();
    test_an_object_is_destroyed_if_attaching_fails();
    test_a_copy_without_elements_keeps_no_source();
    test_a_copy_is_as_aligned_as_required();
    return checks_result();
}
