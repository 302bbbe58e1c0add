/* SPDX-License-Identifier: MIT */
/* Starts Python again after it has ended, as programs do that embed it: from exit() on, in the same process. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *script;
static int rounds;

/* Runs the script in a Python of its own, as often as wanted. A failure ends the process with status 3. */
static void run_again(void)
{
    for (int i = 0; i < rounds; i++) {
        Py_InitializeEx(0);
        if (PyRun_SimpleString(script) != 0 || Py_FinalizeEx() != 0) {
            _exit(3);
        }
    }
    free(script);
}

/* again(script, rounds) */
static PyObject *restarts_again(PyObject *module, PyObject *args)
{
    const char *text;

    (void)module;
    if (!PyArg_ParseTuple(args, "si:again", &text, &rounds)) {
        return NULL;
    }
    script = strdup(text);
    if (script == NULL || atexit(run_again) != 0) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

static PyMethodDef restarts_methods[] = {{"again", restarts_again, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyModuleDef restarts_module = {PyModuleDef_HEAD_INIT, .m_name = "restarts", .m_methods = restarts_methods};

PyMODINIT_FUNC PyInit_restarts(void);
PyMODINIT_FUNC PyInit_restarts(void)
{
    return PyModuleDef_Init(&restarts_module);
}
