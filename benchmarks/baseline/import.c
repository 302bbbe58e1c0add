/* SPDX-License-Identifier: MIT-0 */
/* What comes in: through the table of its type, remembered by the type's address, or through __dlpack__(). */
#include "baseline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char *message)
{
    PyErr_SetString(PyExc_BufferError, message);
    return -1;
}

int import_view(const DLTensor *tensor, uint64_t flags, picture_t *picture)
{
    const int64_t *const shape = tensor->shape;
    const int64_t *const strides = tensor->strides;
    int64_t inner;
    int64_t pitch;
    bool empty;

    if (tensor->ndim != 3 || shape == NULL) {
        return refuse("three axes are needed");
    }
    if (tensor->dtype.code != kDLUInt || tensor->dtype.bits != 8 || tensor->dtype.lanes != 1) {
        return refuse("uint8 is needed");
    }
    if (tensor->device.device_type != kDLCPU) {
        return refuse("the CPU is needed");
    }
    if ((flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return refuse("the array is read-only");
    }
    for (int axis = 0; axis < 3; axis++) {
        if (shape[axis] < 0 || shape[axis] > INT_MAX) {
            return refuse("an extent is out of range");
        }
    }
    inner = shape[1] * shape[2];
    pitch = inner;
    empty = shape[0] == 0 || inner == 0;
    if (strides != NULL && !empty) {
        if ((shape[2] > 1 && strides[2] != 1) || (shape[1] > 1 && strides[1] != shape[2]) ||
            (shape[0] > 1 && strides[0] < inner)) {
            return refuse("rows must be compact");
        }
        if (shape[0] > 1) {
            pitch = strides[0];
        }
    }
    if (tensor->data == NULL && !empty) {
        return refuse("no data");
    }
    picture->pixels = (uint8_t *)tensor->data + tensor->byte_offset;
    picture->height = (int)shape[0];
    picture->width = (int)shape[1];
    picture->channels = (int)shape[2];
    picture->pitch = (ptrdiff_t)pitch;
    return 0;
}

/* ---- Types and their tables ---- */

enum { KNOWN = 8 };
static struct {
    PyTypeObject *type;
    const DLPackExchangeAPI *api;
} known[KNOWN];

static const DLPackExchangeAPI *find_table(PyTypeObject *type)
{
    PyObject *const capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
    const DLPackExchangeAPI *const api =
        capsule != NULL ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;

    Py_XDECREF(capsule);
    PyErr_Clear();
    return api != NULL && api->header.version.major == 1 ? api : NULL;
}

static const DLPackExchangeAPI *table_of(PyTypeObject *type)
{
    for (int i = 0; i < KNOWN; i++) {
        if (known[i].type == type) {
            return known[i].api;
        }
        if (known[i].type == NULL) {
            known[i].type = (PyTypeObject *)Py_NewRef((PyObject *)type);
            known[i].api = find_table(type);
            return known[i].api;
        }
    }
    return find_table(type);
}

/* ---- The call ---- */

static PyObject *ask(PyObject *producer)
{
    PyObject *const args[2] = {producer, call_version};
    PyObject *const capsule = PyObject_VectorcallMethod(name_dlpack, args, 1, call_keywords);

    if (capsule != NULL && !PyCapsule_CheckExact(capsule)) {
        PyErr_SetString(PyExc_TypeError, "__dlpack__() returned no capsule");
        Py_DECREF(capsule);
        return NULL;
    }
    return capsule;
}

/* What is in the capsule: one of the two, or neither with an exception. */
static int open_capsule(PyObject *capsule, DLManagedTensorVersioned **versioned, DLManagedTensor **legacy)
{
    const char *const name = PyCapsule_GetName(capsule);

    *versioned = NULL;
    *legacy = NULL;
    if (name != NULL && strcmp(name, "dltensor_versioned") == 0) {
        *versioned = PyCapsule_GetPointer(capsule, name);
        return (*versioned)->version.major == 1 ? 0 : refuse("another major version");
    }
    if (name != NULL && strcmp(name, "dltensor") == 0) {
        *legacy = PyCapsule_GetPointer(capsule, name);
        return 0;
    }
    PyErr_SetString(PyExc_TypeError, "no DLPack capsule");
    return -1;
}

/* ---- New objects ---- */

static owner *new_owner(const DLTensor *tensor, uint64_t flags)
{
    owner *const owner = malloc(sizeof *owner);

    if (owner == NULL) {
        return (void *)PyErr_NoMemory();
    }
    if (import_view(tensor, flags, &owner->box) != 0) {
        free(owner);
        return NULL;
    }
    owner->references = 1;
    owner->picture = &owner->box;
    owner->versioned = NULL;
    owner->legacy = NULL;
    return owner;
}

static PyObject *object_of(owner *owner)
{
    object *const made = PyObject_New(object, &object_type);

    if (made == NULL) {
        free(owner);
        return NULL;
    }
    made->owner = owner;
    return (PyObject *)made;
}

PyObject *import_managed(DLManagedTensorVersioned *tensor)
{
    owner *const owner = new_owner(&tensor->dl_tensor, tensor->flags);
    PyObject *const made = owner != NULL ? object_of(owner) : NULL;

    if (made != NULL) {
        owner->versioned = tensor;
    }
    return made;
}

static PyObject *import_legacy(DLManagedTensor *tensor)
{
    owner *const owner = new_owner(&tensor->dl_tensor, 0);
    PyObject *const made = owner != NULL ? object_of(owner) : NULL;

    if (made != NULL) {
        owner->legacy = tensor;
    }
    return made;
}

static PyObject *import_table(const DLPackExchangeAPI *api, PyObject *producer)
{
    DLManagedTensorVersioned *tensor;
    PyObject *made;

    if (api->managed_tensor_from_py_object_no_sync(producer, &tensor) != 0) {
        return NULL;
    }
    made = import_managed(tensor);
    if (made == NULL && tensor->deleter != NULL) {
        tensor->deleter(tensor);
    }
    return made;
}

PyObject *import_object(PyObject *type, PyObject *producer)
{
    DLManagedTensorVersioned *versioned;
    DLManagedTensor *legacy;
    const DLPackExchangeAPI *api;
    PyObject *capsule;
    PyObject *made = NULL;

    (void)type;
    if (Py_IS_TYPE(producer, &object_type)) {
        const char *error = NULL;

        if (export_versioned(((object *)producer)->owner, &versioned, &error) != 0) {
            PyErr_SetString(PyExc_BufferError, error);
            return NULL;
        }
        made = import_managed(versioned);
        if (made == NULL) {
            versioned->deleter(versioned);
        }
        return made;
    }
    api = table_of(Py_TYPE(producer));
    if (api != NULL) {
        return import_table(api, producer);
    }
    capsule = ask(producer);
    if (capsule == NULL) {
        return NULL;
    }
    if (open_capsule(capsule, &versioned, &legacy) == 0) {
        made = versioned != NULL ? import_managed(versioned) : import_legacy(legacy);
    }
    if (made != NULL) { /* from here on it is ours */
        (void)PyCapsule_SetName(capsule, versioned != NULL ? "used_dltensor_versioned" : "used_dltensor");
    }
    Py_DECREF(capsule);
    return made;
}

/* ---- Arguments ---- */

int take(PyObject *value, argument *taken)
{
    DLManagedTensorVersioned *versioned;
    DLManagedTensor *legacy;
    const DLPackExchangeAPI *api;
    DLTensor view;

    taken->capsule = NULL;
    if (Py_IS_TYPE(value, &object_type)) {
        taken->picture = ((object *)value)->owner->picture;
        return 0;
    }
    taken->picture = &taken->room;
    api = table_of(Py_TYPE(value));
    if (api != NULL && api->dltensor_from_py_object_no_sync != NULL) {
        return api->dltensor_from_py_object_no_sync(value, &view) != 0 ? -1 : import_view(&view, 0, &taken->room);
    }
    taken->capsule = ask(value); /* nobody else has it: it need not be renamed to be read */
    if (taken->capsule == NULL || open_capsule(taken->capsule, &versioned, &legacy) != 0) {
        return -1;
    }
    return versioned != NULL ? import_view(&versioned->dl_tensor, versioned->flags, &taken->room)
                             : import_view(&legacy->dl_tensor, 0, &taken->room);
}
