/* SPDX-License-Identifier: MIT-0 */
/* Describes the numbers of an argument, before one of several C functions with the same name in Python is chosen. */

#include "call.h"

#include <float.h>
#include <math.h>

/* ---- Integers ---- */

/* Returns whether the significant bits of an integer fit a floating-point type with so many digits. */
static bool is_exact(uint64_t magnitude, int digits)
{
    while (magnitude != 0 && magnitude % 2 == 0) {
        magnitude /= 2;
    }
    return magnitude >> digits == 0;
}

static inline void add_magnitude(dlb_py_numbers *numbers, uint64_t magnitude)
{
    if (DLB_UNLIKELY(magnitude >> FLT_MANT_DIG != 0)) {
        numbers->losses |= is_exact(magnitude, FLT_MANT_DIG) ? 0 : DLB_PY_LOST_IN_FLOAT32;
        numbers->losses |= is_exact(magnitude, DBL_MANT_DIG) ? 0 : DLB_PY_LOST_IN_FLOAT64;
    }
}

static inline void add_integer(dlb_py_numbers *numbers, int64_t value)
{
    if (value < numbers->least) {
        numbers->least = value;
    }
    if (value > 0 && (uint64_t)value > numbers->most) {
        numbers->most = (uint64_t)value;
    }
    add_magnitude(numbers, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static inline void add_real(dlb_py_numbers *numbers, double value)
{
    if (DLB_UNLIKELY(isinf((float)value) && !isinf(value))) {
        numbers->losses |= DLB_PY_BEYOND_FLOAT32;
    }
}

/* Adds an int that neither int64 nor uint64 can hold. Returns 0, or -1 with an exception. */
static int add_huge_integer(dlb_py_numbers *numbers, PyObject *integer)
{
    PyObject *const rounded = PyNumber_Float(integer);
    const double value = rounded != NULL ? PyFloat_AsDouble(rounded) : 0;
    const int equal = rounded != NULL ? PyObject_RichCompareBool(integer, rounded, Py_EQ) : 0;

    if (rounded == NULL && !dlb_py_may_try_another()) { /* unless the int is beyond every double */
        return -1;
    }
    Py_XDECREF(rounded);
    numbers->losses |= DLB_PY_LOST_IN_INTEGERS;
    numbers->losses |= equal > 0 && (double)(float)value == value ? 0 : DLB_PY_LOST_IN_FLOAT32;
    numbers->losses |= equal > 0 ? 0 : DLB_PY_LOST_IN_FLOAT64;
    add_real(numbers, value);
    return equal < 0 ? -1 : 0;
}

static int add_int(dlb_py_numbers *numbers, PyObject *integer)
{
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    unsigned long long large;

    if (overflow == 0) {
        add_integer(numbers, value);
        return 0;
    }
    large = overflow > 0 ? PyLong_AsUnsignedLongLong(integer) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        return add_huge_integer(numbers, integer);
    }
    numbers->most = large > numbers->most ? large : numbers->most;
    add_magnitude(numbers, large);
    return 0;
}

/* Adds the value of an object with __index__(). An object that cannot convert itself is refused later, by the function. Returns 0, or -1
 * with an exception. */
static int add_index(dlb_py_numbers *numbers, PyObject *value)
{
    PyObject *const integer = PyLong_Check(value) ? value : dlb_py_as_integer(value);
    int result;

    if (integer == NULL) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? 0 : -1;
    }
    result = add_int(numbers, integer);
    if (integer != value) {
        Py_DECREF(integer);
    }
    return result;
}

/* ---- Numbers of any kind ---- */

static inline void add_kind(dlb_py_numbers *numbers, int kind)
{
    numbers->kind = kind > numbers->kind ? kind : numbers->kind;
}

/* Adds a number of a kind that dlb_py_number_kind() returns. Returns 1, 0 if the item is not a number, or -1 with an exception. */
static int add_number(dlb_py_numbers *numbers, PyObject *item, int kind)
{
    if (kind <= DLB_PY_NO_NUMBER) {
        return kind;
    }
    add_kind(numbers, kind);
    if (kind <= DLB_PY_INTEGER) {
        return add_index(numbers, item) == 0 ? 1 : -1;
    }
    if (PyFloat_Check(item)) {
        add_real(numbers, PyFloat_AS_DOUBLE(item));
    } else if (PyComplex_Check(item)) {
        add_real(numbers, PyComplex_RealAsDouble(item));
        add_real(numbers, PyComplex_ImagAsDouble(item));
    }
    return 1;
}

