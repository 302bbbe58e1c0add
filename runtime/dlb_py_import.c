/* SPDX-License-Identifier: MIT-0 */
/* The consumer's side of the Python protocol (DLPack: Python specification; array API: from_dlpack). */
#include "dlb_py_internal.h"

#include <stdlib.h>

/* ---- Capsules ---- */

typedef struct foreign {
    DLManagedTensor *legacy; /* one of both */
    DLManagedTensorVersioned *versioned;
} foreign;

static void delete_foreign(void *target)
{
    const foreign *const tensor = target;

    if (tensor->versioned != NULL && tensor->versioned->deleter != NULL) {
        tensor->versioned->deleter(tensor->versioned);
    } else if (tensor->legacy != NULL && tensor->legacy->deleter != NULL) {
        tensor->legacy->deleter(tensor->legacy);
    }
}

static int refuse_capsule(const char *name, PyObject *capsule)
{
    const char *const given = PyCapsule_GetName(capsule);

    if (given != NULL && (strcmp(given, "used_dltensor") == 0 || strcmp(given, "used_dltensor_versioned") == 0)) {
        PyErr_Format(PyExc_ValueError, "%s: this DLPack capsule has been consumed already", name);
    } else if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%s: a capsule named '%.100s' is no DLPack capsule", name,
                     given != NULL ? given : "NULL");
    }
    return -1;
}

/* Takes the tensor out of a capsule. From here on it is ours, and the capsule says so: whatever fails later, exactly one
 * side calls the deleter. 0, or -1 with an exception and an untouched capsule. */
static int consume_unlocked(const char *name, PyObject *capsule, foreign *tensor)
{
    const char *used = "used_dltensor_versioned";

    *tensor = (foreign){NULL, NULL};
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        tensor->versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    } else if (PyCapsule_IsValid(capsule, "dltensor")) {
        tensor->legacy = PyCapsule_GetPointer(capsule, "dltensor");
        used = "used_dltensor";
    } else {
        return refuse_capsule(name, capsule);
    }
    return PyCapsule_SetName(capsule, used);
}

static int consume(const char *name, PyObject *capsule, foreign *tensor)
{
    int result;

    DLB_PY_LOCK(capsule); /* both may hold the same capsule */
    result = consume_unlocked(name, capsule, tensor);
    DLB_PY_UNLOCK();
    return result;
}

/* The params of an import, or NULL, and the texts among them, which the object then keeps. */
typedef struct import_params {
    const void *params;
    dlb_py_texts *texts;
} import_params;

/* An object that shows the tensor, which is ours; it is deleted on failure, before the exception is set. */
static PyObject *import_foreign(const dlb_type *type, foreign *tensor, import_params *given)
{
    dlb_py_draft draft;
    dlb_owner *owner;
    dlb_error error;
    int result;

    if (dlb_py_begin(&draft, type, NULL) != 0) {
        dlb_py_quietly(delete_foreign, tensor);
        return NULL;
    }
    if (tensor->versioned != NULL) {
        result = dlb_import_with(type, tensor->versioned, given->params, &owner, &error);
    } else {
        result = dlb_import_legacy_with(type, tensor->legacy, given->params, &owner, &error);
    }
    if (result != 0) {
        dlb_py_cancel(&draft);
        delete_foreign(tensor);
        return dlb_py_raise(&error);
    }
    dlb_py_keep_texts(owner, given->texts);
    given->texts = NULL;
    return dlb_py_finish(&draft, owner);
}

/* ---- Asking the producer ---- */

static bool mentions(const char *message, const char *part)
{
    return message != NULL && strstr(message, part) != NULL;
}

/* The pending exception is a TypeError about the arguments of the call: the producer does not know `max_version`. (One
 * raised by the producer's own code must reach the caller, and nothing else tells them apart.) */
