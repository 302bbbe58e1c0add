/* SPDX-License-Identifier: MIT-0 */
/* Implements dlb_array, an array that the runtime allocates. */
#include "../dlb_array.h"

#include "dlb_internal.h"

#include <string.h>

/* Returns the size of all elements in bytes, or -1 if the shape or the dtype is invalid or too large. */
static int64_t bytes_of(int32_t ndim, const int64_t *shape, DLDataType dtype)
{
    int64_t count = 1;
    int64_t bits;

    if (ndim < 0 || ndim > DLB_MAX_NDIM) {
        return -1;
    }
    for (int32_t axis = 0; axis < ndim; axis++) {
        if (shape[axis] < 0 || dlb_multiply_overflows(count, shape[axis], &count)) {
            return -1;
        }
    }
    if (dlb_multiply_overflows(count, (int64_t)dtype.bits * dtype.lanes, &bits) || !dlb_is_addressable(bits / 8)) {
        return -1;
    }
    return bits / 8 + (bits % 8 != 0);
}

dlb_array *dlb_array_new(int32_t ndim, const int64_t *shape, DLDataType dtype)
{
    const int64_t nbytes = bytes_of(ndim, shape, dtype);
    const size_t head = nbytes >= 0 ? sizeof(dlb_array) + 2 * sizeof(int64_t) * (size_t)ndim + DLB_COPY_ALIGNMENT : 0;
    dlb_array *const array = nbytes >= 0 && (uint64_t)nbytes < SIZE_MAX / 2 ? calloc(1, head + (size_t)nbytes) : NULL;

    if (array == NULL) {
        return NULL;
    }
    array->data = (void *)(((uintptr_t)array + head - 1) / DLB_COPY_ALIGNMENT * DLB_COPY_ALIGNMENT);
    array->dtype = dtype;
    array->ndim = ndim;
    array->shape = ndim > 0 ? memcpy(array + 1, shape, sizeof(int64_t) * (size_t)ndim) : NULL;
    return array;
}

void dlb_array_free(dlb_array *array)
{
    free(array);
}
