/* SPDX-License-Identifier: MIT-0 */
/* empty(): new objects. */

#include "object.h"

/* Reads an int, or an object with __index__(), as an extent. Returns 0, or -1 with an exception. */
static int read_extent(PyObject *value, int64_t *extent)
{
    PyObject *index;
    int overflow = 0;

    if (dlb_py_small_int(value, extent)) {
        return 0;
    }
    index = dlb_py_as_integer(value);
    if (index == NULL) {
        if (PyErr_Occurred() && !dlb_py_switches_off(value, "__index__")) {
            return dlb_py_name_argument("empty", "shape");
        }
        (void)dlb_py_wrong_type("%s argument 'shape' must be an int or a sequence of ints, without '%s'", "empty()", value);
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

/* Reads the argument `shape`, an int or a sequence of ints, into the prototype. Returns 0, or -1 with an exception. `name` is that of
 * the class, for messages. */
static int read_shape(const char *name, PyObject *shape, DLTensor *prototype)
{
    PyObject *items;
    Py_ssize_t count;
    int is_sequence, result = 0;

    if (PyIndex_Check(shape) && (!PySequence_Check(shape) || PySequence_Size(shape) < 0)) { /* an array of ints is both */
        if (PyErr_Occurred() && !dlb_py_may_try_another()) {
            return -1;
        }
        prototype->ndim = 1;
        return read_extent(shape, &prototype->shape[0]);
    }
    is_sequence = dlb_py_is_sequence(shape);
    if (is_sequence <= 0) {
        if (is_sequence == 0 && dlb_py_is_bool(shape)) { /* numpy.bool is not an index, but counts as an int here */
            prototype->ndim = 1;
            return read_extent(shape, &prototype->shape[0]);
        }
        if (is_sequence == 0) {
            (void)dlb_py_wrong_type("%s argument 'shape' must be an int or a sequence of ints, not '%s'", "empty()",
                                    shape);
        }
        return dlb_py_name_argument("empty", "shape");
    }
    items = PySequence_Tuple(shape); /* a copy, since __index__() of an item may change a list */
    if (items == NULL) {
        return dlb_py_name_argument("empty", "shape");
    }
    count = PyTuple_GET_SIZE(items);
    if (count > DLB_MAX_NDIM) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: an array has at most %d axes, not %zd", name, DLB_MAX_NDIM, count);
        result = -1;
    }
    for (Py_ssize_t axis = 0; result == 0 && axis < count; axis++) {
        result = read_extent(PyTuple_GET_ITEM(items, axis), &prototype->shape[axis]);
    }
    prototype->ndim = (int32_t)count;
    dlb_py_discard(items);
    return result;
}

/* Reads a dtype object of another library by the name that it shows, without the name of the library. Examples are numpy.dtype('uint8'),
 * torch.uint8 and the type numpy.uint8. A foreign byte order is part of the name, such as '>f8', and is refused. Returns 0, or -1 with
 * an exception. */
static int read_dtype_object(PyObject *value, DLDataType *dtype)
{
    PyObject *const shown = PyType_Check(value) ? PyObject_GetAttrString(value, "__name__") : PyObject_Str(value);
    const char *const name = shown != NULL ? PyUnicode_AsUTF8AndSize(shown, NULL) : NULL;
    const char *const dot = name != NULL ? strrchr(name, '.') : NULL;
    int result = -1;

    if (name != NULL) {
        result = dlb_dtype_from_name(dot != NULL ? dot + 1 : name, dtype);
        if (result != 0) {
            (void)dlb_py_wrong_type("%s argument 'dtype' must be a dtype or its name, not '%s'", "empty()", value);
        }
    } else {
        (void)dlb_py_name_argument("empty", "dtype");
    }
    dlb_py_discard(shown);
    return result;
}

/* Reads the argument `dtype`, which may be missing (NULL) if the type has only one dtype. Returns 0, or -1 with an exception. */
static int read_dtype(const dlb_type *type, PyObject *value, DLDataType *dtype)
{
    const dlb_requirements *const require = type->allocator->require;
    Py_ssize_t length;
    const char *name;

    if (value == NULL) {
        if (require->dtype_count != 1) {
            PyErr_SetString(PyExc_TypeError, "empty() missing required keyword-only argument: 'dtype'");
            return -1;
        }
        *dtype = require->dtypes[0];
        return 0;
    }
    if (!PyUnicode_Check(value)) {
        return read_dtype_object(value, dtype);
    }
    name = PyUnicode_AsUTF8AndSize(value, &length);
    if (name == NULL) {
        return dlb_py_name_argument("empty", "dtype");
    }
    if (strlen(name) != (size_t)length || dlb_dtype_from_name(name, dtype) != 0) {
        PyErr_Format(PyExc_ValueError, "there is no dtype %R", value);
        return -1;
    }
    return 0;
}

PyObject *dlb_py_empty(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    enum { SHAPE, DTYPE, PARAMS };
    static const dlb_param params[PARAMS] = {
        [SHAPE] = DLB_PY_OBJECT_PARAM("shape", 1),
        [DTYPE] = DLB_PY_OBJECT_PARAM("dtype", 0),
    };
    static const dlb_py_function function = {.name = "empty", .params = params, .count = PARAMS, .positional = 1};
    PyObject *arguments[PARAMS];
    int64_t extents[DLB_MAX_NDIM];
    DLTensor prototype = {.shape = extents};
    dlb_py_state *state;
    dlb_py_pending_object pending;
    dlb_owner *owner;
    dlb_error error;

    if (dlb_py_sort(&function, args, nargs, kwnames, arguments) != 0 ||
        read_shape(type->name, arguments[SHAPE], &prototype) != 0 ||
        read_dtype(type, arguments[DTYPE], &prototype.dtype) != 0) {
        return NULL;
    }
    state = dlb_py_imported_state();
    if (state == NULL || dlb_py_begin_in(state, &pending, type, NULL) != 0) {
        return NULL; /* not covered: the new object reuses the memory of a freed one */
    }
    if (dlb_allocate(type, &prototype, &owner, &error) != 0) {
        dlb_py_cancel(&pending);
        return dlb_py_raise(&error);
    }
    return dlb_py_finish(&pending, owner);
}
