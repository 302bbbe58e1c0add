/* SPDX-License-Identifier: MIT */
/* Python objects that share an array in every way that a consumer knows, and contradict themselves. */
#define PY_SSIZE_T_CLEAN
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>

fuzz_producer fuzz_now;

static void destroy_capsule(PyObject *capsule)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        fuzz_now.tensor->versioned.deleter(&fuzz_now.tensor->versioned);
    } else if (PyCapsule_IsValid(capsule, "dltensor")) {
        fuzz_now.tensor->legacy.deleter(&fuzz_now.tensor->legacy);
    }
    PyErr_Restore(type, value, traceback);
}

/* Returns a capsule of the tensor, once; of another name sometimes, which no consumer takes. */
static PyObject *make_capsule(void)
{
    static const char *const wrong[] = {"used_dltensor", "used_dltensor_versioned", "dltensor2", NULL};
    const uint8_t choice = fuzz_byte(fuzz_now.input);

    if (fuzz_now.is_given) {
        return PyErr_Format(PyExc_RuntimeError, "asked twice");
    }
    if (choice >= 250) {
        fuzz_now.must_refuse = __LINE__;
        return PyCapsule_New(fuzz_now.tensor, wrong[choice % 4], NULL);
    }
    fuzz_now.is_given = 1;
    return fuzz_now.tensor->is_legacy
               ? PyCapsule_New(&fuzz_now.tensor->legacy, "dltensor", destroy_capsule)
               : PyCapsule_New(&fuzz_now.tensor->versioned, "dltensor_versioned", destroy_capsule);
}

static PyObject *call_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    static int refusal;
    const uint8_t choice = fuzz_byte(fuzz_now.input);

    (void)self;
    (void)args;
    if (fuzz_now.must_refuse != 0 && fuzz_now.must_refuse == refusal) {
        fuzz_now.must_refuse = 0; /* after the BufferError, the import asks for a copy */
    }
    if (choice == 255) {
        fuzz_now.must_refuse = __LINE__;
        return Py_NewRef(Py_None);
    }
    if (choice == 254) {
        fuzz_now.must_refuse = refusal = __LINE__;
        return PyErr_Format(PyExc_BufferError, "not today");
    }
    if (choice >= 200 && keywords != NULL) {
        return PyErr_Format(PyExc_TypeError, "__dlpack__() got an unexpected keyword argument 'max_version'");
    }
    return make_capsule();
}

static int fill_from_table(void *object, DLManagedTensorVersioned **out)
{
    const uint8_t choice = fuzz_byte(fuzz_now.input);

    (void)object;
    if (choice == 255) { /* then __dlpack__() is called */
        (void)PyErr_Format(PyExc_RuntimeError, "not today");
        return -1;
    }
    if (choice >= 250) {
        fuzz_now.must_refuse = __LINE__;
        if (choice >= 252) {
            (void)PyErr_Format(PyExc_ValueError, "not today");
        }
        return -1;
    }
    fuzz_now.is_given = 1;
    *out = &fuzz_now.tensor->versioned;
    return 0;
}

/* ---- Buffers ---- */

static const char *format_of(DLDataType dtype)
{
    static const char *const formats[4][5] = {{"b", "h", "i", "q", NULL},
                                              {"B", "H", "I", "Q", NULL},
                                              {NULL, "e", "f", "d", NULL},
                                              {NULL, NULL, NULL, "Zf", "Zd"}};
    const int code = dtype.code == kDLComplex ? 3 : dtype.code;
    const int size = dtype.bits == 8 ? 0 : dtype.bits == 16 ? 1 : dtype.bits == 32 ? 2 : dtype.bits == 64 ? 3 : 4;

    const char *known;

    if (dtype.code == kDLBool) {
        return "?";
    }
    known = code > 3 || dtype.code == kDLOpaqueHandle || dtype.lanes != 1 ? NULL : formats[code][size];
    return known != NULL ? known : "x"; /* no buffer has such elements */
}

static Py_ssize_t buffer_strides[FUZZ_MOST_AXES], suboffsets[FUZZ_MOST_AXES];
static char any_format[8];

/* Makes one field contradict the others. */
static void spoil(Py_buffer *buffer)
{
    const uint8_t choice = fuzz_byte(fuzz_now.input);

    switch (choice >= 200 ? choice % 9 : 9) {
    case 0: {
        const Py_ssize_t wrong = (Py_ssize_t)fuzz_number(fuzz_now.input);

        fuzz_now.must_refuse |= wrong != buffer->len ? __LINE__ : 0;
        buffer->len = wrong;
        break;
    }
    case 1: {
        const Py_ssize_t wrong = (Py_ssize_t)fuzz_number(fuzz_now.input);

        fuzz_now.must_refuse |= wrong != buffer->itemsize && fuzz_now.tensor->count > 0 ? __LINE__ : 0;
        buffer->itemsize = wrong;
        break;
    }
    case 2:
        buffer->ndim = fuzz_byte(fuzz_now.input) % 2 ? -1 - fuzz_byte(fuzz_now.input)
                                                     : DLB_MAX_NDIM + 1 + fuzz_byte(fuzz_now.input) % 3;
        fuzz_now.must_refuse = __LINE__;
        break;
    case 3:
        fuzz_now.must_refuse |= buffer->len > 0 ? __LINE__ : 0;
        buffer->buf = NULL;
        break;
    case 4:
        fuzz_now.must_refuse |= buffer->ndim > 1 ? __LINE__ : 0;
        if (buffer->ndim == 0 || buffer->ndim > 1) {
            buffer->shape = NULL;
        }
        break;
    case 5:
        for (int i = 0; i < 7; i++) {
            any_format[i] = (char)fuzz_byte(fuzz_now.input);
        }
        buffer->format = any_format;
        fuzz_now.has_other_format = 1;
        break;
    case 6:
        for (int axis = 0; axis < buffer->ndim; axis++) {
            suboffsets[axis] = fuzz_byte(fuzz_now.input) % 4 ? -1 : fuzz_byte(fuzz_now.input);
            fuzz_now.must_refuse |= suboffsets[axis] >= 0 ? __LINE__ : 0;
        }
        buffer->suboffsets = suboffsets;
        break;
    case 7:
        if (buffer->ndim > 0 && buffer->strides != NULL && buffer->itemsize > 1) {
            const int axis = fuzz_byte(fuzz_now.input) % buffer->ndim;

            /* Bytes that are not a multiple of the item size. The elements move towards each other: an import that copies reads them,
             * and they must stay inside of the memory. */
            if (buffer->strides[axis] != 0) {
                buffer->strides[axis] += buffer->strides[axis] < 0 ? 1 : -1;
                if (fuzz_now.is_copied) {
                    fuzz_now.has_other_format = 1;
                } else {
                    fuzz_now.must_refuse |= buffer->shape[axis] > 1 ? __LINE__ : 0;
                }
            }
        }
        break;
    case 8:
        buffer->format = NULL;
        fuzz_now.has_other_format = 1;
        break;
    default:
        break;
    }
}

