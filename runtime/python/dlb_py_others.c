/* SPDX-License-Identifier: MIT-0 */
/* Takes the foreign arguments of a call: arrays and objects of other libraries. Each one is borrowed for the call, held until its end,
 * or imported as an object of a generated class. */
#include "dlb_py_call.h"

/* ---- One foreign argument ---- */

/* Returns whether the operand takes the bytes of the value, which has a buffer. */
static bool takes_bytes(const dlb_py_operand *operand, PyObject *value)
{
    return (operand->flags & DLB_PY_BYTES) != 0 && operand->require->max_ndim > 0 && PyObject_CheckBuffer(value);
}

/* Returns whether the function may write to a copy, which the runtime copies back to the source after the call. */
static bool may_write_back(const dlb_py_operand *operand)
{
    const dlb_maker *const importer = operand->type != NULL ? operand->type->importer : NULL;

    return (operand->flags & DLB_PY_WRITES) != 0 && ((importer != NULL && importer->copy != DLB_COPY_NEVER) ||
                                                     (operand->require != NULL && operand->require->copy != DLB_COPY_NEVER));
}

/* Returns whether the result may refer to the struct and the memory of the argument, so that a temporary would be freed too early. An
 * argument that may be copied does not count: its copy ends with the call. */
static bool may_be_referred_to(const dlb_py_operand *operand)
{
    return (operand->flags & (DLB_PY_REFERRED | DLB_PY_KEPT)) == DLB_PY_REFERRED && !may_write_back(operand);
}

/* Imports the argument as a Python object, for an array that must outlive the call, or a library that runs code when the array is
 * released. Stores a new reference in `array->made`. Returns 0, or -1 with an exception. */
static int import_object(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    const dlb_type *const type = operand->type != NULL ? operand->type : operand->array;
    dlb_py_given given = {NULL, NULL, NULL, NULL, false};
    dlb_py_state *state;
    const dlb_maker *maker;
    dlb_maker storage;

    if (!dlb_py_may_be_array(array->source)) {
        return dlb_py_refuse_argument(function, operand, array->source);
    }
    if (takes_bytes(operand, array->source) && operand->require->min_ndim <= 1) {
        state = dlb_py_imported_state();
        array->made = state != NULL ? dlb_py_from_buffer(state, type, array->source, true, &given) : NULL;
    } else {
        maker = may_be_referred_to(operand) && operand->type != NULL ? dlb_py_demand_of(operand, &storage) : NULL;
        array->made = dlb_py_import_argument(type, maker, array->source, (operand->flags & DLB_PY_WRITES) != 0);
    }
    return array->made != NULL ? 0 : dlb_py_explain(function, operand, type->name);
}

/* Returns whether the memory must be held, not only borrowed. A borrowed view becomes invalid as soon as other Python code runs. It
 * also cannot serve an argument that is read again after the call. */
static bool must_own(const dlb_py_function *function, const dlb_py_operand *operand)
{
    return function->holds || DLB_PY_FREE_THREADED || (operand->flags & DLB_PY_ITEMS) != 0 ||
           may_write_back(operand);
}

/* Returns whether the argument needs an object of a generated class, because no temporary can stand for it. */
static bool must_import(const dlb_py_operand *operand)
{
    return (operand->flags & DLB_PY_KEPT) != 0 || may_be_referred_to(operand) ||
           (operand->type != NULL && (!dlb_can_be_temporary(operand->type) || operand->type->importer->box > DLB_PY_STORAGE));
}

/* Returns whether only an object of the operand's class will do. The library cannot keep, move or free an array that is imported for
 * one call. */
static bool takes_objects_only(const dlb_py_operand *operand)
{
    return operand->type != NULL && (operand->type->importer == NULL || (operand->flags & (DLB_PY_INVALIDATES | DLB_PY_KEEPS)) != 0);
}

/* Returns whether the argument can be borrowed for the call, after all other arguments. */
static bool is_temporary(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    return !takes_objects_only(operand) && !must_own(function, operand) && !must_import(operand) &&
           (operand->flags & DLB_PY_BYTES) == 0 && dlb_py_is_borrowable(value);
}

static int convert_memory(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_memory *memory,
                          dlb_py_argument *array)
{
    dlb_error error;

    return dlb_py_convert(array, operand, memory, &error) == 0 ? 0 : dlb_py_refuse(function, operand, &error);
}

