/* SPDX-License-Identifier: MIT-0 */
/* Makes the tables of pointers to rows that C functions take for some arrays. */
#include "dlb_py_call.h"

#include <stdlib.h>

/* Allocates `count` pointers: in the storage of the argument, which no struct uses, or in a block, which the argument then holds.
 * Returns NULL with an exception on failure. */
static void *allocate_pointers(const dlb_py_function *function, dlb_py_argument *arrays, int index, int64_t count)
{
    dlb_py_argument *const array = &arrays[index];

    if (count <= (int64_t)(DLB_PY_STORAGE / sizeof(void *))) {
        return &array->storage;
    }
    dlb_py_hold_all(function, arrays);
    array->table = (uint64_t)count <= SIZE_MAX / sizeof(void *) ? malloc((size_t)count * sizeof(void *)) : NULL;
    return array->table != NULL ? array->table : (void *)PyErr_NoMemory();
}

int dlb_py_list_rows(const dlb_py_function *function, dlb_py_argument *arrays, int index)
{
    const DLTensor *const tensor = arrays[index].tensor;
    void **rows;
    int64_t step;

    arrays[index].rows = NULL;
    if (tensor == NULL) { /* None */
        return 0;
    }
    rows = allocate_pointers(function, arrays, index, tensor->shape[0]);
    if (rows == NULL) {
        return -1;
    }
    step = dlb_nbytes(tensor->dtype, 1) * tensor->strides[0];
    for (int64_t i = 0; i < tensor->shape[0]; i++) {
        rows[i] = (char *)tensor->data + tensor->byte_offset + i * step;
    }
    arrays[index].rows = rows;
    return 0;
}
