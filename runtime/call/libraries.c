/* SPDX-License-Identifier: MIT-0 */
/* Outputs that are arrays of the library of an argument. */

#include "call.h"

/* ---- The library that decides ---- */

/* Returns a new reference to the array that Python passes for an operand, or to the first item of a list. NULL, possibly with an
 * exception, if there is none. */
static PyObject *passed_array(const dlb_py_operand *operand, PyObject *const *given)
{
    PyObject *value = operand->param >= 0 ? given[operand->param] : NULL;

    if (value == NULL || value == Py_None) {
        return NULL;
    }
    value = dlb_py_producer_behind(value);
    if ((operand->flags & DLB_PY_ITEMS) == 0) {
        return Py_NewRef(value);
    }
    return (PyList_Check(value) || PyTuple_Check(value)) && PySequence_Size(value) > 0 ? PySequence_GetItem(value, 0) : NULL;
}

/* The results of decision_of(). */
enum { OPEN, DECIDED, OWN_CLASS };

/* Finds the library that the operand decides on. Returns DECIDED with a library; OWN_CLASS for an array of this runtime; OPEN for other
 * values; or -1 with an exception. */
static int decision_of(dlb_py_state *state, const dlb_py_operand *operand, PyObject *const *given, dlb_py_library *library)
{
    PyObject *const value = passed_array(operand, given);
    int result = PyErr_Occurred() ? -1 : OPEN;

    if (value != NULL && !dlb_py_is_ours(value)) {
        result = dlb_py_find_library(state, value, library);
    } else if (value != NULL && dlb_py_data(value)->type->describe != NULL) { /* a handle is not an array */
        result = OWN_CLASS;
    }
    dlb_py_discard(value);
    return result;
}

/* Finds the library of the outputs: that of the argument with DLB_PY_DECIDES, or else of the first array among the arguments. An array of
 * this runtime decides that the outputs are objects of their class. Sequences of numbers and buffers decide nothing. May run foreign code.
 * Returns 1; 0 if the outputs are objects of their class; or -1 with an exception. */
static int find_deciding(dlb_py_state *state, const dlb_py_function *function, PyObject *const *given, dlb_py_library *library)
{
    bool named = false;
    int result = OPEN;

    *library = (dlb_py_library){NULL, NULL};
    for (int i = 0; i < function->operand_count; i++) {
        named = named || (function->operands[i].flags & DLB_PY_DECIDES) != 0;
    }
    for (int i = 0; i < function->operand_count && result == OPEN; i++) {
        if (!named || (function->operands[i].flags & DLB_PY_DECIDES) != 0) {
            result = decision_of(state, &function->operands[i], given, library);
        }
    }
    return result == OWN_CLASS ? 0 : result;
}

/* ---- New outputs that the library allocates ---- */

/* The callback for errors of an allocator. They are not reported: the runtime allocates the output then. */
static void ignore_error(void *context, const char *kind, const char *message)
{
    (void)context;
    (void)kind;
    (void)message;
}

/* Returns the address of the first element, or NULL. */
static void *data_of(const DLTensor *tensor)
{
    return tensor->data != NULL ? (char *)tensor->data + tensor->byte_offset : NULL;
}

