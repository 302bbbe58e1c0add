/* SPDX-License-Identifier: MIT-0 */
/* Arrays that the runtime provides. A bound function returns one if its output is a bare pointer and Python passed no array (`arrays`
 * of a spec). C code of users may also make and return them. */
#ifndef DLB_ARRAY_H_
#define DLB_ARRAY_H_

#include "dlb_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array on the CPU. */
typedef struct dlb_array {
    void *data; /* new arrays: aligned to 64 bytes */
    DLDataType dtype;
    int32_t ndim;
    int64_t *shape;   /* in elements */
    int64_t *strides; /* in elements; NULL: row-major compact */
    const dlb_record *record; /* the fields of elements that are structs; NULL: numbers */
} dlb_array;

/* An array that shows foreign memory. */
typedef struct dlb_array_box {
    dlb_array array;
    int64_t shape[DLB_MAX_NDIM];
    int64_t strides[DLB_MAX_NDIM];
} dlb_array_box;

/* Allocates a row-major array of zeros. One block holds the array, its elements and its shape, with storage for `ndim` strides behind
 * the shape. Returns NULL if memory is out or the size overflows. */
DLB_API dlb_array *dlb_array_new(int32_t ndim, const int64_t *shape, DLDataType dtype);
/* Frees an array of dlb_array_new(). NULL is ignored. */
DLB_API void dlb_array_free(dlb_array *array);

#ifdef __cplusplus
}
#endif

#endif