static bool about_arguments(void)
{
    static const char *const signs[] = {"max_version", "takes no keyword arguments", "takes no arguments",
                                        "positional argument", "incompatible function arguments"};
    PyObject *type;
    PyObject *value;
    PyObject *traceback;
    PyObject *text;
    const char *message;
    bool result = false;

    if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
        return false;
    }
    PyErr_Fetch(&type, &value, &traceback);
    text = value != NULL ? PyObject_Str(value) : NULL;
    message = text != NULL ? PyUnicode_AsUTF8(text) : NULL;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        result = result || mentions(message, signs[i]);
    }
    Py_XDECREF(text);
    PyErr_Restore(type, value, traceback); /* what failed meanwhile is dropped with it */
    return result;
}

/* x.__dlpack__(max_version=(1, 3)), and without the keyword for producers that do not know it; if that fails as well, the
 * first exception tells more. */
static PyObject *ask(const dlb_py_state *state, PyObject *producer)
{
    PyObject *const args[2] = {producer, state->ask_version};
    PyObject *capsule = PyObject_VectorcallMethod(state->dlpack, args, 1, state->ask_names);
    PyObject *type;
    PyObject *value;
    PyObject *traceback;

    if (capsule != NULL || !about_arguments()) {
        return capsule;
    }
    PyErr_Fetch(&type, &value, &traceback);
    capsule = PyObject_VectorcallMethod(state->dlpack, args, 1, NULL);
    if (capsule == NULL) {
        PyErr_Clear(); /* its traceback may hold a foreign capsule, which must not end with the other one pending */
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return capsule;
}

/* An AttributeError of the lookup itself becomes a TypeError about the argument. */
static void explain_missing(const char *name, const dlb_py_state *state, PyObject *producer)
{
    PyObject *type;
    PyObject *value;
    PyObject *traceback;

    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return;
    }
    PyErr_Fetch(&type, &value, &traceback);
    if (PyObject_HasAttr(producer, state->dlpack)) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    PyErr_Format(PyExc_TypeError, "%s: from_dlpack() takes an object with __dlpack__(), not '%.200s'", name,
                 Py_TYPE(producer)->tp_name);
}

static PyObject *from_producer(const dlb_type *type, PyObject *producer, import_params *given)
{
    const dlb_py_state *const state = dlb_py_get_state();
    PyObject *capsule;
    foreign tensor;
    int consumed;

    if (state == NULL) {
        return NULL;
    }
    if (PyCapsule_CheckExact(producer)) {
        return consume(type->name, producer, &tensor) == 0 ? import_foreign(type, &tensor, given) : NULL;
    }
    capsule = ask(state, producer);
    if (capsule == NULL) {
        explain_missing(type->name, state, producer);
        return NULL;
    }
    if (!PyCapsule_CheckExact(capsule)) {
        PyErr_Format(PyExc_TypeError, "%s: __dlpack__() of '%.200s' returned '%.200s', not a capsule", type->name,
                     Py_TYPE(producer)->tp_name, Py_TYPE(capsule)->tp_name);
        dlb_py_quietly(dlb_py_decref, capsule); /* it may hold one */
        return NULL;
    }
    consumed = consume(type->name, capsule, &tensor);
    dlb_py_quietly(dlb_py_decref, capsule); /* its destructor is foreign */
    return consumed == 0 ? import_foreign(type, &tensor, given) : NULL;
}

PyObject *dlb_py_from_dlpack(const dlb_type *type, PyObject *producer)
{
    import_params given = {NULL, NULL};

    return from_producer(type, producer, &given);
}

