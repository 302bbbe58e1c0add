/* SPDX-License-Identifier: MIT */
/* Fuzzes imports from Python objects, in an embedded CPython: capsules, buffers and exchange tables of hostile producers. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "table.h"
#include "tensors.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Classes ---- */

enum { MOST_CLASSES = 1024 };

/* A Python class that imports arrays. */
typedef struct importer {
    const dlb_type *type;
    PyObject *cls;
} importer;

static importer importers[MOST_CLASSES];
static unsigned importer_count, left_out;

static int needs_params(const dlb_maker *maker)
{
    for (size_t i = 0; i < maker->param_count; i++) {
        if (maker->params[i].required) {
            return 1;
        }
    }
    return 0;
}

static void add_class(PyObject *module, const dlb_type *type)
{
    PyObject *cls;

    if (type->importer == NULL) {
        return;
    }
    cls = PyObject_GetAttrString(module, strrchr(type->name, '.') + 1);
    if (cls == NULL || needs_params(type->importer) || importer_count == MOST_CLASSES) {
        PyErr_Clear();
        left_out++;
        return;
    }
    importers[importer_count++] = (importer){type, cls};
}

static void stop(const char *what)
{
    PyErr_Print();
    (void)fprintf(stderr, "%s\n", what);
    exit(2);
}

/* ---- The producer of one run ---- */

/* The kinds of producers. */
enum { KIND_CAPSULE, KIND_METHOD, KIND_BUFFER, KIND_TABLE, KIND_COUNT };

static fuzz_tensor *tensor;    /* its array */
static fuzz_input *input;      /* what is left of the input of the run */
static const char *exporting;  /* the class that imports it */
static int buffers;            /* calls of getbuffer that succeeded, less those of releasebuffer */
static int is_given;           /* the tensor was given away, in a capsule or by a table */
static int must_refuse;        /* for what the producer does, beside the fields of the tensor */
static int is_readonly;

static void destroy_capsule(PyObject *capsule)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        tensor->versioned.deleter(&tensor->versioned);
    } else if (PyCapsule_IsValid(capsule, "dltensor")) {
        tensor->legacy.deleter(&tensor->legacy);
    }
    PyErr_Restore(type, value, traceback);
}

/* Returns a capsule of the tensor, once; of another name sometimes, which no consumer takes. */
static PyObject *make_capsule(void)
{
    static const char *const wrong[] = {"used_dltensor", "used_dltensor_versioned", "dltensor2", NULL};
    const uint8_t choice = fuzz_byte(input);

    if (is_given) {
        return PyErr_Format(PyExc_RuntimeError, "asked twice");
    }
    if (choice >= 250) {
        must_refuse = 1;
        return PyCapsule_New(tensor, wrong[choice % 4], NULL);
    }
    is_given = 1;
    return tensor->is_legacy ? PyCapsule_New(&tensor->legacy, "dltensor", destroy_capsule)
                             : PyCapsule_New(&tensor->versioned, "dltensor_versioned", destroy_capsule);
}

static PyObject *call_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    const uint8_t choice = fuzz_byte(input);

    (void)self;
    (void)args;
    if (choice == 255) {
        must_refuse = 1;
        return Py_NewRef(Py_None);
    }
    if (choice == 254) {
        must_refuse = 1;
        return PyErr_Format(PyExc_BufferError, "not today");
    }
    if (choice >= 200 && keywords != NULL) {
        return PyErr_Format(PyExc_TypeError, "__dlpack__() got an unexpected keyword argument 'max_version'");
    }
    return make_capsule();
}

static int fill_from_table(void *object, DLManagedTensorVersioned **out)
{
    const uint8_t choice = fuzz_byte(input);

    (void)object;
    if (choice >= 250) {
        must_refuse = 1;
        if (choice >= 252) {
            (void)PyErr_Format(choice % 2 ? PyExc_RuntimeError : PyExc_ValueError, "not today");
        }
        return -1;
    }
    is_given = 1;
    *out = &tensor->versioned;
    return 0;
}

