/* SPDX-License-Identifier: MIT-0 */
/* The class, its exchange table, and the two functions: what a person would write by hand for this one struct if every
 * nanosecond counted. What the benchmark does not ask for is left out: interpreters, free threading, closing. */
#include "baseline.h"

#include <stdlib.h>

PyObject *name_dlpack;
PyObject *call_keywords;
PyObject *call_version;

/* ---- __dlpack__() ---- */

static const char versioned_name[] = "dltensor_versioned";
static const char legacy_name[] = "dltensor";
static PyObject *one; /* the int, which CPython has once */
static PyObject *names[4]; /* max_version, copy, dl_device, stream: interned */

static void end_versioned(PyObject *capsule)
{
    if (PyCapsule_GetName(capsule) == versioned_name) {
        DLManagedTensorVersioned *const tensor = PyCapsule_GetPointer(capsule, versioned_name);

        tensor->deleter(tensor);
    }
}

static void end_legacy(PyObject *capsule)
{
    if (PyCapsule_GetName(capsule) == legacy_name) {
        DLManagedTensor *const tensor = PyCapsule_GetPointer(capsule, legacy_name);

        tensor->deleter(tensor);
    }
}

static PyObject *failed(const char *error)
{
    PyErr_SetString(PyExc_BufferError, error);
    return NULL;
}

static PyObject *versioned_capsule(owner *owner)
{
    DLManagedTensorVersioned *tensor;
    const char *error = NULL;
    PyObject *capsule;

    if (export_versioned(owner, &tensor, &error) != 0) {
        return failed(error);
    }
    capsule = PyCapsule_New(tensor, versioned_name, end_versioned);
    if (capsule == NULL) {
        tensor->deleter(tensor);
    }
    return capsule;
}

static PyObject *legacy_capsule(owner *owner)
{
    DLManagedTensor *tensor;
    const char *error = NULL;
    PyObject *capsule;

    if (export_legacy(owner, &tensor, &error) != 0) {
        return failed(error);
    }
    capsule = PyCapsule_New(tensor, legacy_name, end_legacy);
    if (capsule == NULL) {
        tensor->deleter(tensor);
    }
    return capsule;
}

/* The index of a keyword, or -1 with an exception. */
static int find_name(PyObject *name)
{
    for (int i = 0; i < 4; i++) {
        if (name == names[i]) {
            return i;
        }
    }
    for (int i = 0; i < 4; i++) {
        if (PyUnicode_Compare(name, names[i]) == 0) {
            return i;
        }
    }
    PyErr_Format(PyExc_TypeError, "__dlpack__() got an unexpected keyword argument '%U'", name);
    return -1;
}

static int read_version(PyObject *value, bool *versioned)
{
    if (value == Py_None) {
        return 0;
    }
    if (!PyTuple_Check(value) || PyTuple_GET_SIZE(value) != 2) {
        PyErr_SetString(PyExc_TypeError, "max_version must be a pair");
        return -1;
    }
    *versioned = PyTuple_GET_ITEM(value, 0) == one || PyLong_AsLong(PyTuple_GET_ITEM(value, 0)) >= 1;
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t count = kwnames != NULL ? PyTuple_GET_SIZE(kwnames) : 0;
    bool versioned = false;

    if (nargs != 0) {
        PyErr_SetString(PyExc_TypeError, "__dlpack__() takes no positional arguments");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const int name = find_name(PyTuple_GET_ITEM(kwnames, i));

        if (name < 0 || (name == 0 && read_version(args[i], &versioned) != 0)) {
            return NULL;
        }
        if (name > 0 && args[i] != Py_None) {
            return failed("only None is supported");
        }
    }
    return versioned ? versioned_capsule(((object *)self)->owner) : legacy_capsule(((object *)self)->owner);
}

static PyObject *dlpack_device(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", (int)kDLCPU, 0);
}

/* ---- The exchange table ---- */

static int table_from_object(void *from, DLManagedTensorVersioned **out)
{
    const char *error = NULL;

    if (!Py_IS_TYPE((PyObject *)from, &object_type)) {
        PyErr_SetString(PyExc_TypeError, "no picture");
        return -1;
    }
    if (export_versioned(((object *)from)->owner, out, &error) != 0) {
        (void)failed(error);
        return -1;
    }
    return 0;
}

static int table_view(void *from, DLTensor *out)
{
    const char *error = NULL;

    if (!Py_IS_TYPE((PyObject *)from, &object_type)) {
        PyErr_SetString(PyExc_TypeError, "no picture");
        return -1;
    }
    if (borrow(((object *)from)->owner, out, &error) != 0) {
        (void)failed(error);
        return -1;
    }
    return 0;
}

static int table_to_object(DLManagedTensorVersioned *tensor, void **out)
{
    *out = import_managed(tensor);
    return *out != NULL ? 0 : -1;
}

