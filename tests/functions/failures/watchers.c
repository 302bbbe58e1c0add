/* SPDX-License-Identifier: MIT */
/* Watcher(): when it ends, it counts in `ends`, and in `disturbed` if an exception was pending then. (A class of Python would not see
 * that: CPython sets the exception aside for __del__().) */
#include <Python.h>

static long ends, disturbed;

static void dealloc(PyObject *object)
{
    ends++;
    disturbed += PyErr_Occurred() != NULL;
    Py_TYPE(object)->tp_free(object);
}

static PyTypeObject watcher_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "watchers.Watcher",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = PyType_GenericNew,
    .tp_dealloc = dealloc,
};

/* counts() -> (ends, disturbed), which begin again */
static PyObject *counts(PyObject *module, PyObject *unused)
{
    PyObject *const result = Py_BuildValue("(ll)", ends, disturbed);

    (void)module;
    (void)unused;
    ends = disturbed = 0;
    return result;
}

static PyMethodDef methods[] = {{"counts", counts, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "watchers", .m_size = -1, .m_methods = methods};

PyMODINIT_FUNC PyInit_watchers(void);
PyMODINIT_FUNC PyInit_watchers(void)
{
    PyObject *const module = PyModule_Create(&definition);

    if (module != NULL && PyType_Ready(&watcher_type) == 0 &&
        PyModule_AddObject(module, "Watcher", Py_NewRef((PyObject *)&watcher_type)) == 0) {
        return module;
    }
    Py_XDECREF(module);
    return NULL;
}
