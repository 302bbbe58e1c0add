/* SPDX-License-Identifier: MIT-0 */
/* What an exchange costs if its producer or consumer does nothing: the call, the capsule, what the others do. The tensor is always
 * the same one, and nothing of it is described, checked or kept; only what C shares is allocated and counted, as it must be. */
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>

#include <dlpack/dlpack.h>

#include "dlb_platform.h"
#include "subject.h"

/* ---- The tensor ---- */

static _Alignas(64) uint8_t pixels[64];
static int64_t shape[3] = {4, 4, 4};
static int64_t strides[3] = {16, 4, 1};

#define TENSOR {pixels, {kDLCPU, 0}, 3, {kDLUInt, 8, 1}, shape, strides, 0}

static void keep_versioned(DLManagedTensorVersioned *tensor)
{
    (void)tensor;
}

static void keep_legacy(DLManagedTensor *tensor)
{
    (void)tensor;
}

static DLManagedTensorVersioned versioned = {{1, 3}, NULL, keep_versioned, 0, TENSOR};
static DLManagedTensor legacy = {TENSOR, NULL, keep_legacy};

/* ---- In C ---- */

static void end_first(DLManagedTensorVersioned *tensor)
{
    picture_t *const picture = tensor->manager_ctx;

    free(tensor);
    picture_unref(picture);
}

/* A block with room for axes, and a reference of the library's. */
static int first(void *picture, DLManagedTensorVersioned **out, void *error)
{
    DLManagedTensorVersioned *const tensor = malloc(sizeof *tensor + sizeof shape + sizeof strides);

    (void)error;
    if (tensor == NULL) {
        return -1;
    }
    picture_ref(picture);
    tensor->manager_ctx = picture;
    tensor->deleter = end_first;
    *out = tensor;
    return 0;
}

static DLManagedTensorVersioned shared;

static void end_again(DLManagedTensorVersioned *tensor)
{
    (void)dlb_count_subtract(tensor->manager_ctx, 1);
}

/* A share, which any thread may give back: counted as owners are. */
static int again(void *count, DLManagedTensorVersioned **out, void *error)
{
    (void)error;
    (void)dlb_count_enter(count, 1);
    shared.manager_ctx = count;
    shared.deleter = end_again;
    *out = &shared;
    return 0;
}

/* The functions, as (function, argument) of the driver's make_delete(). */
static PyObject *pure(PyObject *module, PyObject *unused)
{
    static picture_t *picture;
    static dlb_count count = 1;

    (void)module;
    (void)unused;
    if (picture == NULL && (picture = picture_new(4, 4, 4)) == NULL) {
        return PyErr_NoMemory();
    }
    return Py_BuildValue("{s(KK)s(KK)}", "first export", (unsigned long long)(uintptr_t)first,
                         (unsigned long long)(uintptr_t)picture, "export again",
                         (unsigned long long)(uintptr_t)again, (unsigned long long)(uintptr_t)&count);
}

/* ---- As a producer ---- */

static PyObject *dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    (void)self;
    (void)args;
    (void)nargs;
    return kwnames != NULL ? PyCapsule_New(&versioned, "dltensor_versioned", NULL)
                           : PyCapsule_New(&legacy, "dltensor", NULL);
}

static PyObject *dlpack_device(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", (int)kDLCPU, 0);
}

/* ---- As a consumer, of the objects of one type ---- */

static PyTypeObject floor_type;
static const DLPackExchangeAPI *api;

/* attach(x): from now on the table of its type is used. */
static PyObject *attach(PyObject *module, PyObject *x)
{
    PyObject *const capsule = PyObject_GetAttrString((PyObject *)Py_TYPE(x), "__dlpack_c_exchange_api__");

    (void)module;
    api = capsule != NULL ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
    Py_XDECREF(capsule);
    if (api == NULL) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *from_dlpack(PyObject *cls, PyObject *x)
{
    DLManagedTensorVersioned *tensor;

    (void)cls;
    if (api->managed_tensor_from_py_object_no_sync(x, &tensor) != 0) {
        return NULL;
    }
    tensor->deleter(tensor);
    return (PyObject *)PyObject_New(PyObject, &floor_type);
}

static PyObject *lent(PyObject *const *args, Py_ssize_t nargs)
{
    DLTensor tensor;

    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (api->dltensor_from_py_object_no_sync(args[i], &tensor) != 0) {
            return NULL;
        }
    }
    return PyLong_FromLong(3);
}

static PyObject *f(PyObject *module, PyObject *x)
{
    (void)module;
    return lent(&x, 1);
}

static PyObject *f3(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    (void)module;
    return lent(args, nargs);
}

/* ---- The module ---- */

#define FASTCALL(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef methods[] = {
    {"__dlpack__", FASTCALL(dlpack), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, NULL},
    {"from_dlpack", from_dlpack, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject floor_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor.Floor",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_methods = methods,
};

static PyMethodDef functions[] = {
    {"attach", attach, METH_O, NULL},
    {"f", f, METH_O, NULL},
    {"f3", FASTCALL(f3), METH_FASTCALL, NULL},
    {"pure", pure, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "floor", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit_floor(void);
PyMODINIT_FUNC PyInit_floor(void)
{
    PyObject *const module = PyType_Ready(&floor_type) == 0 ? PyModule_Create(&definition) : NULL;

    if (module != NULL && PyModule_AddObjectRef(module, "Floor", (PyObject *)&floor_type) != 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
