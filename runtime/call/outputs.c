/* SPDX-License-Identifier: MIT-0 */
/* New outputs, arrays made of C results, and tables of row pointers. */

#include "call.h"

#include <inttypes.h>
#include <stdlib.h>

/* Creates a new output: an array that the runtime owns, of the class `operand->array`, with the shape and the dtype of `prototype`. The
 * prototype can come from another argument, so it is first checked against the requirements of the operand. Returns 0, or -1 with an
 * exception. */
static int make_array(const dlb_py_function *function, const dlb_py_operand *operand, const DLTensor *prototype,
                      dlb_py_argument *array)
{
    const int by_column = operand->require->order == DLB_ORDER_F;
    dlb_error error;
    dlb_array *made;

    array->borrowed = *prototype;
    array->borrowed.device = DLB_CPU;
    if (dlb_check_request(operand->require, &array->borrowed, "", &error) != 0) {
        return dlb_py_refuse(function, operand, &error);
    }
    made = dlb_array_new(prototype->ndim, prototype->shape, prototype->dtype);
    if (made == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    made->record = operand->require->record;
    if (by_column && made->ndim > 0) {
        made->strides = made->shape + made->ndim;
        dlb_compact_strides(made->shape, made->strides, made->ndim, by_column, 0);
    }
    array->made = dlb_py_adopt(operand->array, made, 0);
    if (array->made == NULL) {
        return -1;
    }
    array->source = array->made;
    array->owner = dlb_py_data(array->made)->owner; /* no other code has a reference yet */
    array->object = made->data;
    array->borrowed.data = made->data;
    array->borrowed.byte_offset = 0;
    array->borrowed.shape = array->axes;
    array->borrowed.strides = array->axes + DLB_MAX_NDIM;
    memcpy(array->axes, made + 1, sizeof(int64_t) * (size_t)made->ndim);
    dlb_compact_strides(array->borrowed.shape, array->borrowed.strides, made->ndim, by_column, 0);
    array->tensor = &array->borrowed;
    DLB_CHECK(dlb_checked_output(array, operand));
    return 0;
}

/* Creates a new output: an object of the operand's type, by its allocator. Returns a new reference, or NULL with an exception. */
static PyObject *make_object(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                             const DLTensor *prototype)
{
    const bool has_params = operand->type->allocator->param_count > 0;
    dlb_py_pending_object pending;
    PyObject *made = NULL;
    dlb_py_params params;

    if ((!has_params || dlb_py_params_of_output(function, arrays, operand, &params) == 0) &&
        dlb_py_begin(&pending, operand->type, NULL) == 0) {
        made = dlb_py_allocate(&pending, operand->type, prototype, has_params ? &params : NULL);
        if (made == NULL) {
            (void)dlb_py_explain(function, operand, operand->type->name);
        }
    }
    if (has_params) {
        dlb_py_free_params(&params);
    }
    return made;
}

const DLDataType *dlb_py_only_dtype(const dlb_py_operand *operand)
{
    const dlb_requirements *const made = operand->type != NULL ? operand->type->allocator->require : NULL;

    if (operand->require != NULL && operand->require->dtype_count == 1) {
        return operand->require->dtypes;
    }
    return made != NULL && made->dtype_count == 1 ? made->dtypes : NULL;
}

int dlb_py_make_output(const dlb_py_function *function, dlb_py_argument *arrays, int index, DLTensor *prototype)
{
    const dlb_py_operand *const operand = &function->operands[index];
    const DLDataType *const dtype = dlb_py_only_dtype(operand);
    dlb_py_argument *const array = &arrays[index];

    if (dtype != NULL) {
        prototype->dtype = *dtype;
    }
    dlb_py_hold_all(function, arrays);
    if (operand->type == NULL) {
        return make_array(function, operand, prototype, array);
    }
    array->made = make_object(function, arrays, operand, prototype);
    if (array->made == NULL) {
        return -1;
    }
    array->source = array->made;
    return dlb_py_take_own(function, arrays, operand, array, array->made);
}

int dlb_py_make_like(const dlb_py_function *function, dlb_py_argument *arrays, int index)
{
    const dlb_py_operand *const operand = &function->operands[index];
    const dlb_py_argument *const like = &arrays[operand->like - 1];
    DLTensor prototype;

    if (like->tensor == NULL) { /* the argument was None */
        return dlb_py_refuse_argument(function, operand, Py_None); /* not covered: an operand named by `like` cannot be None or hidden */
    }
    prototype = *like->tensor;
    return dlb_py_make_output(function, arrays, index, &prototype);
}

int dlb_py_make_shape(const dlb_py_function *function, dlb_py_argument *arrays, int index, int ndim,
                      const dlb_integer *extents)
{
    const dlb_py_argument *const array = &arrays[index];
    int64_t shape[DLB_MAX_NDIM];
    DLTensor prototype = {.ndim = ndim, .shape = shape};

    if (array->source != NULL) {
        return dlb_py_check_shape(function, array, dlb_py_operand_name(function, &function->operands[index]), ndim, extents);
    }
    return dlb_py_shape_of_output(function, index, ndim, extents, shape) == 0 ? dlb_py_make_output(function, arrays, index, &prototype)
                                                                              : -1;
}

int dlb_py_make_count(const dlb_py_function *function, dlb_py_argument *arrays, int index, dlb_integer count)
{
    const char *const name = dlb_py_operand_name(function, &function->operands[index]);

    return arrays[index].source != NULL ? dlb_py_check_count(function, &arrays[index], name, count)
                                       : dlb_py_make_shape(function, arrays, index, 1, &count);
}

/* ---- Results of C ---- */

/* Stores the extents in `shape`. Returns the number of elements, or -1 with an exception. An exception that is pending already, from
 * another result, stays. */
static int64_t count_of(const dlb_type *type, int ndim, const dlb_integer *extents, int64_t shape[DLB_MAX_NDIM])
{
    int64_t count = 1;
    dlb_error error;

    if (PyErr_Occurred()) {
        return -1;
    }
    for (int axis = 0; axis < ndim; axis++) {
        shape[axis] = extents[axis].value;
        if (extents[axis].status != DLB_FITS || shape[axis] < 0 || dlb_multiply_overflows(count, shape[axis], &count)) {
            (void)dlb_fail(&error, DLB_VALUE_ERROR, "%s: an extent of the array (%s) is %" PRId64, type->name, extents[axis].expression,
                           shape[axis]);
            (void)dlb_py_raise(&error);
            return -1;
        }
    }
    return count;
}

int dlb_py_rank(const dlb_type *type, dlb_integer ndim, int most)
{
    dlb_error error;

    if (PyErr_Occurred()) {
        return -1;
    }
    if (ndim.status == DLB_FITS && ndim.value >= 0 && ndim.value <= most) {
        return (int)ndim.value;
    }
    (void)dlb_fail(&error, DLB_VALUE_ERROR, "%s: the rank of the array (%s) is %" PRId64 ", not one from 0 to %d", type->name,
                   ndim.expression, ndim.value, most);
    (void)dlb_py_raise(&error);
    return -1;
}

PyObject *dlb_py_copy_array(const dlb_type *type, const void *data, DLDataType dtype, int optional, int ndim,
                            const dlb_integer *extents)
{
    int64_t shape[DLB_MAX_NDIM];
    const int64_t count = count_of(type, ndim, extents, shape);
    dlb_array *made;

    if (count < 0) {
        return NULL;
    }
    if (data == NULL && (count > 0 || optional)) {
        return dlb_py_returned_null(type, optional);
    }
    made = dlb_array_new(ndim, shape, dtype);
    if (made == NULL) {
        return PyErr_NoMemory();
    }
    if (count > 0) {
        DLB_CHECK(dlb_checked_copied(data, (size_t)dlb_nbytes(dtype, count)));
        memcpy(made->data, data, (size_t)dlb_nbytes(dtype, count));
    }
    return dlb_py_adopt(type, made, 0);
}

dlb_array *dlb_py_output_array(const dlb_py_function *function, const char *param, DLDataType dtype, int ndim, dlb_integer count,
                               size_t size)
{
    const int64_t parts = (int64_t)size * 8 / (dtype.bits * dtype.lanes); /* dtype elements per C element: a struct has several */
    int64_t shape[DLB_MAX_NDIM];
    dlb_array *made;

    if (PyErr_Occurred()) { /* the expression for the count has failed */
        return NULL;
    }
    if (count.status != DLB_FITS || count.value < 0 || dlb_multiply_overflows(count.value, parts, &shape[0])) {
        count.status = count.value < 0 ? count.status : DLB_TOO_LARGE; /* C elements that are structs have several elements of the dtype */
        (void)dlb_py_refuse_length(function, param, "buffer", "elements", &count);
        return NULL;
    }
    for (int axis = 1; axis < ndim; axis++) {
        shape[axis] = 1;
    }
    made = dlb_array_new(ndim, shape, dtype);
    DLB_CHECK(dlb_checked_new_array(made, param));
    return made != NULL ? made : (dlb_array *)PyErr_NoMemory();
}

PyObject *dlb_py_filled_array(const dlb_type *type, dlb_array **array, int ndim, const dlb_integer *extents)
{
    dlb_array *const filled = *array;
    int64_t shape[DLB_MAX_NDIM];
    const int64_t count = count_of(type, ndim, extents, shape);

    if (count < 0) {
        return NULL;
    }
    if (count > filled->shape[0]) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: the array has %lld elements (%s), and the capacity is %lld", type->name,
                                (long long)count, extents[0].expression, (long long)filled->shape[0]);
        return NULL;
    }
    DLB_CHECK(dlb_checked_filled(filled, count));
    memcpy(filled->shape, shape, sizeof(int64_t) * (size_t)ndim);
    filled->ndim = ndim;
    *array = NULL;
    return dlb_py_adopt(type, filled, 0);
}

