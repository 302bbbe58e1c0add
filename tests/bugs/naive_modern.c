/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <stdlib.h>
#include <string.h>

/* ---- Exports ---- */

typedef struct modern_context {
    PyObject *self;
    void *copy;
    int64_t strides[PROBE_AXES];
} modern_context;

static void modern_delete(DLManagedTensorVersioned *tensor)
{
    modern_context *const context = tensor->manager_ctx;
    const PyGILState_STATE gil = PyGILState_Ensure();

    Py_DECREF(context->self);
    PyGILState_Release(gil);
    free(context->copy);
    free(context);
    free(tensor);
}

void modern_end_capsule(PyObject *capsule)
{
    DLManagedTensorVersioned *const tensor = PyCapsule_GetPointer(capsule, "dltensor_versioned");

    if (tensor == NULL) {
        PyErr_Clear(); /* it was consumed */
        return;
    }
    tensor->deleter(tensor);
}

static size_t bytes_of(const DLTensor *tensor)
{
    size_t nbytes = tensor->dtype.bits / 8;

    for (int i = 0; i < tensor->ndim; i++) {
        nbytes *= (size_t)tensor->shape[i];
    }
    return nbytes;
}

DLManagedTensorVersioned *modern_export(PyObject *self, int copy)
{
    const probe_t *const probe = ((naive *)self)->probe;
    DLManagedTensorVersioned *const tensor = calloc(1, sizeof *tensor);
    modern_context *const context = calloc(1, sizeof *context);

    Py_INCREF(self);
    context->self = self;
    if (naive_describe(probe, &tensor->dl_tensor) != 0) {
        return NULL;
    }
    memcpy(context->strides, probe->strides, sizeof context->strides);
    if (probe->row_bytes != 0) {
        context->strides[0] = probe->row_bytes / (tensor->dl_tensor.dtype.bits / 8);
    }
    if (copy) {
        context->copy = malloc(bytes_of(&tensor->dl_tensor));
        memcpy(context->copy, probe->data, bytes_of(&tensor->dl_tensor));
        tensor->dl_tensor.data = context->copy;
    } else if (probe->readonly) {
        tensor->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    }
    tensor->dl_tensor.strides = context->strides;
    tensor->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    tensor->manager_ctx = context;
    tensor->deleter = modern_delete;
    return tensor;
}

static PyObject *modern_dlpack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *ignored;
    PyObject *copy = Py_None;
    DLManagedTensorVersioned *tensor;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO", keywords, &ignored, &ignored, &ignored, &copy)) {
        return NULL;
    }
    tensor = modern_export(self, copy == Py_True);
    return tensor != NULL ? PyCapsule_New(tensor, "dltensor_versioned", modern_end_capsule) : NULL;
}

/* ---- Imports ---- */

static const char *problem_of(const DLTensor *tensor)
{
    int64_t stride = 1;

    if (tensor->data == NULL) {
        return "no data";
    }
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        if (tensor->strides[i] != stride) {
            return "not contiguous";
        }
        stride *= tensor->shape[i];
    }
    return NULL;
}

PyObject *modern_import(DLManagedTensorVersioned *managed)
{
    const DLTensor *const tensor = &managed->dl_tensor;
    const char *const problem = problem_of(tensor);
    const int code = problem == NULL ? naive_code(tensor->dtype) : -1;
    naive *made;

    if (problem != NULL) {
        PyErr_SetString(PyExc_BufferError, problem);
    }
    if (code < 0) {
        managed->deleter(managed);
        return NULL;
    }
    made = naive_make(&naive_modern_type, NULL, NULL);
    made->probe = probe_adopt((char *)tensor->data + tensor->byte_offset, tensor->ndim, tensor->shape,
                              tensor->strides, code);
    made->versioned = managed;
    return (PyObject *)made;
}

static PyObject *modern_from_dlpack(PyObject *cls, PyObject *x)
{
    const DLPackExchangeAPI *const table = modern_table_of(Py_TYPE(x));
    DLManagedTensorVersioned *tensor;
    PyObject *capsule = x;

    (void)cls;
    if (table != NULL) {
        return table->managed_tensor_from_py_object_no_sync(x, &tensor) == 0 ? modern_import(tensor) : NULL;
    }
    if (PyCapsule_CheckExact(x)) {
        Py_INCREF(capsule);
    } else if ((capsule = naive_ask(x)) == NULL) {
        return NULL;
    }
    tensor = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (tensor != NULL) {
        PyCapsule_SetName(capsule, "used_dltensor_versioned");
    }
    Py_DECREF(capsule);
    return tensor != NULL ? modern_import(tensor) : NULL;
}

static PyMethodDef modern_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))modern_dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", naive_dlpack_device, METH_NOARGS, NULL},
    {"from_dlpack", modern_from_dlpack, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject naive_modern_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "naive.Modern",
    .tp_basicsize = sizeof(naive),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = naive_dealloc,
    .tp_methods = modern_methods,
};
