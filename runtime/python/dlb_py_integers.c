/* SPDX-License-Identifier: MIT-0 */
/* Objects that stand for an integer or a boolean: those of Python, and those of NumPy. */
#include "dlb_py_internal.h"

static bool attribute_is_text(PyObject *object, const char *name, const char *first, const char *second)
{
    PyObject *const value = PyObject_GetAttrString(object, name);
    const bool is = value != NULL && PyUnicode_Check(value) &&
                    (PyUnicode_CompareWithASCIIString(value, first) == 0 || PyUnicode_CompareWithASCIIString(value, second) == 0);

    PyErr_Clear();
    dlb_py_discard(value);
    return is;
}

bool dlb_py_is_bool(PyObject *value)
{
    PyObject *const type = (PyObject *)Py_TYPE(value);

    return PyBool_Check(value) || (attribute_is_text(type, "__name__", "bool", "bool_") &&
                                   attribute_is_text(type, "__module__", "numpy", "numpy"));
}

PyObject *dlb_py_as_integer(PyObject *value)
{
    dlb_py_exception pending = {NULL, NULL, NULL};
    PyObject *index = NULL;
    int truth;

    if (PyIndex_Check(value)) {
        index = PyNumber_Index(value);
        if (index != NULL || !PyErr_ExceptionMatches(PyExc_TypeError)) {
            return index;
        }
        pending = dlb_py_fetch();
    }
    if (!dlb_py_is_bool(value)) {
        dlb_py_restore(&pending);
        return NULL;
    }
    dlb_py_forget_exception(&pending);
    truth = PyObject_IsTrue(value);
    return truth >= 0 ? PyBool_FromLong(truth) : NULL;
}

int dlb_py_refuse_integer(const dlb_py_function *function, const dlb_param *param, PyObject *value, const char *expected)
{
    return !PyErr_Occurred() || dlb_py_switches_off(value, "__index__") ? dlb_py_refuse_type(function, param, value, expected)
                                                                     : dlb_py_name_argument(function->name, param->name);
}