PyObject *dlb_py_borrowed_array(const dlb_type *type, const void *data, DLDataType dtype, dlb_py_argument *within, unsigned flags,
                                int ndim, const dlb_integer *extents)
{
    const int optional = (flags & DLB_PY_OPTIONAL) != 0;
    int64_t shape[DLB_MAX_NDIM];
    const int64_t count = count_of(type, ndim, extents, shape);
    dlb_array_box *box;

    if (count < 0) {
        return NULL;
    }
    if (data == NULL && (count > 0 || optional)) {
        return dlb_py_returned_null(type, optional);
    }
    box = dlb_py_storage_for(type, sizeof *box);
    if (box == NULL) {
        return NULL;
    }
    box->array = (dlb_array){(void *)(uintptr_t)data, dtype, ndim, box->shape, NULL, NULL};
    memcpy(box->shape, shape, sizeof(int64_t) * (size_t)ndim);
    return dlb_py_borrowed_result(type, box, within, DLB_PY_IN_STORAGE | (flags & DLB_PY_READS));
}

PyObject *dlb_py_with_record(PyObject *made, const dlb_record *record)
{
    if (made != NULL && made != Py_None) {
        ((dlb_array *)dlb_owner_object(dlb_py_data(made)->owner))->record = record;
    }
    return made;
}

/* ---- Tables of row pointers ---- */

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
