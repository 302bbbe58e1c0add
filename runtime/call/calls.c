/* SPDX-License-Identifier: MIT-0 */
/* Adapters: functions of a spec as setters of attributes, constructors and special methods. */

#include "call.h"

#include <math.h>
#include <string.h>

/* ---- Attributes ---- */

/* Rewrites the message of the pending exception, which names the setter of the attribute as a function: "gain() argument 'value' must
 * be ..." becomes "attribute 'gain' must be ...", and "gain(): ..." becomes "Filter.gain: ...". Returns -1. */
static int explain_assignment(PyObject *self, const char *name)
{
    char before[DLB_PY_MESSAGE_SIZE];
    char instead[DLB_PY_MESSAGE_SIZE];

    dlb_write(before, sizeof before, "%s() argument '", name);
    dlb_write(instead, sizeof instead, "attribute '%s'", name);
    if (!dlb_py_replace_beginning(before, '\'', instead)) {
        dlb_write(before, sizeof before, "%s(): ", name);
        dlb_write(instead, sizeof instead, "%s.%s: ", strrchr(dlb_py_data(self)->type->name, '.') + 1, name);
        (void)dlb_py_replace_beginning(before, '\0', instead);
    }
    return -1;
}

int dlb_py_assign(PyObject *self, const char *name, PyObject *value, dlb_py_fastcall *function)
{
    PyObject *answer;

    if (value == NULL) {
        (void)dlb_py_raise_message(PyExc_AttributeError, "attribute '%s' cannot be deleted", name);
        return -1;
    }
    answer = function(self, &value, 1, NULL);
    if (answer == NULL) {
        return explain_assignment(self, name);
    }
    Py_DECREF(answer);
    return 0;
}

/* ---- Members that properties set ---- */

PyObject *dlb_py_stored(const dlb_py_function *function, PyObject *value, int fits)
{
    if (!fits) {
        PyErr_Format(PyExc_OverflowError, "attribute '%s' cannot hold %.60R", function->name, value);
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Reads the int `value` into `*place`. Returns 0, or -1 with an OverflowError if neither int64_t nor uint64_t can hold it: then no
 * member of a struct can. */
static int read_int(const dlb_py_function *function, const char *name, PyObject *value, dlb_integer *place)
{
    int overflow;
    uint64_t large;

    *place = dlb_signed(name, PyLong_AsLongLongAndOverflow(value, &overflow));
    if (overflow == 0) {
        return 0;
    }
    large = overflow > 0 ? PyLong_AsUnsignedLongLong(value) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        (void)dlb_py_stored(function, value, 0);
        return -1;
    }
    *place = dlb_unsigned(name, large);
    return 0;
}

int dlb_py_read_integer(const dlb_py_function *function, int index, PyObject *const *arguments, dlb_integer *place)
{
    const dlb_param *const param = &function->params[index];
    PyObject *number;
    int result;

    number = dlb_py_as_integer(arguments[index]);
    if (number == NULL) {
        return dlb_py_refuse_integer(function, param, arguments[index], "int");
    }
    result = read_int(function, param->name, number, place);
    Py_DECREF(number);
    return result;
}

int dlb_py_holds_real(double number, size_t size)
{
    return size != sizeof(float) || isinf(number) || !isinf((float)number);
}

/* ---- Classes ---- */

/* Returns the keys of `kwargs` as a new tuple, or NULL with an exception. Stores the values in `values` as borrowed references. The keys
 * are checked, since CPython makes sure that they are strings for functions, but not for classes. */
static PyObject *pack_keywords(PyObject *kwargs, PyObject **values)
{
    PyObject *const names = PyTuple_New(PyDict_Size(kwargs));
    Py_ssize_t position = 0;
    PyObject *name;
    PyObject *value;

    for (Py_ssize_t i = 0; names != NULL && PyDict_Next(kwargs, &position, &name, &value); i++) {
        if (!PyUnicode_Check(name)) {
            PyErr_SetString(PyExc_TypeError, "keywords must be strings");
            Py_DECREF(names);
            return NULL;
        }
        Py_INCREF(name);
        PyTuple_SET_ITEM(names, i, name);
        values[i] = value;
    }
    return names;
}

PyObject *dlb_py_call_object(dlb_py_fastcall *function, PyObject *self, PyObject *args, PyObject *kwargs)
{
    const Py_ssize_t nargs = PyTuple_GET_SIZE(args);
    const Py_ssize_t count = nargs + (kwargs != NULL ? PyDict_Size(kwargs) : 0);
    PyObject **const values = PyMem_Malloc((size_t)(count + 1) * sizeof *values);
    PyObject *kwnames = NULL;
    PyObject *answer = NULL;

    if (values == NULL) {
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        values[i] = PyTuple_GET_ITEM(args, i);
    }
    if (count > nargs) {
        kwnames = pack_keywords(kwargs, values + nargs);
    }
    if (count == nargs || kwnames != NULL) {
        answer = function(self, values, nargs, kwnames);
    }
    Py_XDECREF(kwnames);
    PyMem_Free(values);
    return answer;
}

PyObject *dlb_py_construct(dlb_py_fastcall *function, PyTypeObject *cls, PyObject *args, PyObject *kwargs)
{
    return dlb_py_call_object(function, (PyObject *)cls, args, kwargs);
}

/* ---- Special methods ---- */

PyObject *dlb_py_item_at(dlb_py_fastcall *function, PyObject *self, Py_ssize_t index)
{
    PyObject *const key = PyLong_FromSsize_t(index);
    PyObject *const answer = key != NULL ? function(self, &key, 1, NULL) : NULL;

    Py_XDECREF(key);
    return answer;
}

Py_ssize_t dlb_py_as_length(PyObject *answer)
{
    const Py_ssize_t length = answer != NULL ? PyLong_AsSsize_t(answer) : -1;

    dlb_py_discard(answer);
    if (length < 0 && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "__len__() should return >= 0");
    }
    return length < 0 ? -1 : length;
}

int dlb_py_as_bool(PyObject *answer)
{
    const int truth = answer != NULL ? PyObject_IsTrue(answer) : -1;

    dlb_py_discard(answer);
    return truth;
}

int dlb_py_as_nothing(PyObject *answer)
{
    Py_XDECREF(answer);
    return answer != NULL ? 0 : -1;
}

int dlb_py_unsupported(PyObject *self, const char *what)
{
    PyObject *keeper;
    const char *const name = dlb_py_type_as_str(self, &keeper);

    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "'%s' object does not support item %s", name, what);
    }
    Py_XDECREF(keeper);
    return -1;
}
