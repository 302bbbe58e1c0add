/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <stdlib.h>

/* ---- Exports ---- */

static void early_delete(DLManagedTensor *tensor)
{
    Py_DECREF((PyObject *)tensor->manager_ctx);
    free(tensor);
}

/* The pairs of the 0.x header: a bool is an unsigned of one bit, a complex number has two lanes. */
static void early_dtype(DLDataType *dtype)
{
    if (dtype->code == kDLBool) {
        *dtype = (DLDataType){kDLUInt, 1, 1};
    } else if (dtype->code == kDLComplex) {
        *dtype = (DLDataType){kDLComplex, dtype->bits / 2, 2};
    }
}

static PyObject *early_dlpack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"stream", NULL};
    PyObject *stream;
    DLManagedTensor *tensor;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", keywords, &stream)) {
        return NULL;
    }
    tensor = malloc(sizeof *tensor);
    if (naive_describe(((naive *)self)->probe, &tensor->dl_tensor) != 0) {
        free(tensor);
        return NULL;
    }
    early_dtype(&tensor->dl_tensor.dtype);
    tensor->dl_tensor.strides = NULL; /* compact */
    Py_INCREF(self);
    tensor->manager_ctx = self;
    tensor->deleter = early_delete;
    return PyCapsule_New(tensor, "dltensor", NULL);
}

/* ---- Imports ---- */

static PyObject *early_from_dlpack(PyObject *cls, PyObject *x)
{
    PyObject *capsule = x;
    const DLManagedTensor *managed;
    const DLTensor *tensor;
    probe_t *probe;

    if (PyCapsule_CheckExact(x)) {
        Py_INCREF(capsule);
    } else if ((capsule = PyObject_CallMethod(x, "__dlpack__", NULL)) == NULL) {
        return NULL;
    }
    managed = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    PyCapsule_SetName(capsule, "used_dltensor");
    Py_DECREF(capsule);
    tensor = &managed->dl_tensor;
    probe = probe_adopt(tensor->data, tensor->ndim, tensor->shape, tensor->strides, naive_code(tensor->dtype));
    return (PyObject *)naive_make((PyTypeObject *)cls, probe, NULL);
}

static PyMethodDef early_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))early_dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", naive_dlpack_device, METH_NOARGS, NULL},
    {"from_dlpack", early_from_dlpack, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject naive_early_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "naive.Early",
    .tp_basicsize = sizeof(naive),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = naive_dealloc,
    .tp_methods = early_methods,
};
