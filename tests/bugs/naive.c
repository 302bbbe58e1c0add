/* SPDX-License-Identifier: MIT */
/* The module, what its classes share, and the functions that wrap probes, as in tests/python/lab.c. */
#include "naive.h"

#include <string.h>

/* ---- Code that the classes share ---- */

/* In the order of `probe_dtype`. */
static const DLDataType dtypes[] = {
    {kDLBool, 8, 1},   {kDLInt, 8, 1},    {kDLInt, 16, 1},   {kDLInt, 32, 1},   {kDLInt, 64, 1},
    {kDLUInt, 8, 1},   {kDLUInt, 16, 1},  {kDLUInt, 32, 1},  {kDLUInt, 64, 1},  {kDLFloat, 16, 1},
    {kDLFloat, 32, 1}, {kDLFloat, 64, 1}, {kDLComplex, 64, 1}, {kDLComplex, 128, 1},
};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

int naive_dtype(const probe_t *probe, DLDataType *dtype)
{
    if (probe->dtype < 1 || probe->dtype > DTYPES) {
        PyErr_SetString(PyExc_BufferError, "unsupported dtype");
        return -1;
    }
    *dtype = dtypes[probe->dtype - 1];
    return 0;
}

int naive_code(DLDataType dtype)
{
    for (int i = 0; i < DTYPES; i++) {
        if (dtypes[i].code == dtype.code && dtypes[i].bits == dtype.bits) {
            return i + 1;
        }
    }
    PyErr_SetString(PyExc_BufferError, "unsupported dtype");
    return -1;
}

int naive_describe(const probe_t *probe, DLTensor *tensor)
{
    tensor->data = probe->data;
    tensor->device = (DLDevice){(DLDeviceType)probe->device, 0};
    tensor->ndim = probe->ndim;
    tensor->shape = (int64_t *)(uintptr_t)probe->shape;
    tensor->strides = (int64_t *)(uintptr_t)probe->strides;
    tensor->byte_offset = 0;
    return naive_dtype(probe, &tensor->dtype);
}

naive *naive_make(PyTypeObject *cls, probe_t *probe, PyObject *parent)
{
    naive *const self = (naive *)cls->tp_alloc(cls, 0);

    if (self != NULL) {
        Py_XINCREF(parent);
        self->probe = probe;
        self->parent = parent;
    }
    return self;
}

void naive_dealloc(PyObject *object)
{
    naive *const self = (naive *)object;

    if (self->probe != NULL && self->parent == NULL) {
        probe_free(self->probe);
    }
    if (self->legacy != NULL) {
        self->legacy->deleter(self->legacy);
    }
    if (self->versioned != NULL) {
        self->versioned->deleter(self->versioned);
    }
    Py_XDECREF(self->parent);
    Py_TYPE(object)->tp_free(object);
}

PyObject *naive_ask(PyObject *x)
{
    PyObject *const method = PyObject_GetAttrString(x, "__dlpack__");
    PyObject *const args = PyTuple_New(0);
    PyObject *const kwargs = Py_BuildValue("{s(ii)}", "max_version", 1, 3);
    PyObject *const capsule = method != NULL ? PyObject_Call(method, args, kwargs) : NULL;

    Py_XDECREF(method);
    Py_DECREF(args);
    Py_DECREF(kwargs);
    return capsule;
}

PyObject *naive_dlpack_device(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", kDLCPU, 0);
}

/* ---- The functions ---- */

static PyObject *module_new(PyObject *module, PyObject *nbytes)
{
    (void)module;
    return PyLong_FromVoidPtr(probe_new(PyLong_AsSize_t(nbytes)));
}

/* wrap(kind, address, parent=None) */
static PyObject *module_wrap(PyObject *module, PyObject *args)
{
    PyTypeObject *const classes[] = {&naive_early_type, &naive_patched_type, &naive_modern_type};
    PyObject *address;
    PyObject *parent = Py_None;
    const char *kind;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO|O:wrap", &kind, &address, &parent)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (strcmp(strchr(classes[i]->tp_name, '.') + 1, kind) == 0) {
            return (PyObject *)naive_make(classes[i], PyLong_AsVoidPtr(address), parent == Py_None ? NULL : parent);
        }
    }
    PyErr_SetString(PyExc_KeyError, kind);
    return NULL;
}

/* unwrap(kind, object) */
static PyObject *module_unwrap(PyObject *module, PyObject *args)
{
    const char *kind;
    PyObject *object;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO:unwrap", &kind, &object)) {
        return NULL;
    }
    return PyLong_FromVoidPtr(((naive *)object)->probe);
}

static PyObject *module_counts(PyObject *module, PyObject *unused)
{
    const probe_counts counts = probe_count();

    (void)module;
    (void)unused;
    return Py_BuildValue("(iii)", counts.retained, counts.released, counts.living);
}

static PyMethodDef methods[] = {
    {"new", module_new, METH_O, NULL},
    {"wrap", module_wrap, METH_VARARGS, NULL},
    {"unwrap", module_unwrap, METH_VARARGS, NULL},
    {"counts", module_counts, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int add_classes(PyObject *module)
{
    return PyModule_AddType(module, &naive_early_type) != 0 || PyModule_AddType(module, &naive_patched_type) != 0 ||
                   PyModule_AddType(module, &naive_modern_type) != 0
               ? -1
               : modern_add_table();
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)add_classes},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "naive", .m_methods = methods, .m_slots = slots};

PyMODINIT_FUNC PyInit_naive(void);
PyMODINIT_FUNC PyInit_naive(void)
{
    return PyModuleDef_Init(&definition);
}
