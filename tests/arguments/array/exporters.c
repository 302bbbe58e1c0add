/* SPDX-License-Identifier: MIT */
/* Exporter(call, format, shown): two doubles whose buffer calls code of Python when it is released. Its buffer has the format;
 * `shown`: 0: none is given with a format, 1: it is, and read-only; 2: none is given; 3, 4: it is, of one or two axes, but without
 * shape and strides, whatever is asked for; 5: as 1, and the release leaves what the call has raised; 6: the program
 * is to be stopped instead. */
#include <Python.h>

#include <string.h>

typedef struct exporter {
    PyObject_HEAD
    PyObject *call;
    char format[2];
    int shown;
    double raw[2];
    Py_ssize_t shape[1], strides[1];
} exporter;

static int get_buffer(PyObject *object, Py_buffer *buffer, int flags)
{
    exporter *const self = (exporter *)object;

    if (self->shown == 6) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        return -1;
    }
    if (self->shown == 2 || (self->shown == 0 && (flags & PyBUF_FORMAT) != 0)) {
        PyErr_SetString(PyExc_BufferError, "there is no format for it");
        return -1;
    }
    self->shape[0] = 2;
    self->strides[0] = sizeof(double);
    *buffer = (Py_buffer){
        .buf = self->raw, .obj = Py_NewRef(object), .len = sizeof self->raw, .itemsize = sizeof(double), .readonly = 1,
        .ndim = 1, .format = self->format, .shape = self->shape, .strides = self->strides};
    if (self->shown == 3 || self->shown == 4) {
        buffer->ndim = self->shown - 2;
        buffer->shape = NULL;
        buffer->strides = NULL;
    }
    return 0;
}

static void release_buffer(PyObject *object, Py_buffer *buffer)
{
    PyObject *const result = PyObject_CallNoArgs(((exporter *)object)->call);

    (void)buffer;
    if (result == NULL && ((exporter *)object)->shown != 5) {
        PyErr_WriteUnraisable(object);
    }
    Py_XDECREF(result);
}

static PyObject *new_exporter(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    exporter *const self = (exporter *)type->tp_alloc(type, 0);
    const char *format;

    (void)kwargs;
    if (self != NULL && PyArg_ParseTuple(args, "Osi", &self->call, &format, &self->shown)) {
        Py_INCREF(self->call);
        self->format[0] = format[0];
        return (PyObject *)self;
    }
    if (self != NULL) {
        self->call = NULL;
        Py_DECREF(self);
    }
    return NULL;
}

static void dealloc(PyObject *object)
{
    Py_XDECREF(((exporter *)object)->call);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *address(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(((exporter *)object)->raw);
}

static PyGetSetDef attributes[] = {{"address", address, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyBufferProcs buffer_slots = {get_buffer, release_buffer};
static PyTypeObject exporter_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "exporters.Exporter",
    .tp_basicsize = sizeof(exporter),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = new_exporter,
    .tp_dealloc = dealloc,
    .tp_getset = attributes,
    .tp_as_buffer = &buffer_slots,
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "exporters", .m_size = -1};

PyMODINIT_FUNC PyInit_exporters(void);
PyMODINIT_FUNC PyInit_exporters(void)
{
    PyObject *const module = PyModule_Create(&definition);

    if (module != NULL && PyType_Ready(&exporter_type) == 0 &&
        PyModule_AddObject(module, "Exporter", Py_NewRef((PyObject *)&exporter_type)) == 0) {
        return module;
    }
    Py_XDECREF(module);
    return NULL;
}
