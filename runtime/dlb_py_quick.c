/* SPDX-License-Identifier: MIT-0 */
/* The usual arguments of a call, taken so that nothing is to be given back: objects of ours, arrays of NumPy, and arrays that
 * the table of their type lends, all as they are. What is not usual, or wrong, is left to dlb_py_take_all(). */
#include "dlb_py_call.h"

enum { PARTICULAR = DLB_PY_INVALIDATES | DLB_PY_ITEMS | DLB_PY_KEPT };

/* Why an array was not lent. */
enum { LENT, NOT_LENT, FAILED };

/* The memory of `value`, described in `array->borrowed`. */
static int borrow(dlb_py_state *state, PyObject *value, dlb_py_argument *array)
{
    dlb_py_kind kind;

    if ((PyObject *)Py_TYPE(value) == state->ndarray_type) {
        return dlb_py_read_ndarray(state, value, &array->borrowed, &array->flags, array->axes) ? LENT : NOT_LENT;
    }
    if (dlb_py_kind_of(state, Py_TYPE(value), &kind) != 0) {
        return FAILED;
    }
    if (kind.api == NULL || kind.api->dltensor_from_py_object_no_sync == NULL) {
        return NOT_LENT;
    }
    if (kind.api->dltensor_from_py_object_no_sync(value, &array->borrowed) != 0) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? NOT_LENT : FAILED;
    }
    array->flags = 0;
    return kind.dlpack && !dlb_py_says_enough(&array->borrowed) ? NOT_LENT : LENT;
}

/* Whether the operand takes arrays that need no end: not even the object around them. */
static bool takes_lent(const dlb_py_operand *operand)
{
    const dlb_type *const type = operand->type;

    if ((operand->flags & PARTICULAR) != 0 || operand->count != 0) {
        return false;
    }
    if (type == NULL) {
        return operand->require != NULL;
    }
    return operand->require == NULL && type->import_usual != NULL && type->importer->box <= DLB_PY_ROOM;
}

/* C reads elements where their type may lie; see is_misaligned() of dlb_py_show.c, which says what is wrong. */
static bool is_aligned(const DLTensor *tensor)
{
    return ((uintptr_t)tensor->data & (dlb_natural_alignment(tensor->dtype) - 1)) == 0;
}

/* The object of C that shows the array, or NULL. */
static void *show(const dlb_py_operand *operand, dlb_py_argument *array)
{
    const dlb_type *const type = operand->type;

    if (type != NULL) {
        return type->import_usual(&array->borrowed, (array->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0, &array->room);
    }
    return dlb_is_usual(operand->require, &array->borrowed) ? array->borrowed.data : NULL;
}

static int lend(dlb_py_state *state, const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array)
{
    const uint64_t refused = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
    const int result = borrow(state, value, array);

    if (result != LENT) {
        return result;
    }
    if ((operand->flags & DLB_PY_WRITES) != 0 && (array->flags & refused) != 0) {
        return NOT_LENT;
    }
    array->object = show(operand, array);
    if (array->object == NULL || !is_aligned(&array->borrowed)) {
        return NOT_LENT;
    }
    array->tensor = &array->borrowed;
    if (operand->type == NULL && (operand->flags & DLB_PY_WRITES) != 0) {
        dlb_py_own_tensor(array);
    }
    array->count = 0;
    array->owner = NULL;
    array->giver = value;
    array->held = 0;
    return LENT;
}

static PyObject *value_of(const dlb_py_operand *operand, PyObject *self, PyObject *const *given)
{
    return operand->param < 0 ? self : given[operand->param];
}

/* When a value is taken: looking at unknown types and asking tables may run code, which may free the memory of an array of
 * NumPy, or close an object of ours. */
enum { FIRST, ARRAYS, OWN, TIMES };

static int time_of(const dlb_py_state *state, PyObject *value)
{
    return dlb_py_is_ours(value) ? OWN : (PyObject *)Py_TYPE(value) == state->ndarray_type ? ARRAYS : FIRST;
}

static int take_one(dlb_py_state *state, const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array)
{
    if (dlb_py_is_ours(value)) {
        return dlb_py_take_object(operand, value, array) ? LENT : NOT_LENT;
    }
    if (value == Py_None && (operand->flags & DLB_PY_OPTIONAL) != 0) {
        dlb_py_take_none(array);
        return LENT;
    }
    return takes_lent(operand) ? lend(state, operand, value, array) : NOT_LENT;
}

/* Several operands; arrays and objects of ours come last. */
DLB_APART static int take_several(dlb_py_state *state, const dlb_py_function *function, PyObject *self,
                                  PyObject *const *given, dlb_py_argument *arrays)
{
    int left = function->operand_count;

    for (int time = FIRST; time < TIMES && left > 0; time++) {
        for (int i = 0; i < function->operand_count; i++) {
            PyObject *const value = value_of(&function->operands[i], self, given);

            if (value == NULL) {
                return NOT_LENT;
            }
            if (time_of(state, value) != time) {
                continue;
            }
            left--;
            const int result = take_one(state, &function->operands[i], value, &arrays[i]);

            if (result != LENT) {
                return result;
            }
        }
    }
    return LENT;
}

static inline int take_quickly(const dlb_py_function *function, PyObject *self, PyObject *const *given,
                               dlb_py_argument *arrays)
{
    dlb_py_state *const state = dlb_py_get_state();
    PyObject *value;

    if (state == NULL) {
        return FAILED;
    }
    if (function->operand_count != 1) {
        return take_several(state, function, self, given, arrays);
    }
    value = value_of(&function->operands[0], self, given);
    return value != NULL ? take_one(state, &function->operands[0], value, &arrays[0]) : NOT_LENT;
}

int dlb_py_take_foreign(const dlb_py_function *function, PyObject *self, PyObject *const *given,
                        dlb_py_argument *arrays)
{
    int result = NOT_LENT;

    if (!function->releases && !DLB_PY_FREE_THREADED) {
        result = take_quickly(function, self, given, arrays);
    }
    if (DLB_LIKELY(result == LENT)) {
        return 0;
    }
    return result == FAILED ? -1 : dlb_py_take_all(function, self, given, arrays);
}