/* Returns whether a tensor of an allocator is the row-major array that was asked for, and C can write to it. */
static bool suits(const dlb_py_operand *operand, const DLTensor *wanted, const DLManagedTensorVersioned *tensor)
{
    const size_t size = sizeof(int64_t) * (size_t)wanted->ndim;
    const DLTensor *const got = &tensor->dl_tensor;
    DLTensor shown = *wanted;
    dlb_error error;

    if (tensor->version.major != DLB_VERSION_MAJOR || (tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 ||
        got->ndim != wanted->ndim || !dlb_same_dtype(got->dtype, wanted->dtype) || got->device.device_type != kDLCPU ||
        (got->data == NULL && dlb_element_count(wanted) > 0)) {
        return false;
    }
    if (size > 0 && (memcmp(got->shape, wanted->shape, size) != 0 ||
                     (got->strides != NULL && memcmp(got->strides, wanted->strides, size) != 0))) {
        return false;
    }
    shown.data = data_of(got);
    return dlb_check_layout(operand->require, &shown, 0, "", &error) == 0;
}

/* Allocates the output by the exchange table of the library. Returns 0; 1 if the runtime must allocate it; or -1 with an exception. */
static int allocate(const dlb_py_function *function, const DLPackExchangeAPI *api, const dlb_py_operand *operand,
                    const DLTensor *prototype, dlb_py_argument *array)
{
    DLManagedTensorVersioned *tensor = NULL;
    dlb_error error;

    array->borrowed = *prototype;
    array->borrowed.device = DLB_CPU;
    array->borrowed.byte_offset = 0;
    if (dlb_check_request(operand->require, &array->borrowed, "", &error) != 0) {
        return dlb_py_refuse(function, operand, &error);
    }
    array->borrowed.shape = array->axes;
    array->borrowed.strides = array->axes + DLB_MAX_NDIM;
    if (prototype->ndim > 0) {
        memcpy(array->axes, prototype->shape, sizeof(int64_t) * (size_t)prototype->ndim);
    }
    dlb_compact_strides(array->borrowed.shape, array->borrowed.strides, prototype->ndim, 0, 0);
    if (api->managed_tensor_allocator(&array->borrowed, &tensor, NULL, ignore_error) != 0 || tensor == NULL) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? 1 : -1;
    }
    if (!suits(operand, &array->borrowed, tensor)) {
        dlb_py_quietly(dlb_py_delete_tensor, tensor);
        return 1;
    }
    array->versioned = tensor;
    array->borrowed.data = data_of(&tensor->dl_tensor);
    if (array->borrowed.data != NULL) {
        memset(array->borrowed.data, 0, (size_t)dlb_nbytes(prototype->dtype, dlb_element_count(&array->borrowed)));
    }
    array->object = array->borrowed.data;
    array->tensor = &array->borrowed;
    DLB_CHECK(dlb_checked_output(array, operand));
    return 0;
}

/* Creates the new output at `index` by the allocator of the library, or else, and if it is kept, as an array of this runtime. Returns 0 or -1. */
static int make(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index, DLTensor *prototype)
{
    const dlb_py_operand *const operand = &function->operands[index];
    const DLDataType *const dtype = dlb_py_only_dtype(operand);
    const bool row_major = operand->require->order != DLB_ORDER_F || prototype->ndim < 2;
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_library library;
    int result = -1;

    if (dtype != NULL) {
        prototype->dtype = *dtype;
    }
    if (!row_major || operand->require->record != NULL || (operand->flags & (DLB_PY_KEPT | DLB_PY_REFERRED)) != 0) {
        return dlb_py_make_output(function, arrays, index, prototype);
    }
    if (state != NULL) {
        result = find_deciding(state, function, given, &library);
        dlb_py_discard(library.importer);
    }
    if (result < 0) {
        return -1;
    }
    result = library.api != NULL && library.api->managed_tensor_allocator != NULL
                 ? allocate(function, library.api, operand, prototype, &arrays[index])
                 : 1;
    return result <= 0 ? result : dlb_py_make_output(function, arrays, index, prototype);
}

int dlb_py_make_like_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index)
{
    const DLTensor *const like = arrays[function->operands[index].like - 1].tensor;
    DLTensor prototype;

    if (like == NULL) {
        return dlb_py_make_like(function, arrays, index); /* not covered: it refuses the argument, which cannot be None */
    }
    prototype = *like;
    return make(function, given, arrays, index, &prototype);
}

int dlb_py_make_shape_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index, int ndim,
                               const dlb_integer *extents)
{
    int64_t shape[DLB_MAX_NDIM];
    DLTensor prototype = {.ndim = ndim, .shape = shape};

    if (arrays[index].source != NULL) {
        return dlb_py_make_shape(function, arrays, index, ndim, extents); /* checks the argument */
    }
    return dlb_py_shape_of_output(function, index, ndim, extents, shape) == 0 ? make(function, given, arrays, index, &prototype) : -1;
}

int dlb_py_make_count_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index,
                               dlb_integer count)
{
    return arrays[index].source != NULL ? dlb_py_make_count(function, arrays, index, count)
                                        : dlb_py_make_shape_as_given(function, given, arrays, index, 1, &count);
}

