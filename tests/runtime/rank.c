/* SPDX-License-Identifier: MIT */
/* Ranks: fixed ones, and those known only at run time, up to the most that there can be and beyond. */
#include "array.h"
#include "check.h"
#include "mallocs.h"
#include "ranks_dlpack.h"

static dlb_error error;
static char memory[8] = {42};

/* An array of `rank` axes with shape (1, 2, 1, 2, ...) and strides 10, 11, 12, ... */
static array make_array(int rank)
{
    array made = {.data = memory, .rank = rank};

    for (int axis = 0; axis < rank && axis < ARRAY_MOST; axis++) {
        made.shape[axis] = axis == 1 ? 2 : 1;
        made.strides[axis] = 10 + axis;
    }
    return made;
}

static int shows(const DLTensor *tensor, const array *object)
{
    if (tensor->ndim != object->rank || tensor->data != object->data) {
        return 0;
    }
    for (int axis = 0; axis < object->rank; axis++) {
        if (tensor->shape[axis] != object->shape[axis] || tensor->strides[axis] != object->strides[axis]) {
            return 0;
        }
    }
    return object->rank > 0 || (tensor->shape == NULL && tensor->strides == NULL);
}

static void test_every_rank_is_exported(void)
{
    array object = make_array(0);
    DLManagedTensorVersioned *first, *second;
    DLManagedTensor *legacy;
    dlb_owner *owner;
    dlb_view view;

    CHECK(ranks_array_own(&object, &owner, &error) == 0);
    for (int rank = 0; rank <= DLB_MAX_NDIM; rank++) {
        object = make_array(rank);
        mallocs = 0;
        CHECK(dlb_export(owner, &first, &error) == 0);
        CHECK_EQUAL(mallocs, rank > 8); /* so many axes the owner has room for */
        CHECK(dlb_export(owner, &second, &error) == 0);
        CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
        CHECK_EQUAL(mallocs, rank > 8 ? 3 : 2);
        CHECK(shows(&first->dl_tensor, &object));
        CHECK(shows(&second->dl_tensor, &object));
        CHECK(shows(&legacy->dl_tensor, &object));
        first->deleter(first);
        CHECK(shows(&second->dl_tensor, &object));
        second->deleter(second);
        CHECK(shows(&legacy->dl_tensor, &object));
        legacy->deleter(legacy);
        CHECK_EQUAL(blocks, 1);
        CHECK(ranks_array_view(&object, &view, &error) == 0);
        CHECK(view.tensor->ndim == rank);
        CHECK(rank == 0 || shows(view.tensor, &object));
    }
    dlb_owner_drop(owner);
    CHECK_EQUAL(blocks, 0);
}

static void test_too_many_axes_need_a_block(void)
{
    array object = make_array(9);
    DLManagedTensorVersioned *large, *small;
    dlb_owner *owner;

    CHECK(ranks_array_own(&object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &large, &error) == 0);
    object = make_array(8);
    mallocs = 0;
    CHECK(dlb_export(owner, &small, &error) == 0);
    CHECK_EQUAL(mallocs, 1); /* the slot is for the first living export */
    CHECK_EQUAL(dlb_owner_exports(owner), 2);
    CHECK_EQUAL(large->dl_tensor.ndim, 9);
    large->deleter(large);
    CHECK(shows(&small->dl_tensor, &object));
    small->deleter(small);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);

    /* Without memory, an export that the slot is too small for gives it back as well. */
    object = make_array(9);
    mallocs_to_fail = 0;
    CHECK_FAILS(dlb_export(owner, &large, &error), error, DLB_MEMORY_ERROR, "ranks.Array: no memory for an export");
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    object = make_array(1);
    mallocs = 0;
    CHECK(dlb_export(owner, &small, &error) == 0);
    CHECK_EQUAL(mallocs, 0);
    small->deleter(small);
    dlb_owner_drop(owner);
    CHECK_EQUAL(blocks, 0);
}

