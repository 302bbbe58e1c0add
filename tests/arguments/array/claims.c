/* SPDX-License-Identifier: MIT */
/* Claim(memory, **fields): a buffer of `memory` bytes of its own, whose fields say what they are told. The fields are those of a
 * Py_buffer; `address=0` makes `buf` NULL, `owned=0` makes `obj` NULL. `fails=1` fills everything, and then fails with a KeyError;
 * `fails=2` does so without an exception, and `fails=3` succeeds with one. `alive` counts the buffers that were not released. */
#include <Python.h>

typedef struct claim {
    PyObject_HEAD
    unsigned char *memory;
    char *format;
    Py_ssize_t len, itemsize, alive;
    int ndim, readonly, address, owned, fails;
    Py_ssize_t *axes[3]; /* shape, strides, suboffsets; or NULL */
} claim;

static int get_buffer(PyObject *object, Py_buffer *buffer, int flags)
{
    claim *const self = (claim *)object;

    (void)flags;
    *buffer = (Py_buffer){.buf = self->address ? self->memory : NULL, .obj = self->owned ? Py_NewRef(object) : NULL, .len = self->len,
                          .itemsize = self->itemsize, .readonly = self->readonly, .ndim = self->ndim, .format = self->format,
                          .shape = self->axes[0], .strides = self->axes[1], .suboffsets = self->axes[2]};
    if (self->fails) {
        if (self->fails != 2) {
            PyErr_SetString(PyExc_KeyError, "no buffer today");
        }
        if (self->fails != 3) {
            Py_XDECREF(buffer->obj); /* which stays in the buffer */
            return -1;
        }
    }
    self->alive++;
    return 0;
}

static void release_buffer(PyObject *object, Py_buffer *buffer)
{
    (void)buffer;
    ((claim *)object)->alive--;
    if (PyErr_Occurred() != NULL) {
        Py_FatalError("a buffer was released with an exception pending");
    }
}

/* Reads a tuple of ints, or None, into an array. */
static int read_axes(PyObject *value, Py_ssize_t **axes)
{
    const Py_ssize_t count = value != NULL && value != Py_None ? PyTuple_Size(value) : 0;

    if (value == NULL || value == Py_None) {
        return 0;
    }
    *axes = PyMem_Malloc(((size_t)count + 1) * sizeof **axes);
    for (Py_ssize_t i = 0; i < count; i++) {
        (*axes)[i] = PyLong_AsSsize_t(PyTuple_GetItem(value, i));
    }
    return PyErr_Occurred() != NULL ? -1 : 0;
}

static PyObject *new_claim(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"memory", "len", "itemsize", "ndim", "format", "shape", "strides", "suboffsets", "readonly",
                            "address", "owned", "fails", NULL};
    claim *const self = (claim *)type->tp_alloc(type, 0);
    PyObject *axes[3] = {NULL, NULL, NULL};
    const char *format = NULL;
    Py_ssize_t size;

    if (self == NULL) {
        return NULL;
    }
    self->address = self->owned = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "nnni|zOOOpppi", names, &size, &self->len, &self->itemsize, &self->ndim, &format,
                                     &axes[0], &axes[1], &axes[2], &self->readonly, &self->address, &self->owned, &self->fails) ||
        read_axes(axes[0], &self->axes[0]) != 0 || read_axes(axes[1], &self->axes[1]) != 0 ||
        read_axes(axes[2], &self->axes[2]) != 0) {
        Py_DECREF(self);
        return NULL;
    }
    self->memory = PyMem_RawCalloc(1, (size_t)size);
    if (format != NULL) {
        self->format = PyMem_Malloc(strlen(format) + 1);
        memcpy(self->format, format, strlen(format) + 1);
    }
    return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
    claim *const self = (claim *)object;

    PyMem_RawFree(self->memory);
    PyMem_Free(self->format);
    for (int i = 0; i < 3; i++) {
        PyMem_Free(self->axes[i]);
    }
    Py_TYPE(object)->tp_free(object);
}

static PyObject *get_alive(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromSsize_t(((claim *)object)->alive);
}

static PyGetSetDef attributes[] = {{"alive", get_alive, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyBufferProcs buffer_slots = {get_buffer, release_buffer};
static PyTypeObject claim_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "claims.Claim",
    .tp_basicsize = sizeof(claim),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = new_claim,
    .tp_dealloc = dealloc,
    .tp_getset = attributes,
    .tp_as_buffer = &buffer_slots,
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "claims", .m_size = -1};

PyMODINIT_FUNC PyInit_claims(void);
PyMODINIT_FUNC PyInit_claims(void)
{
    PyObject *const module = PyModule_Create(&definition);

    if (module != NULL && PyType_Ready(&claim_type) == 0 &&
        PyModule_AddObject(module, "Claim", Py_NewRef((PyObject *)&claim_type)) == 0) {
        return module;
    }
    Py_XDECREF(module);
    return NULL;
}