static int table_allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                          void (*set_error)(void *context, const char *kind, const char *message))
{
    (void)prototype;
    (void)out;
    if (set_error != NULL) {
        set_error(context, "BufferError", "pictures are made by Picture()");
    }
    return -1;
}

static int table_stream(DLDeviceType type, int32_t id, void **out)
{
    (void)type;
    (void)id;
    *out = NULL;
    return 0;
}

static DLPackExchangeAPI table = {
    {{1, 3}, NULL}, table_allocate, table_from_object, table_to_object, table_view, table_stream,
};

/* ---- The class ---- */

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    int extents[3];
    owner *owner;
    object *made;

    (void)kwargs;
    if (!PyArg_ParseTuple(args, "iii", &extents[0], &extents[1], &extents[2])) {
        return NULL;
    }
    owner = calloc(1, sizeof *owner);
    if (owner != NULL) {
        owner->references = 1;
        owner->picture = picture_new(extents[0], extents[1], extents[2]);
    }
    made = owner != NULL && owner->picture != NULL ? PyObject_New(object, type) : NULL;
    if (made == NULL) {
        free(owner);
        return PyErr_NoMemory();
    }
    made->owner = owner;
    return (PyObject *)made;
}

static void dealloc(PyObject *self)
{
    owner_drop(((object *)self)->owner);
    PyObject_Free(self);
}

/* The C functions behind an export, as (function, argument) of the driver's make_delete(). */
static PyObject *pure(PyObject *self, PyObject *unused)
{
    owner *const owner = ((object *)self)->owner;

    (void)unused;
    return Py_BuildValue("{s(KK)s(KK)}", "first", (unsigned long long)(uintptr_t)picture_export,
                         (unsigned long long)(uintptr_t)owner->picture, "again",
                         (unsigned long long)(uintptr_t)export_versioned, (unsigned long long)(uintptr_t)owner);
}

#define FASTCALL(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef methods[] = {
    {"__dlpack__", FASTCALL(dlpack), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, NULL},
    {"from_dlpack", import_object, METH_O | METH_CLASS, NULL},
    {"pure", pure, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject object_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "baseline.Picture",
    .tp_basicsize = sizeof(object),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = make,
    .tp_dealloc = dealloc,
    .tp_methods = methods,
};

/* ---- The functions ---- */

static PyObject *call_f(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *answer = NULL;
    argument taken;

    (void)module;
    if (nargs != 1) {
        PyErr_SetString(PyExc_TypeError, "f() takes one picture");
        return NULL;
    }
    if (take(args[0], &taken) == 0) {
        answer = PyLong_FromLong(picture_f(taken.picture));
    }
    Py_XDECREF(taken.capsule);
    return answer;
}

static PyObject *call_f3(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *answer = NULL;
    argument taken[3];
    int count = 0;
    int result = 0;

    (void)module;
    if (nargs != 3) {
        PyErr_SetString(PyExc_TypeError, "f3() takes three pictures");
        return NULL;
    }
    for (; count < 3 && result == 0; count++) {
        result = take(args[count], &taken[count]);
    }
    if (result == 0) {
        answer = PyLong_FromLong(picture_f3(taken[0].picture, taken[1].picture, taken[2].picture));
    }
    while (count > 0) {
        Py_XDECREF(taken[--count].capsule);
    }
    return answer;
}

static PyMethodDef functions[] = {
    {"f", FASTCALL(call_f), METH_FASTCALL, NULL},
    {"f3", FASTCALL(call_f3), METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "baseline", .m_size = -1, .m_methods = functions};

static int fill(PyObject *module)
{
    static const char *const texts[4] = {"max_version", "copy", "dl_device", "stream"};
    PyObject *capsule;
    int result;

    for (int i = 0; i < 4; i++) {
        names[i] = PyUnicode_InternFromString(texts[i]);
    }
    one = PyLong_FromLong(1);
    name_dlpack = PyUnicode_InternFromString("__dlpack__");
    call_keywords = PyTuple_Pack(1, names[0]);
    call_version = Py_BuildValue("(ii)", 1, 3);
    capsule = PyCapsule_New(&table, "dlpack_exchange_api", NULL);
    if (one == NULL || name_dlpack == NULL || call_keywords == NULL || call_version == NULL || capsule == NULL ||
        PyType_Ready(&object_type) != 0) {
        return -1;
    }
    result = PyDict_SetItemString(object_type.tp_dict, "__dlpack_c_exchange_api__", capsule);
    Py_DECREF(capsule);
    PyType_Modified(&object_type);
    return result != 0 ? -1 : PyModule_AddObjectRef(module, "Picture", (PyObject *)&object_type);
}

PyMODINIT_FUNC PyInit_baseline(void);
PyMODINIT_FUNC PyInit_baseline(void)
{
    PyObject *const module = PyModule_Create(&definition);

    if (module != NULL && fill(module) != 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
