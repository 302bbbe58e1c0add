/* SPDX-License-Identifier: MIT-0 */
/* Converts sequences among the arguments of a call. C gets an array of pointers for a sequence of objects, and a copy for a sequence of
 * numbers. Also computes derived parameters, such as the length of an array. */
#include "dlb_py_call.h"

#include "../core/dlb_gather.h"

#include <stdlib.h>

/* Stores the next item at `index` of the tuple. One item too few or too many is an error. Returns 0, or -1 with an exception. */
static int put_item(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *iterator, PyObject *tuple,
                    Py_ssize_t index)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    PyObject *const item = PyIter_Next(iterator);

    if (PyErr_Occurred()) {
        dlb_py_discard(item);
        return -1;
    }
    if ((item == NULL) != (index == count)) {
        Py_XDECREF(item);
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' has the length %zd, and %s items", function->name,
                                dlb_py_operand_name(function, operand), count, index == count ? "more" : "fewer");
        return -1;
    }
    if (item != NULL) {
        PyTuple_SET_ITEM(tuple, index, item);
    }
    return 0;
}

/* Collects the items in a new tuple. It reads only as many items as the length reports, because an iterator may be endless. NULL with
 * an exception. */
static PyObject *iterate(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    const Py_ssize_t count = PySequence_Size(value);
    PyObject *const iterator = count >= 0 ? PyObject_GetIter(value) : NULL;
    PyObject *tuple = iterator != NULL ? PyTuple_New(count) : NULL;

    for (Py_ssize_t i = 0; tuple != NULL && i <= count; i++) {
        if (put_item(function, operand, iterator, tuple, i) != 0) {
            dlb_py_quietly(dlb_py_decref, tuple);
            tuple = NULL;
        }
    }
    if (iterator != NULL) {
        dlb_py_quietly(dlb_py_decref, iterator);
    }
    return tuple;
}

/* Returns the items of a sequence as a new tuple, which nobody can change during the call; or NULL with an exception. */
static PyObject *items_of(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    const int is_sequence = dlb_py_is_sequence(value);
    PyObject *keeper = NULL;
    const char *name;

    if (is_sequence > 0) {
        PyObject *const items =
            PyList_Check(value) || PyTuple_Check(value) ? PySequence_Tuple(value) : iterate(function, operand, value);

        if (items == NULL) {
            (void)dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
        }
        return items;
    }
    if (is_sequence < 0) {
        (void)dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
        return NULL;
    }
    name = dlb_py_type_as_str(value, &keeper);
    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be a sequence, not %s", function->name,
                                dlb_py_operand_name(function, operand), name);
    }
    Py_XDECREF(keeper);
    return NULL;
}

/* ---- Sequences of objects ---- */

int dlb_py_take_items(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    PyObject *const tuple = items_of(function, operand, array->source);
    const Py_ssize_t count = tuple != NULL ? PyTuple_GET_SIZE(tuple) : 0;
    const size_t each = sizeof *array->items + sizeof(void *);
    void **pointers;

    array->made = tuple;
    if (tuple == NULL) {
        return -1;
    }
    if (operand->count > 0 && count != operand->count) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must have %lld items, not %zd", function->name,
                                dlb_py_operand_name(function, operand), (long long)operand->count, count);
        return -1;
    }
    if (count == 0) {
        return 0;
    }
    array->items = (size_t)count > SIZE_MAX / each ? NULL : malloc((size_t)count * each);
    if (array->items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    pointers = (void **)(void *)(array->items + count);
    array->object = pointers;
    for (Py_ssize_t i = 0; i < count; i++) {
        dlb_py_argument *const item = &array->items[i];

        array->count = i + 1;
        if (dlb_py_take_item(function, operand, PyTuple_GET_ITEM(tuple, i), item) != 0) {
            return -1;
        }
        if (item->owner != NULL && !item->shared) { /* taking the next item may run foreign code that closes this one */
            /* not covered: dlb_py_take_own() has taken a share of each item that is an object */
            dlb_owner_keep(item->owner);
            item->shared = 1;
        }
        pointers[i] = item->object;
    }
    return 0;
}

/* ---- Sequences of numbers ---- */