static void test_ranks_beyond_64_are_refused(void)
{
    array object = make_array(65);
    counted many = {memory, UINT64_MAX};
    DLManagedTensorVersioned *managed = NULL;
    DLManagedTensor *legacy = NULL;
    dlb_owner *owner;
    dlb_view view;

    CHECK(ranks_array_own(&object, &owner, &error) == 0);
    CHECK_FAILS(dlb_export(owner, &managed, &error), error, DLB_BUFFER_ERROR,
                "ranks.Array: ndim (self->rank) is 65: a rank is 0 to 64");
    object.rank = -1;
    CHECK_FAILS(dlb_export_legacy(owner, &legacy, &error), error, DLB_BUFFER_ERROR,
                "ranks.Array: ndim (self->rank) is -1: a rank is 0 to 64");
    CHECK_FAILS(dlb_export_copy(owner, &managed, &error), error, DLB_BUFFER_ERROR,
                "ranks.Array: ndim (self->rank) is -1: a rank is 0 to 64");
    CHECK(dlb_export(owner, &managed, NULL) == -1);
    CHECK(managed == NULL && legacy == NULL);
    CHECK_FAILS(ranks_counted_view(&many, &view, &error), error, DLB_BUFFER_ERROR,
                "ranks.Counted: ndim (self->count) is 18446744073709551615: a rank is 0 to 64");
    many.count = (UINT64_C(1) << 32) + 1; /* one, if it were cut to 32 bits */
    CHECK_FAILS(ranks_counted_view(&many, &view, &error), error, DLB_BUFFER_ERROR,
                "ranks.Counted: ndim (self->count) is 4294967297: a rank is 0 to 64");
    dlb_owner_drop(owner);
}

static void test_scalars_have_no_axes(void)
{
    array object = make_array(0);
    DLManagedTensorVersioned *slot, *block, *copy;
    DLManagedTensor *legacy;
    dlb_owner *owner;

    CHECK(ranks_scalar_own(&object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &slot, &error) == 0);
    CHECK(dlb_export(owner, &block, &error) == 0);
    CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK(shows(&slot->dl_tensor, &object) && shows(&block->dl_tensor, &object) && shows(&legacy->dl_tensor, &object));
    CHECK(copy->dl_tensor.ndim == 0 && copy->dl_tensor.shape == NULL && copy->dl_tensor.strides == NULL);
    CHECK(copy->dl_tensor.data != memory && *(char *)copy->dl_tensor.data == 42);
    CHECK(*(char *)slot->dl_tensor.data == 42);
    slot->deleter(slot);
    block->deleter(block);
    legacy->deleter(legacy);
    copy->deleter(copy);
    object.data = NULL; /* no axes, but one element */
    CHECK_FAILS(dlb_export(owner, &slot, &error), error, DLB_BUFFER_ERROR,
                "ranks.Scalar: data is NULL, but the shape has 1 elements");
    dlb_owner_drop(owner);
}

/* Axes that a struct lists from the innermost one on are reversed, in the slot and in a block. */
static void test_reversed_axes_are_turned_around(void)
{
    array object = make_array(0);
    dlb_owner *owner;

    CHECK(ranks_reversed_own(&object, &owner, &error) == 0);
    for (int rank = 1; rank <= 10; rank++) {
        DLManagedTensorVersioned *managed;

        object = make_array(rank);
        CHECK(dlb_export(owner, &managed, &error) == 0);
        for (int axis = 0; axis < rank; axis++) {
            CHECK_EQUAL(managed->dl_tensor.shape[axis], object.shape[rank - 1 - axis]);
            CHECK_EQUAL(managed->dl_tensor.strides[axis], object.strides[rank - 1 - axis]);
        }
        managed->deleter(managed);
    }
    dlb_owner_drop(owner);
}

static void test_compact_axes_get_the_strides_of_their_order(void)
{
    array object = {.data = memory, .rank = 3, .shape = {2, 3, 4}};
    dlb_view view;

    CHECK(ranks_rows_view(&object, &view, &error) == 0);
    CHECK(view.tensor->strides[0] == 12 && view.tensor->strides[1] == 4 && view.tensor->strides[2] == 1);
    CHECK(ranks_columns_view(&object, &view, &error) == 0);
    CHECK(view.tensor->strides[0] == 1 && view.tensor->strides[1] == 2 && view.tensor->strides[2] == 6);
    object.shape[1] = 0; /* still what consumers expect to read */
    CHECK(ranks_rows_view(&object, &view, &error) == 0);
    CHECK(view.tensor->strides[0] == 4 && view.tensor->strides[1] == 4 && view.tensor->strides[2] == 1);
    CHECK(ranks_columns_view(&object, &view, &error) == 0); /* without elements, every order is row-major */
    CHECK(view.tensor->strides[0] == 4 && view.tensor->strides[1] == 4 && view.tensor->strides[2] == 1);
    CHECK(view.tensor->data == NULL);
}

int main(void)
{
    test_every_rank_is_exported();
    test_too_many_axes_need_a_block();
    test_ranks_beyond_64_are_refused();
    test_scalars_have_no_axes();
    test_reversed_axes_are_turned_around();
    test_compact_axes_get_the_strides_of_their_order();
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
