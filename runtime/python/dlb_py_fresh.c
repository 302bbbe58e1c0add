/* SPDX-License-Identifier: MIT-0 */
/* Arrays and objects that a call writes to and returns: made, where Python gives none. */
#include "dlb_py_call.h"

#include "../dlb_array.h"

/* The prototype as an array of the runtime's own, whose class is `operand->fresh`. */
static PyObject *make_array(const dlb_py_operand *operand, const DLTensor *prototype)
{
    dlb_array *const made = dlb_array_new(prototype->ndim, prototype->shape, prototype->dtype);

    if (made == NULL) {
        return PyErr_NoMemory();
    }
    made->by_column = operand->require->order == DLB_ORDER_F;
    return dlb_py_adopt(operand->fresh, made, 0);
}

/* The same as an object of the operand's class. */
static PyObject *make_object(const dlb_py_function *function, const dlb_py_operand *operand, const DLTensor *prototype)
{
    dlb_py_draft draft;
    dlb_owner *owner;
    dlb_error error;

    if (dlb_py_begin(&draft, operand->type, NULL) != 0) {
        return NULL;
    }
    if (dlb_allocate(operand->type, prototype, &owner, &error) != 0) {
        dlb_py_cancel(&draft);
        (void)dlb_py_raise(&error);
        (void)dlb_py_explain(function, operand, operand->type->name);
        return NULL;
    }
    return dlb_py_finish(&draft, owner);
}

/* The dtype that a new one must have; NULL: no single one. */
static const DLDataType *only_dtype(const dlb_py_operand *operand)
{
    if (operand->require != NULL && operand->require->dtype_count == 1) {
        return operand->require->dtypes;
    }
    return operand->type != NULL && operand->type->allocator->dtype_count == 1 ? operand->type->allocator->dtypes : NULL;
}

/* `prototype` has the shape, and the dtype where the operand does not say which one. */
static int make(const dlb_py_function *function, const dlb_py_operand *operand, DLTensor *prototype,
                dlb_py_argument *array)
{
    const DLDataType *const dtype = only_dtype(operand);

    if (dtype != NULL) {
        prototype->dtype = *dtype;
    }
    array->made = operand->type == NULL ? make_array(operand, prototype) : make_object(function, operand, prototype);
    if (array->made == NULL) {
        return -1;
    }
    array->giver = array->made;
    return dlb_py_take_own(function, operand, array, array->made);
}

int dlb_py_make_like(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_py_argument *like,
                     dlb_py_argument *array)
{
    DLTensor prototype;

    if (like->tensor == NULL) { /* None */
        return dlb_py_refuse_argument(function, operand, Py_None);
    }
    prototype = *like->tensor;
    return make(function, operand, &prototype, array);
}

int dlb_py_make_shape(const dlb_py_function *function, dlb_py_argument *array, int index, int ndim,
                      const dlb_integer *extents)
{
    const dlb_py_operand *const operand = &function->operands[index];
    int64_t shape[DLB_MAX_NDIM];
    DLTensor prototype = {.ndim = ndim, .shape = shape};

    if (array->giver != NULL) {
        return dlb_py_check_shape(function, array, dlb_py_operand_name(function, operand), ndim, extents);
    }
    for (int axis = 0; axis < ndim; axis++) {
        if (extents[axis].fits != 1 || extents[axis].value < 0) {
            PyErr_Format(PyExc_ValueError, "%s(): no array has the shape that '%s' must have", function->name,
                         dlb_py_operand_name(function, operand));
            return -1;
        }
        shape[axis] = extents[axis].value;
    }
    return make(function, operand, &prototype, array);
}

int dlb_py_make_count(const dlb_py_function *function, dlb_py_argument *array, int index, dlb_integer count)
{
    return array->giver != NULL
               ? dlb_py_check_count(function, array, dlb_py_operand_name(function, &function->operands[index]), count)
               : dlb_py_make_shape(function, array, index, 1, &count);
}