/* ---- Buffers ---- */

static const char *format_of(DLDataType dtype)
{
    static const char *const formats[4][5] = {
        {"b", "h", "i", "q", NULL}, {"B", "H", "I", "Q", NULL}, {NULL, "e", "f", "d", NULL}, {NULL, NULL, NULL, "Zf", "Zd"}};
    const int code = dtype.code == kDLComplex ? 3 : dtype.code;
    const int size = dtype.bits == 8 ? 0 : dtype.bits == 16 ? 1 : dtype.bits == 32 ? 2 : dtype.bits == 64 ? 3 : 4;

    return dtype.code == kDLBool ? "?" : code > 3 || dtype.lanes != 1 ? "x" : formats[code][size];
}

static Py_ssize_t buffer_strides[FUZZ_MOST_AXES], suboffsets[FUZZ_MOST_AXES];
static char any_format[8];

/* Makes one field contradict the others. */
static void spoil(Py_buffer *buffer)
{
    const uint8_t choice = fuzz_byte(input);

    switch (choice >= 200 ? choice % 9 : 9) {
    case 0: {
        const Py_ssize_t wrong = (Py_ssize_t)fuzz_number(input);

        must_refuse |= wrong != buffer->len;
        buffer->len = wrong;
        break;
    }
    case 1: {
        const Py_ssize_t wrong = (Py_ssize_t)fuzz_number(input);

        must_refuse |= wrong != buffer->itemsize && tensor->count > 0;
        buffer->itemsize = wrong;
        break;
    }
    case 2:
        buffer->ndim = fuzz_byte(input) % 2 ? -1 - fuzz_byte(input) : DLB_MAX_NDIM + 1 + fuzz_byte(input) % 3;
        must_refuse = 1;
        break;
    case 3:
        must_refuse |= buffer->len > 0;
        buffer->buf = NULL;
        break;
    case 4:
        must_refuse |= buffer->ndim > 1;
        if (buffer->ndim == 0 || buffer->ndim > 1) {
            buffer->shape = NULL;
        }
        break;
    case 5:
        for (int i = 0; i < 7; i++) {
            any_format[i] = (char)fuzz_byte(input);
        }
        buffer->format = any_format;
        break;
    case 6:
        for (int axis = 0; axis < buffer->ndim; axis++) {
            suboffsets[axis] = fuzz_byte(input) % 4 ? -1 : fuzz_byte(input);
            must_refuse |= suboffsets[axis] >= 0;
        }
        buffer->suboffsets = suboffsets;
        break;
    case 7:
        if (buffer->ndim > 0 && buffer->strides != NULL && buffer->itemsize > 1) {
            const int axis = fuzz_byte(input) % buffer->ndim;

            must_refuse |= buffer->shape[axis] > 1; /* bytes that are not a multiple of the item size */
            buffer->strides[axis] = (Py_ssize_t)((size_t)buffer->strides[axis] + 1);
        }
        break;
    case 8:
        buffer->format = NULL;
        break;
    default:
        break;
    }
}

static int get_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
    const DLTensor *const array = &tensor->before;
    const uint8_t choice = fuzz_byte(input);
    const Py_ssize_t itemsize = array->dtype.bits / 8;

    (void)flags;
    if (choice >= 250 || tensor->must_refuse || array->dtype.bits % 8 != 0 || array->device.device_type != kDLCPU) {
        must_refuse = 1;
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
        .buf = tensor->count > 0 ? (char *)array->data + array->byte_offset : array->data,
        .obj = choice >= 240 ? NULL : Py_NewRef(self),
        .len = (Py_ssize_t)(tensor->count * itemsize),
        .itemsize = itemsize,
        .readonly = is_readonly,
        .ndim = array->ndim,
        .format = (char *)(uintptr_t)format_of(array->dtype),
        .shape = array->ndim > 0 ? (Py_ssize_t *)tensor->shape : NULL,
        .strides = array->ndim > 0 && array->strides != NULL ? buffer_strides : NULL,
    };
    buffers += buffer->obj != NULL;
    spoil(buffer);
    if (choice == 239) {
        must_refuse = 1;
        (void)PyErr_Format(PyExc_ValueError, "a success with an exception");
    }
    return 0;
}

