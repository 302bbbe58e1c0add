/* SPDX-License-Identifier: MIT-0 */
/* Acquires the memory of a foreign argument for the time of a call.
 *
 * The memory is borrowed if no other code can run meanwhile: through the exchange table of the type, or as a buffer. Borrowing
 * allocates nothing. */
#include "dlb_py_call.h"

#include <stdlib.h>

/* The prefix of messages about the argument. The caller replaces it by the names of the function and the argument. */
static const char nameless[] = DLB_PY_NAMELESS;

bool dlb_py_may_try_another(void)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
        return false;
    }
    PyErr_Clear();
    return true;
}

/* Stores a managed tensor in `array`, which then owns it, and describes its memory. Returns 0, or -1 with a BufferError. */
static int from_managed(dlb_py_argument *array, const dlb_py_foreign *tensor, dlb_memory *memory)
{
    array->versioned = tensor->versioned;
    array->legacy = tensor->legacy;
    *memory = (dlb_memory){NULL, 0, NULL, NULL};
    if (tensor->versioned == NULL) {
        memory->tensor = &tensor->legacy->dl_tensor;
        memory->flags = tensor->readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
        return 0;
    }
    if (tensor->versioned->version.major != DLB_VERSION_MAJOR) { /* other members of an unknown major version must not be read */
        (void)dlb_py_raise_message(PyExc_BufferError, DLB_PY_NAMELESS ": the array is in DLPack version %u.%u, not %d.x",
                                (unsigned)tensor->versioned->version.major, (unsigned)tensor->versioned->version.minor,
                                DLB_VERSION_MAJOR);
        return -1;
    }
    memory->tensor = &tensor->versioned->dl_tensor;
    memory->flags = tensor->versioned->flags;
    return 0;
}

/* Gets the buffer of a producer, which `array` then owns, and describes its memory. Returns 0, or -1 with an exception. */
static int from_buffer(dlb_py_argument *array, PyObject *producer, int64_t *axes, dlb_memory *memory)
{
    if (dlb_py_get_buffer(nameless, producer, &array->buffer) != 0) {
        return -1;
    }
    if (dlb_py_read_buffer(nameless, &array->buffer, &array->borrowed, axes) != 0) {
        dlb_py_release_buffer(&array->buffer);
        return -1;
    }
    *memory = (dlb_memory){&array->borrowed, array->buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, NULL, NULL};
    return 0;
}

int dlb_py_acquire_bytes(dlb_py_argument *array, bool by_rows, dlb_memory *memory)
{
    int result;

    if (dlb_py_get_buffer(nameless, array->source, &array->buffer) != 0) {
        return -1;
    }
    result = dlb_py_read_bytes(nameless, &array->buffer, by_rows, &array->borrowed, array->axes);
    if (result != 0) {
        dlb_py_release_buffer(&array->buffer);
        return result;
    }
    *memory = (dlb_memory){&array->borrowed, array->buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, NULL, NULL};
    return 0;
}

/* Acquires the memory through the exchange table. Returns 0, -1 with an exception, or 1 if `__dlpack__` must be called. */
static int memory_from_table(dlb_py_argument *array, PyObject *producer, const dlb_py_producer *kind, bool owned,
                             dlb_memory *memory)
{
    dlb_py_foreign tensor = {NULL, NULL, NULL, false};
    int result;

    if (!owned && kind->api->dltensor_from_py_object_no_sync != NULL) {
        if (kind->api->dltensor_from_py_object_no_sync(producer, &array->borrowed) == 0) {
            *memory = (dlb_memory){&array->borrowed, 0, NULL, NULL};
            return kind->dlpack && !dlb_py_says_enough(&array->borrowed);
        }
        if (PyErr_Occurred() && !dlb_py_may_try_another()) { /* tables do not lend read-only arrays */
            return -1;
        }
    }
    if (kind->api->managed_tensor_from_py_object_no_sync == NULL) {
        return 1;
    }
    result = dlb_py_call_table(kind, nameless, producer, &tensor.versioned);
    return result == 0 ? from_managed(array, &tensor, memory) : result;
}

/* Acquires the memory by `__dlpack__`, or from the buffer of an object without it. Returns 0, -1 with an exception, or 1: not an array. */
static int memory_from_call(const dlb_py_state *state, dlb_py_argument *array, PyObject *producer, int64_t *axes,
                            dlb_memory *memory)
{
    dlb_py_foreign tensor;

    if (dlb_py_ask(state, nameless, producer, &tensor) != 0) {
        if (!dlb_py_lacks_dlpack(state, producer)) {
            return -1;
        }
        return PyObject_CheckBuffer(producer) ? from_buffer(array, producer, axes, memory) : 1;
    }
    return from_managed(array, &tensor, memory);
}