/* Returns whether the value is an exact list or tuple. These are never arrays, and looking for `__dlpack__` would be slow. */
static bool is_plain_sequence(PyObject *value)
{
    return PyList_CheckExact(value) || PyTuple_CheckExact(value);
}

int dlb_py_take_foreign(const dlb_py_function *function, const dlb_py_operand *operand, bool owned,
                        dlb_py_argument *array)
{
    dlb_memory memory;
    int result;

    if (takes_objects_only(operand)) {
        return dlb_py_refuse_argument(function, operand, array->source);
    }
    if (must_import(operand)) {
        return import_object(function, operand, array);
    }
    result = takes_bytes(operand, array->source) ? dlb_py_acquire_bytes(array, operand->require->min_ndim > 1, &memory) : 1;
    if (result > 0 && !is_plain_sequence(array->source)) {
        result = dlb_py_acquire(array, array->source, owned, (operand->flags & DLB_PY_WRITES) != 0, array->axes, &memory);
    }
    if (result < 0 && PyType_Check(array->source) && PyErr_ExceptionMatches(PyExc_TypeError)) { /* only instances have it */
        PyErr_Clear();
        return dlb_py_refuse_argument(function, operand, array->source);
    }
    if (result < 0) {
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    if (result > 0) {
        const int numbers = (operand->flags & DLB_PY_NUMBERS) != 0 ? dlb_py_is_sequence(array->source) : 0;

        if (numbers == 0) {
            return dlb_py_refuse_argument(function, operand, array->source);
        }
        return numbers > 0 ? dlb_py_take_numbers(function, operand, array)
                           : dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
    }
    return convert_memory(function, operand, &memory, array);
}

/* ---- All foreign arguments ---- */

/* Takes a deferred argument that cannot be borrowed. `result` is 1 if `__dlpack__` must be called, or -1 if an exception is pending.
 * Returns 0, or -1 with an exception. */
static int take_deferred(const dlb_py_function *function, const dlb_py_operand *operand, int result, dlb_py_argument *array)
{
    if (result < 0) {
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    array->waiting = 0;
    return dlb_py_take_foreign(function, operand, true, array);
}

/* Borrows the deferred arguments. Calling `__dlpack__` can invalidate earlier borrows, so the loop starts over after such a call.
 * Returns 0, or -1 with an exception. */
static int borrow_all(const dlb_py_function *function, dlb_py_argument *arrays)
{
    dlb_py_state *const state = dlb_py_imported_state();

    if (state == NULL) {
        return -1; /* not covered: a state is looked up only beside other interpreters, and only a lack of memory makes that fail */
    }
    for (int i = 0; i < function->operand_count; i++) {
        dlb_py_argument *const array = &arrays[i];
        const bool writes = (function->operands[i].flags & DLB_PY_WRITES) != 0;
        const int result = array->waiting && writes ? dlb_py_check_gradient(state, array->source) : 0;

        if (result != 0 && take_deferred(function, &function->operands[i], result, array) != 0) {
            return -1;
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        int result;

        if (!array->waiting) {
            continue;
        }
        result = dlb_py_borrow(state, array->source, NULL, array);
        if (result != 0) {
            if (take_deferred(function, operand, result, array) != 0) {
                return -1;
            }
            i = -1;
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_memory memory = {&arrays[i].borrowed, arrays[i].flags, NULL, NULL};

        if (arrays[i].waiting && convert_memory(function, &function->operands[i], &memory, &arrays[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Defers borrowing to the end: calling `__dlpack__` of one argument can run code that invalidates the borrowed memory of another. */
int dlb_py_take_foreign_arguments(const dlb_py_function *function, dlb_py_argument *arrays)
{
    int waiting = 0;

    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        int result = 0;

        if (array->source == NULL || dlb_py_is_own_argument(operand, array->source)) {
            continue;
        }
        if ((operand->flags & DLB_PY_ITEMS) != 0) {
            result = dlb_py_take_items(function, operand, array);
        } else if (function->operand_count > 1 && is_temporary(function, operand, array->source)) {
            array->waiting = 1;
            waiting = 1;
        } else {
            result = dlb_py_take_foreign(function, operand, function->operand_count > 1 || must_own(function, operand), array);
        }
        if (result != 0) {
            return -1;
        }
    }
    return waiting ? borrow_all(function, arrays) : 0;
}