static int get_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
    const DLTensor *const array = &fuzz_now.tensor->before;
    const uint8_t choice = fuzz_byte(fuzz_now.input);
    const Py_ssize_t itemsize = array->dtype.bits / 8;

    (void)flags;
    if (choice >= 250 || fuzz_now.tensor->must_refuse || array->dtype.bits % 8 != 0 ||
        array->device.device_type != kDLCPU) {
        fuzz_now.must_refuse = __LINE__;
        buffer->obj = choice % 2 ? Py_NewRef(self) : NULL;
        Py_XDECREF(buffer->obj);
        if (choice % 3) {
            (void)PyErr_Format(PyExc_BufferError, "not today");
        }
        buffer->obj = NULL;
        return -1;
    }
    for (int axis = 0; axis < array->ndim; axis++) {
        const size_t step = array->strides != NULL ? (size_t)array->strides[axis] * (size_t)itemsize : 0;

        buffer_strides[axis] = (Py_ssize_t)step;
    }
    *buffer = (Py_buffer){
        .buf = fuzz_now.tensor->count > 0 ? (char *)array->data + array->byte_offset : array->data,
        .obj = choice >= 240 ? NULL : Py_NewRef(self),
        .len = (Py_ssize_t)(fuzz_now.tensor->count * itemsize),
        .itemsize = itemsize,
        .readonly = fuzz_now.is_readonly,
        .ndim = array->ndim,
        .format = (char *)(uintptr_t)format_of(array->dtype),
        .shape = array->ndim > 0 ? (Py_ssize_t *)fuzz_now.tensor->shape : NULL,
        .strides = array->ndim > 0 && array->strides != NULL ? buffer_strides : NULL,
    };
    fuzz_now.buffers++; /* also without `obj`: the consumer puts the producer there */
    spoil(buffer);
    if (choice == 239) {
        fuzz_now.must_refuse = __LINE__;
        (void)PyErr_Format(PyExc_ValueError, "a success with an exception");
    }
    return 0;
}

static void release_buffer(PyObject *self, Py_buffer *buffer)
{
    (void)self;
    (void)buffer;
    fuzz_now.buffers--;
}

void fuzz_stop(const char *what)
{
    PyErr_Print();
    (void)fprintf(stderr, "%s\n", what);
    exit(2);
}

/* ---- Types of producers ---- */

static DLPackExchangeAPI tables[] = {
    {.header = {{1, 3}, NULL}, .managed_tensor_from_py_object_no_sync = fill_from_table},
    {.header = {{1, 99}, NULL}, .managed_tensor_from_py_object_no_sync = fill_from_table},
    {.header = {{2, 0}, &tables[0].header}},
    {.header = {{2, 0}, NULL}},
    {.header = {{1, 3}, NULL}}, /* without functions */
};
enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

static PyObject *producer_types[FUZZ_COUNT + TABLE_COUNT];

static PyMethodDef dlpack_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))call_dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}};
static PyType_Slot method_slots[] = {{Py_tp_methods, dlpack_methods}, {0, NULL}};
static PyType_Slot buffer_slots[] = {
    {Py_bf_getbuffer, (void *)get_buffer}, {Py_bf_releasebuffer, (void *)release_buffer}, {0, NULL}};
static PyType_Spec method_spec = {"fuzz.Method", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, method_slots};
static PyType_Spec buffer_spec = {"fuzz.Buffer", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, buffer_slots};

void fuzz_make_types(void)
{
    producer_types[FUZZ_METHOD] = PyType_FromSpec(&method_spec);
    producer_types[FUZZ_BUFFER] = PyType_FromSpec(&buffer_spec);
    for (int i = 0; i < TABLE_COUNT; i++) {
        PyObject *const type = PyType_FromSpec(&method_spec);
        PyObject *const capsule = PyCapsule_New(&tables[i], "dlpack_exchange_api", NULL);

        if (type == NULL || capsule == NULL ||
            PyObject_SetAttrString(type, "__dlpack_c_exchange_api__", capsule) != 0) {
            fuzz_stop("the types of the producers cannot be made");
        }
        producer_types[FUZZ_COUNT + i] = type;
    }
}

PyObject *fuzz_make_producer(int kind)
{
    const int number = kind == FUZZ_TABLE ? FUZZ_COUNT + (int)fuzz_below(fuzz_now.input, TABLE_COUNT) : kind;

    return kind == FUZZ_CAPSULE ? make_capsule() : PyObject_CallNoArgs(producer_types[number]);
}