/* Finds the C type class of an element, DLB_OTHER for a complex one. Returns false if Python numbers cannot be converted to the dtype. */
static bool kind_of(DLDataType dtype, dlb_kind *kind)
{
    static const dlb_kind kinds[] = {[kDLInt] = DLB_SIGNED, [kDLUInt] = DLB_UNSIGNED, [kDLFloat] = DLB_FLOATING};

    *kind = dtype.code == kDLBool ? DLB_BOOLEAN : dtype.code <= kDLFloat ? kinds[dtype.code] : DLB_OTHER;
    if (dtype.lanes != 1 || dtype.bits % 8 != 0) {
        return false;
    }
    if (*kind == DLB_OTHER) {
        return dtype.code == kDLComplex && dtype.bits >= 64;
    }
    return *kind != DLB_FLOATING || dtype.bits >= 32;
}

/* Returns whether the truth of a value does not depend on its content: 1 or 0, or -1 with an exception. */
static int is_always_true(PyObject *value)
{
    if (PyObject_Size(value) >= 0) {
        return 1;
    }
    return dlb_py_may_try_another() ? PyType_GetSlot(Py_TYPE(value), Py_nb_bool) == NULL : -1;
}

/* Adds the index to the message of the pending exception: "sum() argument 'x' must be ..." becomes "sum() argument 'x[2]' must be ...".
 * Returns -1. */
static int explain_item(const dlb_py_function *reads, Py_ssize_t index)
{
    char before[DLB_PY_MESSAGE_SIZE];
    char instead[DLB_PY_MESSAGE_SIZE + 24];

    dlb_write(before, sizeof before, "%s() argument '%s", reads->name, reads->params[0].name);
    dlb_write(instead, sizeof instead, "%s[%lld]", before, (long long)index);
    (void)dlb_py_replace_beginning(before, '\0', instead);
    return -1;
}

/* Copies the items of a list or tuple to the storage of the argument. Returns false if they do not fit, or need the slow path. */
static bool copy_items_fast(const dlb_py_operand *operand, PyObject *const *items, Py_ssize_t count, dlb_py_argument *array)
{
    const size_t alignment = dlb_copy_alignment(operand->require);
    const DLDataType dtype = operand->require->dtypes[0];
    dlb_param element = {NULL, DLB_OTHER, 0, (size_t)dlb_itemsize(dtype), 1, NULL, NULL};
    char *place;

    if ((operand->count != 0 && count != operand->count) || !kind_of(dtype, &element.kind) || alignment > sizeof array->storage ||
        (size_t)count > (sizeof array->storage - alignment) / element.size) {
        return false;
    }
    place = dlb_next_aligned(array->storage.bytes, alignment);
    array->view.axes[0] = count;
    array->view.axes[1] = 1;
    array->view.own = (DLTensor){place, DLB_CPU, 1, dtype, array->view.axes, array->view.axes + 1, 0};
    if (dlb_check_request(operand->require, &array->view.own, "", NULL) != 0 ||
        dlb_py_copy_numbers(&element, items, count, place) != count) {
        return false;
    }
    dlb_py_take_none(array);
    array->object = place;
    array->tensor = &array->view.own;
    return true;
}

bool dlb_py_copy_sequence(const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array)
{
    Py_ssize_t count;
    PyObject *const *const items = (operand->flags & DLB_PY_NUMBERS) != 0 ? dlb_py_items_of(value, &count) : NULL;

    if (items == NULL || !copy_items_fast(operand, items, count, array)) {
        return false;
    }
    array->source = value;
    return true;
}

/* Checks that the call may get `count` numbers, and allocates memory for them in `array->copy`, described in `array->view`. Returns 0,
 * or -1 with an exception. */
