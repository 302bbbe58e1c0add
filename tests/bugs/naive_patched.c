/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int is_versioned(PyObject *capsule)
{
    return strstr(PyCapsule_GetName(capsule), "versioned") != NULL;
}

static void *pointer_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
}

/* ---- Exports ---- */

static void patched_delete(DLManagedTensor *tensor)
{
    const PyGILState_STATE gil = PyGILState_Ensure();

    Py_DECREF((PyObject *)tensor->manager_ctx);
    PyGILState_Release(gil);
    free(tensor);
}

static void patched_delete_versioned(DLManagedTensorVersioned *tensor)
{
    const PyGILState_STATE gil = PyGILState_Ensure();

    Py_DECREF((PyObject *)tensor->manager_ctx);
    PyGILState_Release(gil);
    free(tensor);
}

static void patched_end_capsule(PyObject *capsule)
{
    if (is_versioned(capsule)) {
        patched_delete_versioned(pointer_of(capsule));
    } else {
        patched_delete(pointer_of(capsule));
    }
}

static PyObject *export_legacy(naive *self)
{
    DLManagedTensor *const tensor = malloc(sizeof *tensor);

    if (naive_describe(self->probe, &tensor->dl_tensor) != 0) {
        free(tensor);
        return NULL;
    }
    Py_INCREF(self);
    tensor->manager_ctx = self;
    tensor->deleter = patched_delete;
    return PyCapsule_New(tensor, "dltensor", patched_end_capsule);
}

static PyObject *export_versioned(naive *self)
{
    DLManagedTensorVersioned *const tensor = malloc(sizeof *tensor);

    if (naive_describe(self->probe, &tensor->dl_tensor) != 0) {
        free(tensor);
        return NULL;
    }
    Py_INCREF(self);
    tensor->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    tensor->flags = self->probe->readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    tensor->manager_ctx = self;
    tensor->deleter = patched_delete_versioned;
    return PyCapsule_New(tensor, "dltensor_versioned", patched_end_capsule);
}

/* Accepts all keywords that consumers send, and looks at one. */
static PyObject *patched_dlpack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *const wanted = kwargs != NULL ? PyDict_GetItemString(kwargs, "max_version") : NULL;
    PyObject *const ours = Py_BuildValue("(ii)", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION);
    const int newer = wanted != NULL && wanted != Py_None && PyObject_RichCompareBool(wanted, ours, Py_GE) == 1;

    (void)args;
    Py_DECREF(ours);
    return newer ? export_versioned((naive *)self) : export_legacy((naive *)self);
}

/* ---- Imports ---- */

static PyObject *ask(PyObject *x)
{
    PyObject *capsule;

    if (PyCapsule_CheckExact(x)) {
        Py_INCREF(x);
        return x;
    }
    capsule = naive_ask(x);
    if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) { /* an older producer */
        PyErr_Clear();
        capsule = PyObject_CallMethod(x, "__dlpack__", NULL);
    }
    return capsule;
}

static probe_t *adopt(const DLTensor *tensor)
{
    const int code = naive_code(tensor->dtype);

    if (code < 0) {
        return NULL;
    }
    for (int i = 0; i < tensor->ndim; i++) {
        assert(tensor->strides[i] >= 0);
    }
    return probe_adopt((char *)tensor->data + tensor->byte_offset, tensor->ndim, tensor->shape, tensor->strides, code);
}

static int is_empty(const DLTensor *tensor)
{
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] == 0) {
            return 1;
        }
    }
    return 0;
}

static PyObject *patched_from_dlpack(PyObject *cls, PyObject *x)
{
    PyObject *const capsule = ask(x);
    const DLTensor *tensor;
    naive *made;

    if (capsule == NULL) {
        return NULL;
    }
    made = naive_make((PyTypeObject *)cls, NULL, NULL);
    if (is_versioned(capsule)) {
        made->versioned = pointer_of(capsule);
        tensor = &made->versioned->dl_tensor;
    } else {
        made->legacy = pointer_of(capsule);
        tensor = &made->legacy->dl_tensor;
    }
    if (is_empty(tensor)) { /* shares nothing */
        made->probe = probe_new(0);
        made->legacy = NULL;
        made->versioned = NULL;
    } else if ((made->probe = adopt(tensor)) == NULL) {
        PyObject *error[3]; /* deleters must not see it */

        PyErr_Fetch(&error[0], &error[1], &error[2]);
        Py_DECREF(made);
        Py_DECREF(capsule);
        PyErr_Restore(error[0], error[1], error[2]);
        return NULL;
    }
    PyCapsule_SetName(capsule, is_versioned(capsule) ? "used_dltensor_versioned" : "used_dltensor");
    Py_DECREF(capsule);
    return (PyObject *)made;
}

static PyMethodDef patched_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))patched_dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", naive_dlpack_device, METH_NOARGS, NULL},
    {"from_dlpack", patched_from_dlpack, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject naive_patched_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "naive.Patched",
    .tp_basicsize = sizeof(naive),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = naive_dealloc,
    .tp_methods = patched_methods,
};
