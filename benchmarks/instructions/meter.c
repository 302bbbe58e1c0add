/* SPDX-License-Identifier: MIT-0 */
/* Says to callgrind where a row begins and ends. */
#include <Python.h>

#include <valgrind/callgrind.h>

static PyObject *zero(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    CALLGRIND_ZERO_STATS;
    Py_RETURN_NONE;
}

/* dump(label): the counts since zero(), to a file that names the label. */
static PyObject *dump(PyObject *module, PyObject *label)
{
    const char *const text = PyUnicode_AsUTF8(label);

    (void)module;
    if (text == NULL) {
        return NULL;
    }
    CALLGRIND_DUMP_STATS_AT(text);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"zero", zero, METH_NOARGS, NULL},
    {"dump", dump, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "meter", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit_meter(void);
PyMODINIT_FUNC PyInit_meter(void)
{
    return PyModule_Create(&definition);
}
