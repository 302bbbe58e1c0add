/* SPDX-License-Identifier: MIT-0 */
/* Conversion of Python and NumPy objects that stand for an integer or a boolean. */
#include "dlb_py_internal.h"

/* Returns whether the type of `value` is numpy.bool, which was numpy.bool_ before NumPy 2. */
static bool is_of_numpy(PyObject *value)
{
    PyObject *keeper;
    PyObject *module;
    const char *const name = dlb_py_type_as_str(value, &keeper); /* has the module, except in the limited API */
    const char *const dot = name != NULL ? strrchr(name, '.') : NULL;
    const char *const last = dot != NULL ? dot + 1 : name;
    bool is = last != NULL && (strcmp(last, "bool") == 0 || strcmp(last, "bool_") == 0);

    Py_XDECREF(keeper);
    if (is) {
        module = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__module__");
        is = module != NULL && PyUnicode_Check(module) && PyUnicode_CompareWithASCIIString(module, "numpy") == 0;
        Py_XDECREF(module);
    }
    PyErr_Clear();
    return is;
}

bool dlb_py_is_bool(PyObject *value)
{
    return PyBool_Check(value) || is_of_numpy(value);
}

PyObject *dlb_py_as_integer(PyObject *value)
{
    int truth;

    if (!PyLong_Check(value) && is_of_numpy(value)) { /* its __index__() warns, or is missing */
        truth = PyObject_IsTrue(value);
        return truth >= 0 ? PyBool_FromLong(truth) : NULL;
    }
    return PyIndex_Check(value) ? PyNumber_Index(value) : NULL;
}

int dlb_py_refuse_integer(const dlb_py_function *function, const dlb_param *param, PyObject *value, const char *expected)
{
    return !PyErr_Occurred() || dlb_py_switches_off(value, "__index__") ? dlb_py_refuse_type(function, param, value, expected)
                                                                     : dlb_py_name_argument(function->name, param->name);
}