static void release_buffer(PyObject *self, Py_buffer *buffer)
{
    (void)self;
    buffers -= buffer->obj != NULL;
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

static PyObject *producer_types[KIND_COUNT + TABLE_COUNT];

static PyMethodDef dlpack_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))call_dlpack, METH_VARARGS | METH_KEYWORDS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot method_slots[] = {{Py_tp_methods, dlpack_methods}, {0, NULL}};
static PyType_Slot buffer_slots[] = {
    {Py_bf_getbuffer, (void *)get_buffer}, {Py_bf_releasebuffer, (void *)release_buffer}, {0, NULL}};
static PyType_Spec method_spec = {"fuzz.Method", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, method_slots};
static PyType_Spec buffer_spec = {"fuzz.Buffer", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, buffer_slots};

static void make_producers(void)
{
    producer_types[KIND_METHOD] = PyType_FromSpec(&method_spec);
    producer_types[KIND_BUFFER] = PyType_FromSpec(&buffer_spec);
    for (int i = 0; i < TABLE_COUNT; i++) {
        PyObject *const type = PyType_FromSpec(&method_spec);
        PyObject *const capsule = PyCapsule_New(&tables[i], "dlpack_exchange_api", NULL);

        if (type == NULL || capsule == NULL || PyObject_SetAttrString(type, "__dlpack_c_exchange_api__", capsule) != 0) {
            stop("the types of the producers cannot be made");
        }
        producer_types[KIND_COUNT + i] = type;
    }
}

static PyObject *make_producer(int kind)
{
    const int number = kind == KIND_TABLE ? KIND_COUNT + (int)fuzz_below(input, TABLE_COUNT) : kind;

    return kind == KIND_CAPSULE ? make_capsule() : PyObject_CallNoArgs(producer_types[number]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (const fuzz_part *part = fuzz_parts; part->module != NULL; part++) {
        char *const name = malloc(16);

        (void)snprintf(name, 16, "fuzz_%d", (int)(part - fuzz_parts));
        if (PyImport_AppendInittab(name, part->start) != 0) {
            stop("no memory");
        }
    }
    Py_InitializeEx(0);
    for (const fuzz_part *part = fuzz_parts; part->module != NULL; part++) {
        char name[16];
        PyObject *module;

        (void)snprintf(name, sizeof name, "fuzz_%d", (int)(part - fuzz_parts));
        module = PyImport_ImportModule(name);
        if (module == NULL) {
            stop(part->origin);
        }
        for (const dlb_type *const *type = part->types; *type != NULL; type++) {
            add_class(module, *type);
        }
    }
    make_producers();
    (void)fprintf(stderr, "%u importer types, %u left out\n", importer_count, left_out);
    return 0;
}

/* ---- Objects ---- */

/* Checks that a call has either a result or an exception, which is dropped; a SystemError is a finding. */
static PyObject *check(PyObject *result)
{
    if ((result != NULL) == (PyErr_Occurred() != NULL)) {
        fuzz_find(exporting, result != NULL ? "a result with an exception" : "a failure without an exception");
    }
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_SystemError)) {
        PyErr_Print();
        fuzz_find(exporting, "a SystemError");
    }
    PyErr_Clear();
    return result;
}

static void check_capsule(PyObject *capsule)
{
    const DLManagedTensorVersioned *versioned = NULL;
    const DLManagedTensor *legacy = NULL;

    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    } else {
        legacy = PyCapsule_GetPointer(capsule, "dltensor");
    }
    if (versioned == NULL && legacy == NULL) {
        fuzz_find(exporting, "__dlpack__() returned something else than a DLPack capsule");
    }
    if (is_readonly && versioned != NULL &&
        (versioned->flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED)) == 0 && !tensor->deleted) {
        fuzz_find(exporting, "a view of read-only memory is writable");
    }
    if (!tensor->deleted) {
        fuzz_compare(exporting, tensor, versioned != NULL ? &versioned->dl_tensor : &legacy->dl_tensor);
    }
}