PyObject *dlb_py_from_dlpack_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const dlb_py_call call = {"from_dlpack", args, nargs, kwnames, true};
    const dlb_maker *const maker = type->importer;
    PyObject *result = NULL;
    import_params given = {NULL, NULL};
    dlb_py_values values;
    void *params;

    if (nargs != 1) {
        PyErr_Format(PyExc_TypeError, "from_dlpack() takes exactly 1 positional argument (%zd given)", nargs);
        return NULL;
    }
    params = dlb_py_room(&values, maker->params_size, maker->defaults);
    if (params != NULL && dlb_py_parse(&call, maker->params, maker->param_count, params) == 0 &&
        dlb_py_copy_texts(maker->params, maker->param_count, params, &given.texts) == 0) {
        given.params = params;
        result = from_producer(type, args[0], &given);
        free(given.texts);
    }
    dlb_py_room_end(&values);
    return result;
}

/* ---- New objects ---- */

static int read_extent(PyObject *value, int64_t *extent)
{
    PyObject *const index = PyNumber_Index(value);
    int overflow = 0;

    if (index == NULL) {
        return -1;
    }
    *extent = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow != 0) {
        PyErr_Format(PyExc_ValueError, "an extent of %R does not fit in 64 bits", value);
        return -1;
    }
    return *extent == -1 && PyErr_Occurred() ? -1 : 0;
}

/* An int, or a sequence of them. */
static int read_shape(const char *name, PyObject *shape, DLTensor *prototype)
{
    PyObject *items;
    Py_ssize_t count;
    int result = 0;

    if (PyIndex_Check(shape) && !PySequence_Check(shape)) { /* arrays of ints are both */
        prototype->ndim = 1;
        return read_extent(shape, &prototype->shape[0]);
    }
    if (!PySequence_Check(shape)) {
        PyErr_Format(PyExc_TypeError, "empty() argument 'shape' must be an int or a sequence of ints, not '%.200s'",
                     Py_TYPE(shape)->tp_name);
        return -1;
    }
    items = PySequence_Tuple(shape); /* a copy: __index__() of an item may change a list */
    if (items == NULL) {
        return -1;
    }
    count = PyTuple_GET_SIZE(items);
    if (count > DLB_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%s: an array has at most %d axes, not %zd", name, DLB_MAX_NDIM, count);
        result = -1;
    }
    for (Py_ssize_t axis = 0; result == 0 && axis < count; axis++) {
        result = read_extent(PyTuple_GET_ITEM(items, axis), &prototype->shape[axis]);
    }
    prototype->ndim = (int32_t)count;
    Py_DECREF(items);
    return result;
}

static int read_dtype(const dlb_type *type, PyObject *value, DLDataType *dtype)
{
    const dlb_maker *const maker = type->allocator;
    const char *name;

    if (value == NULL) {
        if (maker->dtype_count != 1) {
            PyErr_SetString(PyExc_TypeError, "empty() missing required keyword-only argument: 'dtype'");
            return -1;
        }
        *dtype = maker->dtypes[0];
        return 0;
    }
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "empty() argument 'dtype' must be a str, not %R", value);
        return -1;
    }
    name = PyUnicode_AsUTF8(value);
    if (name == NULL) {
        return -1;
    }
    if (dlb_dtype_from_name(name, dtype) != 0) {
        PyErr_Format(PyExc_ValueError, "there is no dtype %R", value);
        return -1;
    }
    return 0;
}

PyObject *dlb_py_empty(const dlb_type *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"shape", "dtype", NULL};
    int64_t extents[DLB_MAX_NDIM];
    DLTensor prototype = {.shape = extents};
    PyObject *shape;
    PyObject *dtype = NULL;
    dlb_py_draft draft;
    dlb_owner *owner;
    dlb_error error;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$O:empty", keywords, &shape, &dtype) ||
        read_shape(type->name, shape, &prototype) != 0 || read_dtype(type, dtype, &prototype.dtype) != 0 ||
        dlb_py_begin(&draft, type, NULL) != 0) {
        return NULL;
    }
    if (dlb_allocate(type, &prototype, &owner, &error) != 0) {
        dlb_py_cancel(&draft);
        return dlb_py_raise(&error);
    }
    return dlb_py_finish(&draft, owner);
}