/* Returns whether the object and its type certainly have no `__dlpack__`. Runs no foreign code. This avoids the cost of a failing call. */
static bool surely_lacks_dlpack(const dlb_py_state *state, PyObject *producer, const dlb_py_producer *kind)
{
    return !kind->dlpack && dlb_py_has_plain_attributes(Py_TYPE(producer)) &&
           !dlb_py_has_dlpack(state, producer);
}

int dlb_py_acquire(dlb_py_argument *array, PyObject *producer, bool owned, bool written, int64_t axes[2 * DLB_MAX_NDIM],
                  dlb_memory *memory)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_foreign tensor;
    dlb_py_producer kind;
    uint64_t flags;
    int result;

    if (state == NULL) {
        return -1; /* not covered: a state is looked up only beside other interpreters, and only a lack of memory makes that fail */
    }
    if (PyCapsule_CheckExact(producer)) {
        return dlb_py_consume(nameless, producer, &tensor) != 0 ? -1 : from_managed(array, &tensor, memory);
    }
    if (dlb_py_producer_of(state, Py_TYPE(producer), &kind) != 0) {
        return -1;
    }
    if (kind.api != NULL) {
        result = written && kind.gradient ? dlb_py_requires_grad(state, producer) : 0;
        if (result == 0) {
            result = memory_from_table(array, producer, &kind, owned, memory);
        }
        if (result <= 0) {
            return result;
        }
    } else if (kind.ndarray) { /* dtypes without a buffer format are exported by `__dlpack__` */
        if (!DLB_PY_FREE_THREADED && dlb_py_read_ndarray(state, producer, &array->borrowed, &flags, axes)) {
            if (owned) { /* before it moves memory, NumPy checks references to the array, not buffers */
                Py_INCREF(producer);
                array->made = producer;
            }
            *memory = (dlb_memory){&array->borrowed, flags, NULL, NULL};
            return 0;
        }
        if (from_buffer(array, producer, axes, memory) == 0) {
            return 0;
        }
        if (!dlb_py_may_try_another()) {
            return -1;
        }
    } else if (!kind.dlpack && PyObject_CheckBuffer(producer)) {
        return from_buffer(array, producer, axes, memory);
    }
    return surely_lacks_dlpack(state, producer, &kind) ? 1 : memory_from_call(state, array, producer, axes, memory);
}

DLB_NOINLINE int dlb_py_check_gradient(dlb_py_state *state, PyObject *value)
{
    const dlb_py_producer *kind;

    if (value == Py_None || dlb_py_is_ours(value) || dlb_py_is_plain_ndarray(state, value)) {
        return 0;
    }
    kind = dlb_py_known_producer(state, Py_TYPE(value));
    if (kind == NULL) {
        return 1;
    }
    return kind->gradient ? dlb_py_requires_grad(state, value) : 0;
}

bool dlb_py_is_borrowable(PyObject *producer)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_producer kind;

    if (state == NULL || dlb_py_producer_of(state, Py_TYPE(producer), &kind) != 0) {
        PyErr_Clear(); /* the slow path sets the exception again */
        return false;
    }
    return kind.api != NULL ? kind.api->dltensor_from_py_object_no_sync != NULL && !kind.inherited : kind.ndarray;
}

bool dlb_py_may_be_array(PyObject *value)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_producer kind;

    if (state == NULL || dlb_py_producer_of(state, Py_TYPE(value), &kind) != 0) {
        PyErr_Clear();
        return true;
    }
    return kind.api != NULL || kind.dlpack || PyObject_CheckBuffer(value) || PyCapsule_CheckExact(value) ||
           dlb_py_has_dlpack(state, value);
}

static void drop(void *target)
{
    dlb_py_argument *const array = target;

    for (int64_t i = 0; array->items != NULL && i < array->count; i++) {
        dlb_py_drop_array(&array->items[i]);
    }
    free(array->items);
    if (array->buffer.obj != NULL) {
        dlb_py_release_buffer(&array->buffer);
    }
    dlb_py_delete_foreign(&(dlb_py_foreign){array->legacy, array->versioned, NULL, false});
    if (array->shared) {
        dlb_owner_drop(array->owner);
    }
    Py_XDECREF(array->made);
}

void dlb_py_drop_array(dlb_py_argument *array)
{
    if (array->buffer.obj != NULL || array->legacy != NULL || array->versioned != NULL || array->shared ||
        array->made != NULL) { /* `made` is not NULL if there are items: it is their tuple */
        dlb_py_quietly(drop, array);
    }
}
