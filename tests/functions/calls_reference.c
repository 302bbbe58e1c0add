/* SPDX-License-Identifier: MIT */
/* Functions with the signatures of some in calls_values.yaml, as CPython itself sorts and refuses arguments. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *parsed(PyObject *args, PyObject *kwargs, const char *format, const char *first, const char *second)
{
    const char *const names[] = {first, second, NULL};
    int a = 1;
    int b = 2;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, (char **)names, &a, &b)) {
        return NULL;
    }
    return PyLong_FromLong(second != NULL ? a * 10L + b : a);
}

#define DEFINE(name, format, first, second)                                                                            \
    static PyObject *name(PyObject *module, PyObject *args, PyObject *kwargs)                                          \
    {                                                                                                                  \
        (void)module;                                                                                                  \
        return parsed(args, kwargs, format ":" #name, first, second);                                                  \
    }
DEFINE(one, "i", "value", NULL)
DEFINE(two, "ii", "a", "b")
DEFINE(options, "|ii", "a", "b")
DEFINE(ahead, "ii", "", "")
DEFINE(half, "i|$i", "a", "b")

#define METHOD(name) {#name, (PyCFunction)(void (*)(void))name, METH_VARARGS | METH_KEYWORDS, NULL}
static PyMethodDef methods[] = {
    METHOD(one), METHOD(two), METHOD(options), METHOD(ahead), METHOD(half), {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "reference", .m_methods = methods};

PyMODINIT_FUNC PyInit_reference(void)
{
    return PyModule_Create(&definition);
}