static PyObject *export(PyObject *object, const char *keyword, PyObject *value)
{
    PyObject *const method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *const args = PyTuple_New(0);
    PyObject *const keywords = keyword != NULL ? Py_BuildValue("{sO}", keyword, value) : NULL;
    PyObject *const capsule = method != NULL ? PyObject_Call(method, args, keywords) : NULL;

    Py_XDECREF(method);
    Py_XDECREF(keywords);
    Py_DECREF(args);
    return check(capsule);
}

static PyObject *export_step(PyObject *object, uint8_t step)
{
    PyObject *const version = Py_BuildValue("(ii)", 1, step / 8 % 5);
    PyObject *result;

    switch (step % 8) {
    case 0:
        result = export(object, "max_version", version);
        break;
    case 1:
        result = export(object, NULL, NULL);
        break;
    case 2:
        result = export(object, "copy", step / 8 % 2 ? Py_True : Py_False);
        break;
    case 3:
        Py_DECREF(version);
        return check(PyMemoryView_FromObject(object));
    case 4:
        Py_DECREF(version);
        return check(PyObject_CallMethod(importers[step % importer_count].cls, "from_dlpack", "O", object));
    case 5:
        Py_DECREF(version);
        return check(PyObject_Repr(object));
    case 6:
        Py_DECREF(version);
        return check(PyObject_GetAttrString(object, step / 8 % 2 ? "shape" : "strides"));
    default:
        Py_DECREF(version);
        return check(PyObject_HasAttrString(object, "close") ? PyObject_CallMethod(object, "close", NULL) : Py_NewRef(Py_None));
    }
    Py_DECREF(version);
    if (result != NULL) {
        check_capsule(result);
    }
    return result;
}

/* Uses the object as the input says; its exports live for different times. */
static void use(PyObject *object)
{
    enum { PLACES = 4 };
    PyObject *kept[PLACES] = {NULL};

    for (int steps = 0; steps < 8 && input->left > 0; steps++) {
        const int place = fuzz_byte(input) % PLACES;

        Py_CLEAR(kept[place]);
        if (object != NULL) {
            kept[place] = export_step(object, fuzz_byte(input));
            if (fuzz_byte(input) >= 240) {
                Py_CLEAR(object);
            }
        }
    }
    for (int place = 0; place < PLACES; place++) {
        Py_CLEAR(kept[place]);
    }
    Py_CLEAR(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input rest = {data, size};
    fuzz_tensor one;
    const unsigned number = (fuzz_byte(&rest) | (unsigned)fuzz_byte(&rest) << 8) % importer_count;
    const int kind = (int)fuzz_below(&rest, KIND_COUNT);
    PyObject *producer, *object;

    input = &rest;
    tensor = &one;
    exporting = importers[number].type->name;
    buffers = is_given = must_refuse = 0;
    fuzz_tensor_begin(tensor, input, importers[number].type->importer);
    if (tensor->count == 0 && !tensor->must_refuse && fuzz_needs_elements(exporting)) {
        return 0;
    }
    is_readonly = !tensor->is_legacy && (tensor->versioned.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    producer = check(make_producer(kind));
    object = check(PyObject_CallMethod(importers[number].cls, "from_dlpack", "O", producer));
    Py_DECREF(producer);
    if (object != NULL && (must_refuse || tensor->must_refuse)) {
        fuzz_find(exporting, "an import accepted a producer that contradicts itself");
    }
    if (object != NULL) {
        use(object);
    }
    if (buffers != 0) {
        fuzz_find(exporting, "%d buffers were not released", buffers);
    }
    if (tensor->deleted != is_given) {
        fuzz_find(exporting, "the deleter was called %d times", tensor->deleted);
    }
    fuzz_tensor_end(tensor);
    return 0;
}
