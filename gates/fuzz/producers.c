/* SPDX-License-Identifier: MIT */
/* Fuzzes imports from Python objects, in an embedded CPython: capsules, buffers and exchange tables of hostile
 * producers. */
#define PY_SSIZE_T_CLEAN
#include "hostile.h"
#include "table.h"

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
static const char *exporting; /* the class of the run */
static bool is_converted;     /* the import converts the elements of another dtype, and the export shows these */

static int needs_params(const dlb_factory *importer)
{
    for (size_t i = 0; i < importer->param_count; i++) {
        if (importer->params[i].required) {
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

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (const fuzz_part *part = fuzz_parts; part->module != NULL; part++) {
        char *const name = malloc(16);

        (void)snprintf(name, 16, "fuzz_%d", (int)(part - fuzz_parts));
        if (PyImport_AppendInittab(name, part->start) != 0) {
            fuzz_stop("no memory");
        }
    }
    Py_InitializeEx(0);
    for (const fuzz_part *part = fuzz_parts; part->module != NULL; part++) {
        char name[16];
        PyObject *module;

        (void)snprintf(name, sizeof name, "fuzz_%d", (int)(part - fuzz_parts));
        module = PyImport_ImportModule(name);
        if (module == NULL) {
            fuzz_stop(part->origin);
        }
        for (const dlb_type *const *type = part->types; *type != NULL; type++) {
            add_class(module, *type);
        }
    }
    fuzz_make_types();
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

/* Tells whether an object still shows the memory of the producer: an import that copies gives it back at once. */
static int is_shared(void)
{
    return fuzz_now.buffers > 0 || (fuzz_now.is_given && !fuzz_now.tensor->deleted);
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
    if (fuzz_now.is_readonly && versioned != NULL &&
        (versioned->flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED)) == 0 &&
        is_shared()) {
        fuzz_find(exporting, "a view of read-only memory is writable");
    }
    if (!fuzz_now.tensor->deleted && !fuzz_now.has_other_format && !is_converted) {
        fuzz_compare(exporting, fuzz_now.tensor, versioned != NULL ? &versioned->dl_tensor : &legacy->dl_tensor);
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
        return check(PyObject_HasAttrString(object, "close") ? PyObject_CallMethod(object, "close", NULL)
                                                             : Py_NewRef(Py_None));
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

    for (int steps = 0; steps < 8 && fuzz_now.input->left > 0; steps++) {
        const int place = fuzz_byte(fuzz_now.input) % PLACES;

        Py_CLEAR(kept[place]);
        if (object != NULL) {
            kept[place] = export_step(object, fuzz_byte(fuzz_now.input));
            if (fuzz_byte(fuzz_now.input) >= 240) {
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
    const dlb_requirements *const require = importers[number].type->importer->require;
    const int kind = (int)fuzz_below(&rest, FUZZ_COUNT);
    PyObject *producer, *object;

    fuzz_now.input = &rest;
    fuzz_now.tensor = &one;
    exporting = importers[number].type->name;
    fuzz_now.buffers = fuzz_now.is_given = fuzz_now.must_refuse = fuzz_now.has_other_format = 0;
    fuzz_tensor_begin(fuzz_now.tensor, fuzz_now.input, require);
    fuzz_now.is_copied = require != NULL && require->copy != DLB_COPY_NEVER;
    is_converted = require != NULL && require->cast != DLB_CAST_NEVER && !dlb_lists_dtype(require, one.before.dtype);
    if (fuzz_now.tensor->count == 0 && !fuzz_now.tensor->must_refuse && fuzz_needs_elements(exporting)) {
        return 0;
    }
    fuzz_now.is_readonly =
        !fuzz_now.tensor->is_legacy && (fuzz_now.tensor->versioned.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    producer = check(fuzz_make_producer(kind));
    object = check(PyObject_CallMethod(importers[number].cls, "from_dlpack", "O", producer));
    Py_DECREF(producer);
    if (object != NULL && (fuzz_now.must_refuse || fuzz_now.tensor->must_refuse)) {
        fuzz_find(exporting, "an import accepted a producer that contradicts itself: hostile.c:%d", fuzz_now.must_refuse);
    }
    if (object != NULL) {
        use(object);
    }
    if (fuzz_now.buffers != 0) {
        fuzz_find(exporting, "%d buffers were not released", fuzz_now.buffers);
    }
    if (fuzz_now.tensor->deleted != fuzz_now.is_given) {
        fuzz_find(exporting, "the deleter was called %d times", fuzz_now.tensor->deleted);
    }
    fuzz_tensor_end(fuzz_now.tensor);
    return 0;
}
