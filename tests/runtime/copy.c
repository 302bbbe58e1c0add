/* SPDX-License-Identifier: MIT */
/* Copies: every layout becomes compact, aligned memory of its own. */
#include "array.h"
#include "check.h"
#include "copies_dlpack.h"

#include <stdlib.h>

static dlb_error error;

static const int64_t itemsizes[] = {[KIND_U8] = 1,  [KIND_I16] = 2, [KIND_F32] = 4, [KIND_F64] = 8, [KIND_C128] = 16, [KIND_F4] = 1};

/* Element number `n` in row-major order, looked up the slow and obvious way. */
static const char *element(const array *object, int64_t n)
{
    int64_t offset = 0;

    for (int axis = object->rank - 1; axis >= 0; axis--) {
        offset += n % object->shape[axis] * object->strides[axis];
        n /= object->shape[axis];
    }
    return (const char *)object->data + offset * itemsizes[object->kind];
}

static int64_t element_count(const array *object)
{
    int64_t count = 1;

    for (int axis = 0; axis < object->rank; axis++) {
        count *= object->shape[axis];
    }
    return count;
}

static void check_compact(const DLTensor *copy, const array *object)
{
    int64_t step = 1;

    CHECK_EQUAL(copy->ndim, object->rank);
    CHECK_EQUAL(copy->device.device_type, kDLCPU);
    CHECK_EQUAL(copy->device.device_id, 0);
    CHECK_EQUAL(copy->byte_offset, 0);
    CHECK((copy->shape == NULL) == (object->rank == 0) && (copy->strides == NULL) == (object->rank == 0));
    for (int axis = object->rank - 1; axis >= 0; axis--) {
        CHECK_EQUAL(copy->shape[axis], object->shape[axis]);
        CHECK_EQUAL(copy->strides[axis], step);
        step *= object->shape[axis] > 0 ? object->shape[axis] : 1;
    }
}

static void check_elements(const DLTensor *copy, const array *object)
{
    const int64_t itemsize = itemsizes[object->kind];
    int wrong = 0;

    for (int64_t n = 0; n < element_count(object); n++) {
        wrong += memcmp((const char *)copy->data + n * itemsize, element(object, n), (size_t)itemsize) != 0;
    }
    CHECK_EQUAL(wrong, 0);
    CHECK((uintptr_t)copy->data % 64 == 0);
    CHECK(copy->data == NULL ? element_count(object) == 0 : copy->data != object->data);
}

