/* SPDX-License-Identifier: MIT-0 */
/* Arrays of the runtime's own: what functions return whose outputs are bare pointers, where Python gives none (the `arrays` of a
 * spec). C code of a user's may make and return them as well. */
#ifndef DLB_ARRAY_H_
#define DLB_ARRAY_H_

#include "dlb_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array on the CPU. */
typedef struct dlb_array {
    void *data; /* of new ones: aligned to 64 bytes */
    DLDataType dtype;
    int32_t ndim;
    int64_t *shape;   /* elements */
    int64_t *strides; /* elements; NULL: compact, by rows */
} dlb_array;

/* One that shows memory of others. */
typedef struct dlb_array_box {
    dlb_array array;
    int64_t shape[DLB_MAX_NDIM];
    int64_t strides[DLB_MAX_NDIM];
} dlb_array_box;

/* A new array of zeros, by rows, in one block with its elements, and with room for as many strides behind its shape. NULL: no
 * memory, or no array is as large. */
DLB_API dlb_array *dlb_array_new(int32_t ndim, const int64_t *shape, DLDataType dtype);
/* NULL: nothing. */
DLB_API void dlb_array_free(dlb_array *array);

#ifdef __cplusplus
}
#endif

#endif