/* ---- Results ---- */

PyObject *dlb_py_output_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index)
{
    dlb_py_argument *const array = &arrays[index];
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_library library;
    void *made = NULL;

    if (array->source != NULL || array->versioned == NULL) {
        return dlb_py_argument_object(array);
    }
    if (state == NULL || PyErr_Occurred() || find_deciding(state, function, given, &library) < 0) { /* another result may have failed */
        return NULL;
    }
    dlb_py_discard(library.importer); /* the type has lost its table since */
    if (library.api != NULL && library.api->managed_tensor_to_py_object_no_sync(array->versioned, &made) == 0) {
        array->versioned = NULL;
        if (made == NULL && !PyErr_Occurred()) {
            (void)dlb_py_raise_message(PyExc_RuntimeError, "%s(): the exchange table of the arguments made no array", function->name);
        }
        return made;
    }
    if ((PyErr_Occurred() && !dlb_py_may_try_another()) ||
        dlb_py_api_to_object(function->operands[index].array, array->versioned, &made) != 0) {
        return NULL;
    }
    array->versioned = NULL;
    return made;
}

/* Returns whether a value of the answer is a new array, and not an argument that the call returns. */
static bool is_new_array(const dlb_py_function *function, PyObject *const *given, const dlb_type *type, PyObject *value)
{
    if (!dlb_py_is_ours(value) || dlb_py_data(value)->type != type) {
        return false;
    }
    for (int i = 0; i < function->count; i++) {
        if (given[i] == value) {
            return false;
        }
    }
    return true;
}

/* Converts a new array. An array that the library cannot show stays as it is, so that no result is lost. Takes over `value`. Returns NULL
 * with an exception that must reach the caller. */
static PyObject *convert(PyObject *value, const dlb_py_library *library)
{
    PyObject *const converted = dlb_py_to_library(value, library);

    if (converted == NULL && dlb_py_may_try_another()) {
        return value;
    }
    dlb_py_quietly(dlb_py_decref, value);
    return converted;
}

/* Converts the new arrays in a tuple. Takes over `answer`. Returns a new tuple, or NULL with an exception. */
static PyObject *convert_values(const dlb_py_function *function, PyObject *const *given, const dlb_type *type, PyObject *answer,
                                const dlb_py_library *library)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(answer);
    PyObject *converted = PyTuple_New(count);

    for (Py_ssize_t i = 0; i < count && converted != NULL; i++) {
        PyObject *value = PyTuple_GET_ITEM(answer, i);

        Py_INCREF(value);
        value = is_new_array(function, given, type, value) ? convert(value, library) : value;
        if (value != NULL) {
            PyTuple_SET_ITEM(converted, i, value);
        } else {
            dlb_py_quietly(dlb_py_decref, converted);
            converted = NULL;
        }
    }
    dlb_py_quietly(dlb_py_decref, answer);
    return converted;
}

/* Returns whether the answer has new arrays. */
static bool has_new_arrays(const dlb_py_function *function, PyObject *const *given, const dlb_type *type, PyObject *answer)
{
    bool found = false;

    if (!PyTuple_CheckExact(answer)) {
        return is_new_array(function, given, type, answer);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(answer) && !found; i++) {
        found = is_new_array(function, given, type, PyTuple_GET_ITEM(answer, i));
    }
    return found;
}

PyObject *dlb_py_finish_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, const dlb_type *type,
                                 PyObject *answer)
{
    PyObject *result = dlb_py_finish_call(function, arrays, answer);
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_library library;
    int found;

    if (result == NULL || state == NULL || !has_new_arrays(function, given, type, result)) {
        return result;
    }
    found = find_deciding(state, function, given, &library);
    if (found > 0) {
        result = PyTuple_CheckExact(result) ? convert_values(function, given, type, result, &library) : convert(result, &library);
    } else if (found < 0) {
        dlb_py_quietly(dlb_py_decref, result);
        result = NULL;
    }
    if (library.importer != NULL) {
        dlb_py_quietly(dlb_py_decref, library.importer);
    }
    return result;
}