/* Copies in both forms, checks them, and frees the object. */
static void check_copies(array *object)
{
    DLManagedTensorVersioned *copy;
    DLManagedTensor *legacy;
    dlb_owner *owner;

    CHECK(dlb_own(&copies_borrowed_type, object, &owner, &error) == 0);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK(dlb_export_copy_legacy(owner, &legacy, &error) == 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(copy->version.major, 1);
    CHECK_EQUAL(copy->version.minor, 3);
    CHECK_EQUAL(copy->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    check_compact(&copy->dl_tensor, object);
    check_compact(&legacy->dl_tensor, object);
    check_elements(&copy->dl_tensor, object);
    check_elements(&legacy->dl_tensor, object);
    copy->deleter(copy);
    legacy->deleter(legacy);
    array_free(object);
}

enum { FLOATS = 4096 };
static float memory[FLOATS];

/* Each case begins in the middle, for the strides that go back. */
static void test_copies_of_known_layouts_are_compact(void)
{
    static const struct {
        int rank;
        int64_t shape[4];
        int64_t strides[4];
    } cases[] = {
        {2, {5, 3}, {3, 1}},                    /* compact */
        {2, {5, 3}, {8, 1}},                    /* padded rows */
        {2, {5, 3}, {1, 5}},                    /* transposed */
        {3, {4, 3, 2}, {1, 4, 12}},             /* column-major */
        {3, {4, 3, 2}, {2, 8, 1}},              /* two axes swapped */
        {2, {5, 3}, {-3, 1}},                   /* upside down */
        {1, {7}, {-1}},                         /* backwards */
        {2, {5, 3}, {-8, -2}},                  /* both */
        {2, {5, 3}, {0, 1}},                    /* the same row again */
        {3, {2, 3, 4}, {0, 0, 0}},              /* one element */
        {3, {1, 3, 4}, {INT64_MAX, 4, 1}},      /* the steps of single axes do not matter */
        {3, {1, 3, 4}, {INT64_MAX, 9, 1}},
        {3, {3, 1, 4}, {4, INT64_MIN, 1}},
        {3, {3, 1, 4}, {9, INT64_MIN, 2}},
        {3, {3, 4, 1}, {4, 1, -77}},
        {3, {3, 4, 1}, {10, 2, 0}},
        {4, {1, 1, 1, 1}, {-1, 0, 5, INT64_MAX}},
        {0, {0}, {0}},
        {1, {0}, {-9}},
        {3, {2, 0, 3}, {INT64_MIN, 7, INT64_MAX}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_copies(array_wrap(memory + FLOATS / 2, cases[i].rank, cases[i].shape, cases[i].strides, KIND_F32));
    }
}

static uint32_t random_below(uint32_t limit)
{
    static uint32_t state = 99;

    state = state * 1664525U + 1013904223U;
    return (state >> 8) % limit;
}

static void test_copies_of_random_layouts_are_compact(void)
{
    for (int turn = 0; turn < 2000; turn++) {
        static const int kinds[] = {KIND_U8, KIND_I16, KIND_F32, KIND_F64, KIND_C128};
        const int rank = (int)random_below(6);
        int64_t shape[6], strides[6];

        for (int axis = 0; axis < rank; axis++) {
            shape[axis] = (int64_t)random_below(5) + (random_below(20) > 0);
            strides[axis] = (int64_t)random_below(41) - 20; /* reaches 5 * 5 * 20 elements at most */
        }
        check_copies(array_wrap(memory + FLOATS / 2, rank, shape, strides, kinds[random_below(5)]));
    }
}

static void test_an_array_with_64_axes_is_copied(void)
{
    int64_t shape[DLB_MAX_NDIM], strides[DLB_MAX_NDIM];

    for (int axis = 0; axis < DLB_MAX_NDIM; axis++) {
        shape[axis] = axis % 16 == 3 ? 3 : 1;
        strides[axis] = 7 * axis - 200;
    }
    check_copies(array_wrap(memory + FLOATS / 2, DLB_MAX_NDIM, shape, strides, KIND_F32));
}

static void test_a_copy_is_independent(void)
{
    static const int64_t shape[] = {2, 3}, strides[] = {4, 1};
    float *const data = malloc(8 * sizeof(float));
    DLManagedTensorVersioned *copy;
    DLManagedTensor *legacy;
    array *object;
    dlb_owner *owner;

    for (int i = 0; i < 8; i++) {
        data[i] = (float)i;
    }
    object = array_wrap(data, 2, shape, strides, KIND_F32);
    object->locked = 1; /* the copy may be written all the same, and be had as the struct without flags */
    CHECK(copies_array_own(object, &owner, &error) == 0);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK(dlb_export_copy_legacy(owner, &legacy, &error) == 0);
    CHECK_EQUAL(copy->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    data[5] = 100;
    dlb_owner_drop(owner);
    free(data);
    CHECK(((float *)copy->dl_tensor.data)[4] == 5.0F);
    CHECK(((float *)legacy->dl_tensor.data)[4] == 5.0F);
    ((float *)copy->dl_tensor.data)[4] = 7.0F;
    CHECK(((float *)legacy->dl_tensor.data)[4] == 5.0F);
    legacy->deleter(legacy);
    CHECK(((float *)copy->dl_tensor.data)[4] == 7.0F);
    copy->deleter(copy);
}

/* Two elements in a byte; an odd number of them ends in the middle of the last one. */
static void test_elements_below_a_byte_are_copied_with_all_their_bytes(void)
{
    static const int64_t shape[] = {3, 3}, strides[] = {3, 1}, gaps[] = {4, 1}, five[] = {5}, one[] = {1};
    uint8_t *const nibbles = malloc(5);
    DLManagedTensorVersioned *copy = NULL;
    array *object;
    dlb_owner *owner;

    memcpy(nibbles, "\x21\x43\x65\x87\x09", 5);
    object = array_wrap(nibbles, 2, shape, strides, KIND_F4);
    CHECK(copies_array_own(object, &owner, &error) == 0);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK_EQUAL(copy->dl_tensor.dtype.bits, 4);
    CHECK_EQUAL(copy->flags, DLPACK_FLAG_BITMASK_IS_COPIED); /* not the flag of padded elements */
    CHECK(memcmp(copy->dl_tensor.data, nibbles, 5) == 0);
    CHECK((uintptr_t)copy->dl_tensor.data % 64 == 0);
    check_compact(&copy->dl_tensor, object);
    copy->deleter(copy);
    copy = NULL;
    memcpy(object->strides, gaps, sizeof gaps);
    CHECK_FAILS(dlb_export_copy(owner, &copy, &error), error, DLB_BUFFER_ERROR,
                "copies.Array: elements of 4 bits are packed, so they must be compact");
    CHECK(copy == NULL);
    dlb_owner_drop(owner);

    object = array_wrap(nibbles + 2, 1, five, one, KIND_F4);
    CHECK(copies_array_own(object, &owner, &error) == 0);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK(memcmp(copy->dl_tensor.data, nibbles + 2, 3) == 0); /* not one byte more: it is not there */
    copy->deleter(copy);
    dlb_owner_drop(owner);
    free(nibbles);
}

static void test_memory_of_a_device_is_not_copied(void)
{
    static const int64_t shape[] = {3}, strides[] = {1};
    array *const object = array_wrap(memory, 1, shape, strides, KIND_F32);
    DLManagedTensorVersioned *copy = NULL;
    DLManagedTensor *legacy = NULL;
    dlb_owner *owner;

    CHECK(copies_array_own(object, &owner, &error) == 0);
    object->place = 1;
    CHECK_FAILS(dlb_export_copy(owner, &copy, &error), error, DLB_BUFFER_ERROR,
                "copies.Array: data on cuda cannot be copied by the CPU");
    CHECK_FAILS(dlb_export_copy_legacy(owner, &legacy, &error), error, DLB_BUFFER_ERROR,
                "copies.Array: data on cuda cannot be copied by the CPU");
    CHECK(dlb_export_copy(owner, &copy, NULL) == -1 && dlb_export_copy_legacy(owner, &legacy, NULL) == -1);
    CHECK(copy == NULL && legacy == NULL);
    object->place = 2; /* pinned: the CPU reads it like its own */
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK_EQUAL(copy->dl_tensor.device.device_type, kDLCPU);
    CHECK(memcmp(copy->dl_tensor.data, memory, 3 * sizeof(float)) == 0);
    copy->deleter(copy);
    dlb_owner_drop(owner);
}

static void test_a_copy_larger_than_memory_fails(void)
{
    static const int64_t shape[] = {INT64_C(1) << 30, INT64_C(1) << 27}, strides[] = {0, 0};
    static const int64_t broadcast[] = {(INT64_C(1) << 30) + 4}; /* 16 bytes, if the number of bytes were cut to 32 bits */
    static const int64_t half[] = {INT64_C(1) << 29}; /* 2^31 bytes: one more than a distance in 32 bits */
    DLManagedTensorVersioned *copy = NULL;
    dlb_owner *owner;

    if (sizeof(void *) == 4) {
        CHECK(copies_array_own(array_wrap(memory, 1, broadcast, strides, KIND_F32), &owner, &error) == 0);
        CHECK_FAILS(dlb_export(owner, &copy, &error), error, DLB_BUFFER_ERROR,
                    "copies.Array: 1073741828 elements of 32 bits are more than memory can hold");
        dlb_owner_drop(owner);
        CHECK(copies_array_own(array_wrap(memory, 1, half, strides, KIND_F32), &owner, &error) == 0);
        CHECK_FAILS(dlb_export(owner, &copy, &error), error, DLB_BUFFER_ERROR,
                    "copies.Array: 536870912 elements of 32 bits are more than memory can hold");
        dlb_owner_drop(owner);
        return;
    }

    CHECK(copies_array_own(array_wrap(memory, 2, shape, strides, KIND_F32), &owner, &error) == 0);
    CHECK_FAILS(dlb_export_copy(owner, &copy, &error), error, DLB_MEMORY_ERROR,
                "copies.Array: no memory for a copy of 576460752303423488 bytes");
    CHECK(copy == NULL);
    dlb_owner_drop(owner);
}

int main(void)
{
    for (int i = 0; i < FLOATS; i++) {
        memory[i] = (float)i;
    }
    test_copies_of_known_layouts_are_compact();
    test_copies_of_random_layouts_are_compact();
    test_an_array_with_64_axes_is_copied();
    test_a_copy_is_independent();
    test_elements_below_a_byte_are_copied_with_all_their_bytes();
    test_memory_of_a_device_is_not_copied();
    test_a_copy_larger_than_memory_fails();
    CHECK_EQUAL(arrays_living, 0);
    return checks_result();
}
