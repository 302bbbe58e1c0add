/* SPDX-License-Identifier: MIT-0 */
/* The loops that are in C: what a library that knows the exchange table would do. Each returns nanoseconds. */
#include <Python.h>

#include <string.h>
#include <time.h>

#include <dlpack/dlpack.h>

typedef int maker(void *argument, DLManagedTensorVersioned **out, void *error);

static double now(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static const DLPackExchangeAPI *table_of(PyObject *object)
{
    PyObject *const capsule = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__dlpack_c_exchange_api__");
    const DLPackExchangeAPI *const api = capsule != NULL ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;

    Py_XDECREF(capsule);
    return api;
}

/* table_export(x, n): a managed tensor out of the table, and its deleter. */
static PyObject *table_export(PyObject *module, PyObject *args)
{
    const DLPackExchangeAPI *api;
    PyObject *object;
    Py_ssize_t count;
    double begin;

    (void)module;
    if (!PyArg_ParseTuple(args, "On", &object, &count) || (api = table_of(object)) == NULL) {
        return NULL;
    }
    begin = now();
    for (Py_ssize_t i = 0; i < count; i++) {
        DLManagedTensorVersioned *tensor;

        if (api->managed_tensor_from_py_object_no_sync(object, &tensor) != 0) {
            return NULL;
        }
        tensor->deleter(tensor);
    }
    return PyFloat_FromDouble(now() - begin);
}

/* table_view(x, n): the borrowed view. */
static PyObject *table_view(PyObject *module, PyObject *args)
{
    const DLPackExchangeAPI *api;
    PyObject *object;
    Py_ssize_t count;
    double begin;

    (void)module;
    if (!PyArg_ParseTuple(args, "On", &object, &count) || (api = table_of(object)) == NULL) {
        return NULL;
    }
    if (api->dltensor_from_py_object_no_sync == NULL) {
        PyErr_SetString(PyExc_TypeError, "this table has no borrowed view");
        return NULL;
    }
    begin = now();
    for (Py_ssize_t i = 0; i < count; i++) {
        DLTensor tensor;

        if (api->dltensor_from_py_object_no_sync(object, &tensor) != 0) {
            return NULL;
        }
        __asm__ volatile("" : : "r"(&tensor) : "memory");
    }
    return PyFloat_FromDouble(now() - begin);
}

static int copy_view(const DLTensor *from, DLTensor *out)
{
    memcpy(out, from, sizeof *out);
    return 0;
}

/* view_copy(n): a DLTensor copied by a function that is called through a pointer, as those of a table are. */
static PyObject *view_copy(PyObject *module, PyObject *args)
{
    int (*volatile chosen)(const DLTensor *from, DLTensor *out) = copy_view;
    int (*const function)(const DLTensor *from, DLTensor *out) = chosen;
    DLTensor from;
    Py_ssize_t count;
    double begin;

    (void)module;
    memset(&from, 0, sizeof from);
    if (!PyArg_ParseTuple(args, "n", &count)) {
        return NULL;
    }
    begin = now();
    for (Py_ssize_t i = 0; i < count; i++) {
        DLTensor tensor;

        if (function(&from, &tensor) != 0) {
            return NULL;
        }
        __asm__ volatile("" : : "r"(&tensor) : "memory");
    }
    return PyFloat_FromDouble(now() - begin);
}

/* make_delete(function, argument, n): without Python; both are addresses. */
static PyObject *make_delete(PyObject *module, PyObject *args)
{
    unsigned long long function;
    unsigned long long argument;
    Py_ssize_t count;
    maker *make;
    double begin;

    (void)module;
    if (!PyArg_ParseTuple(args, "KKn", &function, &argument, &count)) {
        return NULL;
    }
    make = (maker *)(uintptr_t)function;
    begin = now();
    for (Py_ssize_t i = 0; i < count; i++) {
        DLManagedTensorVersioned *tensor;

        if (make((void *)(uintptr_t)argument, &tensor, NULL) != 0) {
            PyErr_SetString(PyExc_RuntimeError, "no export");
            return NULL;
        }
        tensor->deleter(tensor);
    }
    return PyFloat_FromDouble(now() - begin);
}

static PyMethodDef functions[] = {
    {"table_export", table_export, METH_VARARGS, NULL}, {"table_view", table_view, METH_VARARGS, NULL},
    {"view_copy", view_copy, METH_VARARGS, NULL},       {"make_delete", make_delete, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "driver", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit_driver(void);
PyMODINIT_FUNC PyInit_driver(void)
{
    return PyModule_Create(&definition);
}