static int allocate_numbers(const dlb_py_function *function, const dlb_py_operand *operand, Py_ssize_t count, dlb_py_argument *array)
{
    const size_t alignment = dlb_copy_alignment(operand->require);
    const DLDataType dtype = operand->require->dtypes[0];
    const size_t itemsize = (size_t)dlb_itemsize(dtype);
    dlb_error error;

    if (operand->count > 0 && count != operand->count) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must have %lld element%s, not %zd", function->name,
                                dlb_py_operand_name(function, operand), (long long)operand->count,
                                operand->count == 1 ? "" : "s", count);
        return -1;
    }
    array->view.axes[0] = count;
    array->view.axes[1] = 1;
    array->view.own = (DLTensor){NULL, DLB_CPU, 1, dtype, array->view.axes, array->view.axes + 1, 0};
    if (dlb_check_request(operand->require, &array->view.own, DLB_PY_NAMELESS, &error) != 0) {
        (void)dlb_py_raise(&error);
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    if ((size_t)count <= (SIZE_MAX - alignment) / itemsize) {
        array->copy = malloc((size_t)count * itemsize + alignment);
    }
    if (array->copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    array->view.own.data = dlb_next_aligned(array->copy, alignment);
    return 0;
}

/* Copies the numbers in the tuple `array->made`, on the slow path: their conversion may run foreign code. Returns 0, or -1 with an
 * exception. */
static int copy_items_slow(const dlb_py_function *function, dlb_param *element, const dlb_py_argument *array)
{
    const dlb_py_function reads = {.name = function->name, .params = element, .count = 1};
    const bool is_complex = element->kind == DLB_OTHER;

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(array->made); i++) {
        PyObject *const number = PyTuple_GET_ITEM(array->made, i);
        char *const to = (char *)array->view.own.data + (size_t)i * element->size;
        const int always = element->kind == DLB_BOOLEAN ? is_always_true(number) : 0;

        if (always < 0) {
            (void)dlb_py_name_argument(reads.name, element->name);
        } else if (always > 0) { /* for example a sequence, or an Arrow scalar */
            (void)dlb_py_refuse_type(&reads, element, number, "bool");
        }
        if (always != 0 || (is_complex ? dlb_py_read_complex(&reads, 0, &number, to, element->size / 2)
                                       : dlb_py_read_number(&reads, 0, &number, to)) != 0) {
            return explain_item(&reads, i);
        }
    }
    return 0;
}

int dlb_py_take_numbers(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    const DLDataType dtype = operand->require->dtypes[0];
    dlb_param element = {dlb_py_operand_name(function, operand), DLB_OTHER, 0, (size_t)dlb_itemsize(dtype), 1, NULL, NULL};
    Py_ssize_t count;
    PyObject *const *const items = dlb_py_items_of(array->source, &count);
    bool done = false;

    if (!kind_of(dtype, &element.kind)) {
        char text[DLB_NAME_SIZE];

        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be an array: Python numbers are not converted to %s",
                                function->name, dlb_py_operand_name(function, operand), dlb_dtype_name(dtype, text));
        return -1;
    }
    if (items != NULL) {
        if (allocate_numbers(function, operand, count, array) != 0) {
            return -1;
        }
        done = dlb_py_copy_numbers(&element, items, count, array->view.own.data) == count;
    }
    if (!done) { /* converting some items runs foreign code, which may change the list */
        free(array->copy);
        array->copy = NULL;
        array->made = items_of(function, operand, array->source);
        if (array->made == NULL || allocate_numbers(function, operand, PyTuple_GET_SIZE(array->made), array) != 0 ||
            copy_items_slow(function, &element, array) != 0) {
            return -1;
        }
    }
    array->tensor = &array->view.own;
    array->object = array->view.own.data;
    return 0;
}

/* ---- Derived parameters ---- */

int64_t dlb_py_count(const dlb_py_argument *array)
{
    return array->tensor != NULL ? dlb_element_count(array->tensor) : array->count;
}

int64_t dlb_py_size(const dlb_py_argument *array)
{
    const DLTensor *const tensor = array->tensor;
    int64_t last = 0;

    if (tensor == NULL || dlb_element_count(tensor) == 0) {
        return 0;
    }
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        last += (tensor->shape[axis] - 1) * (tensor->strides[axis] < 0 ? -tensor->strides[axis] : tensor->strides[axis]);
    }
    return dlb_nbytes(tensor->dtype, last + 1);
}

int64_t dlb_py_extent(const dlb_py_argument *array, int axis)
{
    return array->tensor != NULL && axis < array->tensor->ndim ? array->tensor->shape[axis] : 0;
}

int64_t dlb_py_stride(const dlb_py_argument *array, int axis)
{
    return array->tensor != NULL && axis < array->tensor->ndim ? array->tensor->strides[axis] : 0;
}