/* Adds a number of Python, unless that might run foreign code. Returns whether it did. */
static inline bool add_builtin(dlb_py_numbers *numbers, PyObject *item)
{
    int64_t integer;
    int overflow = 0;

    if (PyFloat_Check(item)) {
        add_kind(numbers, DLB_PY_REAL);
        add_real(numbers, PyFloat_AS_DOUBLE(item));
    } else if (dlb_py_small_int(item, &integer)) {
        add_kind(numbers, DLB_PY_INTEGER);
        add_integer(numbers, integer);
    } else if (PyLong_CheckExact(item) || PyBool_Check(item)) {
        integer = PyLong_AsLongLongAndOverflow(item, &overflow);
        if (overflow == 0) {
            add_kind(numbers, PyBool_Check(item) ? DLB_PY_BOOL : DLB_PY_INTEGER);
            add_integer(numbers, integer);
        }
    } else if (PyComplex_CheckExact(item)) {
        add_kind(numbers, DLB_PY_COMPLEX);
        add_real(numbers, PyComplex_RealAsDouble(item));
        add_real(numbers, PyComplex_ImagAsDouble(item));
    } else {
        return false;
    }
    return overflow == 0;
}

/* Adds the first items for which that runs no foreign code. Returns their number. */
static Py_ssize_t add_fast(dlb_py_numbers *numbers, PyObject *const *items, Py_ssize_t count)
{
    Py_ssize_t i = 0;

    while (i < count && add_builtin(numbers, items[i])) {
        i++;
    }
    return i;
}

int dlb_py_describe_number(PyObject *value, int kind, dlb_py_numbers *numbers)
{
    int is_number;

    *numbers = (dlb_py_numbers){DLB_PY_NO_NUMBER, 0, 0, 0};
    is_number = add_number(numbers, value, kind);
    return is_number < 0 ? -1 : is_number > 0 ? DLB_PY_ONE_NUMBER : DLB_PY_NOT_ONE_NUMBER;
}

static bool is_empty_builtin(PyObject *value)
{
    return PyList_CheckExact(value) ? PyList_Size(value) == 0 : PyTuple_CheckExact(value) && PyTuple_GET_SIZE(value) == 0;
}

/* Adds the items of a tuple, from the index on. Returns 1, 0 if one is not a number, or -1 with an exception. */
static int add_items(dlb_py_numbers *numbers, PyObject *tuple, Py_ssize_t index)
{
    int is_number = 1;

    for (; is_number > 0 && index < PyTuple_GET_SIZE(tuple); index++) {
        PyObject *const item = PyTuple_GET_ITEM(tuple, index);

        is_number = dlb_py_is_ours(item) ? 0 : add_number(numbers, item, dlb_py_number_kind(item));
    }
    return is_number;
}

int dlb_py_describe_sequence(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value, dlb_py_numbers *numbers,
                             PyObject **items)
{
    Py_ssize_t count;
    PyObject *const *const fast = dlb_py_items_of(value, &count);
    Py_ssize_t added;
    int result = dlb_py_is_sequence(value);

    *numbers = (dlb_py_numbers){DLB_PY_NO_NUMBER, 0, 0, 0};
    *items = NULL;
    if (result <= 0) {
        return result < 0 ? -1 : DLB_PY_OTHER_VALUE;
    }
    added = fast != NULL ? add_fast(numbers, fast, count) : 0;
    if ((fast != NULL && added == count) || is_empty_builtin(value)) {
        return DLB_PY_SEQUENCE;
    }
    *items = dlb_py_items(function, operand, value);
    if (*items == NULL) {
        return dlb_py_may_try_another() ? DLB_PY_UNREADABLE : -1;
    }
    result = add_items(numbers, *items, added);
    return result < 0 ? -1 : result > 0 ? DLB_PY_SEQUENCE : DLB_PY_OTHER_VALUE;
}
