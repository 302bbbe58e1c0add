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

    if (dlb_py_check_stack() != 0) {
        return -1;
    }
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
    const bool is_checked = dlb_py_check_stack() == 0;
    PyObject *const shown = !is_checked           ? NULL
                            : PyType_Check(value) ? PyObject_GetAttrString(value, "__name__")
                                                  : PyObject_Str(value);
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

PyObject *dlb_py_allocate(dlb_py_pending_object *pending, const dlb_type *type, const DLTensor *prototype, dlb_py_params *params)
{
    dlb_owner *owner;
    dlb_error error;

    if (dlb_allocate_with(type, prototype, params != NULL ? params->values : NULL, &owner, &error) != 0) {
        dlb_py_cancel(pending);
        return dlb_py_raise(&error);
    }
    if (params != NULL && dlb_py_keep_params(params, owner, &error) != 0) {
        /* not covered: needs no memory for a dependency, which fails for another call first */
        dlb_py_cancel(pending);
        dlb_py_quietly(dlb_py_drop_owner, owner);
        return dlb_py_raise(&error);
    }
    return dlb_py_finish(pending, owner);
}

/* Implements empty(). `params`: those of the allocator; NULL: it has none. */
static inline DLB_ALWAYS_INLINE PyObject *make_empty(const dlb_type *type, const dlb_py_call *call, dlb_py_params *params)
{
    enum { SHAPE, DTYPE, PARAMS };
    static const dlb_param parameters[PARAMS] = {
        [SHAPE] = DLB_PY_OBJECT_PARAM("shape", 1),
        [DTYPE] = DLB_PY_OBJECT_PARAM("dtype", 0),
    };
    static const dlb_py_function function = {.name = "empty", .params = parameters, .count = PARAMS, .positional = 1};
    PyObject *arguments[PARAMS];
    int64_t extents[DLB_MAX_NDIM];
    DLTensor prototype = {.shape = extents};
    dlb_py_state *state;
    dlb_py_pending_object pending;

    if (dlb_py_sort(&function, call->args, call->nargs, call->kwnames, arguments) != 0 ||
        read_shape(type->name, arguments[SHAPE], &prototype) != 0 ||
        read_dtype(type, arguments[DTYPE], &prototype.dtype) != 0) {
        return NULL;
    }
    state = dlb_py_imported_state();
    if (state == NULL || dlb_py_begin_in(state, &pending, type, NULL) != 0) {
        return NULL;
    }
    return dlb_py_allocate(&pending, type, &prototype, params);
}

PyObject *dlb_py_empty(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const dlb_py_call call = {"empty", args, nargs, kwnames, false};

    return make_empty(type, &call, NULL);
}

/* ---- Params of the allocator ---- */

/* Sorts the keywords of `call`: `shape` and `dtype` go to `own`, all others to `rest`. Their values are stored in `values`, which has
 * twice as many places as `call` has values. Returns 0, or -1 with an exception. */
static int split_keywords(const dlb_py_call *call, PyObject **values, dlb_py_call *own, dlb_py_call *rest)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(call->kwnames);
    PyObject **const others = values + call->nargs + count;
    PyObject *names[2] = {PyList_New(0), PyList_New(0)};
    Py_ssize_t sizes[2] = {call->nargs, 0};
    int result = names[0] != NULL && names[1] != NULL ? 0 : -1;

    for (Py_ssize_t i = 0; i < call->nargs; i++) {
        values[i] = call->args[i];
    }
    for (Py_ssize_t i = 0; i < count && result == 0; i++) {
        PyObject *const name = PyTuple_GET_ITEM(call->kwnames, i);
        const int which = !dlb_py_is_string(name, "shape") && !dlb_py_is_string(name, "dtype");

        (which ? others : values)[sizes[which]++] = call->args[call->nargs + i];
        result = PyList_Append(names[which], name);
    }
    *own = (dlb_py_call){call->function, values, call->nargs, result == 0 ? PyList_AsTuple(names[0]) : NULL, false};
    *rest = (dlb_py_call){call->function, others, 0, result == 0 ? PyList_AsTuple(names[1]) : NULL, true};
    Py_XDECREF(names[0]);
    Py_XDECREF(names[1]);
    return own->kwnames != NULL && rest->kwnames != NULL ? 0 : -1;
}

/* Allocates an object with the params that are the arguments of `rest`. Returns a new reference, or NULL with an exception. */
static PyObject *empty_with(const dlb_type *type, const dlb_py_call *own, const dlb_py_call *rest)
{
    PyObject *result = NULL;
    dlb_py_params params;

    if (dlb_py_new_params(type->allocator, &params) == 0 && dlb_py_parse_params(rest, &params) == 0) {
        result = make_empty(type, own, &params);
    }
    dlb_py_free_params(&params);
    return result;
}

PyObject *dlb_py_empty_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const dlb_py_call call = {"empty", args, nargs, kwnames, false};
    dlb_py_call own = call;
    dlb_py_call rest = {"empty", args, 0, NULL, true};
    PyObject *result = NULL;
    dlb_py_values storage;
    PyObject **values;

    if (kwnames == NULL) {
        return empty_with(type, &own, &rest);
    }
    own.kwnames = NULL;
    values = dlb_py_allocate_values(&storage, 2 * (size_t)(nargs + PyTuple_GET_SIZE(kwnames)) * sizeof *values, NULL);
    if (values != NULL && split_keywords(&call, values, &own, &rest) == 0) {
        result = empty_with(type, &own, &rest);
    }
    Py_XDECREF(own.kwnames);
    Py_XDECREF(rest.kwnames);
    dlb_py_free_values(&storage);
    return result;
}
