/* SPDX-License-Identifier: MIT */
/* What only C can be to a consumer: exchange tables of several versions, and a buffer of rows that are found through
 * pointers. Nothing here comes from the runtime. */
#include <Python.h>

#include <dlpack/dlpack.h>
#include <string.h>

#define SLOT(function) ((void *)(uintptr_t)(function))

/* ---- Exchange tables: object.answer() gives a tensor's address, or None for a failure without an exception ---- */

static int from_object(void *object, DLManagedTensorVersioned **out)
{
    PyObject *const answer = PyObject_CallMethod(object, "answer", NULL);

    if (answer == NULL) {
        return -1;
    }
    if (answer != Py_None) {
        *out = PyLong_AsVoidPtr(answer);
    }
    Py_DECREF(answer);
    return answer == Py_None ? -1 : 0;
}

static DLPackExchangeAPI major_1 = {.header = {{1, 3}, NULL}, .managed_tensor_from_py_object_no_sync = from_object};
static DLPackExchangeAPI minor_99 = {.header = {{1, 99}, NULL}, .managed_tensor_from_py_object_no_sync = from_object};
static DLPackExchangeAPI major_2 = {.header = {{2, 0}, NULL}};
static DLPackExchangeAPI major_2_then_1 = {.header = {{2, 0}, &major_1.header}};
static DLPackExchangeAPI major_2_for_ever = {.header = {{2, 0}, &major_2_for_ever.header}};
static DLPackExchangeAPI major_0 = {.header = {{0, 8}, NULL}};
static DLPackExchangeAPI without_functions = {.header = {{1, 3}, NULL}};

typedef struct named {
    const char *name;
    DLPackExchangeAPI *table;
} named;

static const named tables[] = {
    {"1.3", &major_1}, {"1.99", &minor_99},       {"2.0", &major_2}, {"2.0, 1.3", &major_2_then_1},
    {"0.8", &major_0}, {"1.3 of NULL", &without_functions}, {"2.0, 2.0, and so on", &major_2_for_ever},
};

/* table(versions, misnamed=False) */
static PyObject *foreign_table(PyObject *module, PyObject *args)
{
    const char *wanted;
    int misnamed = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "s|p:table", &wanted, &misnamed)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (strcmp(tables[i].name, wanted) == 0) {
            return PyCapsule_New(tables[i].table, misnamed ? "something_else" : "dlpack_exchange_api", NULL);
        }
    }
    return PyErr_Format(PyExc_KeyError, "no table %s", wanted);
}

/* ---- A buffer with suboffsets ---- */

static unsigned char rows[2][3];
static void *row_pointers[2] = {rows[0], rows[1]};

static int indirect_getbuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    static Py_ssize_t shape[2] = {2, 3};
    static Py_ssize_t strides[2] = {sizeof(void *), 1};
    static Py_ssize_t suboffsets[2] = {0, -1};

    (void)flags;
    memset(buffer, 0, sizeof *buffer);
    buffer->buf = row_pointers;
    buffer->len = 6;
    buffer->itemsize = 1;
    buffer->ndim = 2;
    buffer->format = "B";
    buffer->shape = shape;
    buffer->strides = strides;
    buffer->suboffsets = suboffsets;
    Py_INCREF(self);
    buffer->obj = self;
    return 0;
}

static PyType_Slot indirect_slots[] = {{Py_bf_getbuffer, SLOT(indirect_getbuffer)}, {0, NULL}};
static PyType_Spec indirect_spec = {"foreign.Indirect", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, indirect_slots};

/* ---- A buffer that gives less than it is asked for ---- */

static int shapeless_getbuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    static unsigned char bytes[24];

    (void)flags;
    return PyBuffer_FillInfo(buffer, self, bytes, sizeof bytes, 0, PyBUF_SIMPLE);
}

static PyType_Slot shapeless_slots[] = {{Py_bf_getbuffer, SLOT(shapeless_getbuffer)}, {0, NULL}};
static PyType_Spec shapeless_spec = {"foreign.Shapeless", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, shapeless_slots};

/* ---- The module ---- */

static int add_class(PyObject *module, PyType_Spec *spec)
{
    PyObject *const cls = PyType_FromSpec(spec);
    const int result = cls != NULL ? PyModule_AddType(module, (PyTypeObject *)cls) : -1;

    Py_XDECREF(cls);
    return result;
}

static PyMethodDef methods[] = {{"table", foreign_table, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "foreign", .m_methods = methods};

PyMODINIT_FUNC PyInit_foreign(void);
PyMODINIT_FUNC PyInit_foreign(void)
{
    PyObject *const module = PyModule_Create(&definition);

    if (module == NULL || add_class(module, &indirect_spec) != 0 || add_class(module, &shapeless_spec) != 0) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
