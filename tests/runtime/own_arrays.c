/* SPDX-License-Identifier: MIT */
/* New arrays of the runtime's own: zeros, aligned, and none that is larger than memory. */
#include "check.h"
#include "dlb_array.h"

#include <stdint.h>

static const DLDataType float64 = {kDLFloat, 64, 1}, bit = {kDLUInt, 1, 1};

static void check_array(int32_t ndim, const int64_t *shape, DLDataType dtype, size_t bytes)
{
    dlb_array *const array = dlb_array_new(ndim, shape, dtype);
    size_t zeros = 0;

    CHECK(array != NULL);
    if (array == NULL) {
        return;
    }
    CHECK_EQUAL(array->ndim, ndim);
    CHECK((array->shape == NULL) == (ndim == 0));
    for (int32_t axis = 0; axis < ndim; axis++) {
        CHECK_EQUAL(array->shape[axis], shape[axis]);
    }
    CHECK(array->strides == NULL);
    CHECK_EQUAL((uintptr_t)array->data % 64, 0);
    for (size_t i = 0; i < bytes; i++) {
        zeros += ((const char *)array->data)[i] == 0;
    }
    CHECK_EQUAL(zeros, bytes);
    memset(array->data, 0xFF, bytes); /* it is all there */
    dlb_array_free(array);
}

static void test_new_arrays_are_zeroed_and_aligned(void)
{
    static const int64_t shape[] = {2, 3, 5}, none[] = {4, 0};

    check_array(3, shape, float64, 240);
    check_array(0, NULL, float64, 8);
    check_array(2, none, float64, 0);
    check_array(3, shape, bit, 4);
    dlb_array_free(NULL);
}

static void test_impossible_arrays_are_not_allocated(void)
{
    static const int64_t negative[] = {-2, -1}, product[] = {INT64_C(1) << 32, INT64_C(1) << 32},
                         bits[] = {INT64_C(1) << 60}, bytes[] = {INT64_C(1) << 56};
    int64_t ones[DLB_MAX_NDIM + 1];

    for (int axis = 0; axis <= DLB_MAX_NDIM; axis++) {
        ones[axis] = 1;
    }
    check_array(DLB_MAX_NDIM, ones, float64, 8);
    CHECK(dlb_array_new(DLB_MAX_NDIM + 1, ones, float64) == NULL);
    CHECK(dlb_array_new(-1, ones, float64) == NULL);
    CHECK(dlb_array_new(2, negative, float64) == NULL);
    CHECK(dlb_array_new(2, product, float64) == NULL);
    CHECK(dlb_array_new(1, bits, float64) == NULL);
    CHECK(dlb_array_new(1, bytes, float64) == NULL); /* more than malloc() has */
}

int main(void)
{
    test_new_arrays_are_zeroed_and_aligned();
    test_impossible_arrays_are_not_allocated();
    return checks_result();
}
