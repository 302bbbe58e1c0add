/* SPDX-License-Identifier: MIT-0 */
/* The memory behind an argument that is no object of ours, for the time of a call. It is borrowed where nobody else
 * runs meanwhile: through the exchange table of its type, or as a buffer. Nothing is allocated then. */
#include "dlb_py_call.h"

#include <stdlib.h>

/* The runtime begins its messages with the name that it is given; the caller puts function and argument there. */
static const char nameless[] = DLB_PY_NAMELESS;

bool dlb_py_may_try_another(void)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
        return false;
    }
    PyErr_Clear();
    return true;
}

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
    if (tensor->versioned->version.major != DLB_VERSION_MAJOR) { /* then nothing else may be read */
        (void)dlb_py_raise_text(PyExc_BufferError, DLB_PY_NAMELESS ": the array is in DLPack version %u.%u, not %d.x",
                                (unsigned)tensor->versioned->version.major, (unsigned)tensor->versioned->version.minor,
                                DLB_VERSION_MAJOR);
        return -1;
    }
    memory->tensor = &tensor->versioned->dl_tensor;
    memory->flags = tensor->versioned->flags;
    return 0;
}

/* Its end may be code of Python. */
static void end_buffer(void *target)
{
    Py_buffer *const buffer = target;

    PyBuffer_Release(buffer);
    buffer->obj = NULL;
}

static int from_buffer(dlb_py_argument *array, PyObject *producer, int64_t *axes, dlb_memory *memory)
{
    if (PyObject_GetBuffer(producer, &array->buffer, PyBUF_FULL_RO) != 0) {
        array->buffer.obj = NULL;
        return -1;
    }
    if (dlb_py_read_buffer(nameless, &array->buffer, &array->borrowed, axes) != 0) {
        dlb_py_quietly(end_buffer, &array->buffer);
        return -1;
    }
    *memory = (dlb_memory){&array->borrowed, array->buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, NULL, NULL};
    return 0;
}

/* A letter O, but not in the name of a member, which stands between colons (PEP 3118). */
static bool has_objects(const char *format)
{
    bool named = false;

    for (; *format != '\0'; format++) {
        named = named != (*format == ':');
        if (*format == 'O' && !named) {
            return true;
        }
    }
    return false;
}

/* Writes the axes of a contiguous buffer and one more, for the bytes of an element. Returns whether they have `len` bytes. */
static bool write_rows(const Py_buffer *buffer, int64_t *axes)
{
    int64_t size = 1;

    for (int axis = buffer->ndim; axis >= 0; axis--) {
        axes[axis] = axis == buffer->ndim ? buffer->itemsize : buffer->shape[axis];
        axes[DLB_MAX_NDIM + axis] = size;
        if (axes[axis] < 0 || dlb_multiply_overflows(size, axes[axis], &size)) {
            return false;
        }
    }
    return size == buffer->len;
}

int dlb_py_obtain_bytes(dlb_py_argument *array, bool by_rows, dlb_memory *memory)
{
    int64_t *const axes = array->axes;
    int ndim = 1;

    if (PyObject_GetBuffer(array->giver, &array->buffer, PyBUF_FULL_RO) != 0) {
        array->buffer.obj = NULL;
        return -1;
    }
    if (array->buffer.format != NULL && has_objects(array->buffer.format)) {
        end_buffer(&array->buffer);
        PyErr_SetString(PyExc_BufferError, DLB_PY_NAMELESS ": its elements are Python objects, whose bytes mean nothing to C");
        return -1;
    }
    if (!PyBuffer_IsContiguous(&array->buffer, 'C')) {
        const bool bytes = array->buffer.itemsize == 1; /* which may be copied, as an array */

        end_buffer(&array->buffer);
        if (!bytes) {
            PyErr_SetString(PyExc_BufferError, DLB_PY_NAMELESS ": the buffer must be compact, the last axis innermost");
        }
        return bytes ? 1 : -1;
    }
    if (by_rows && (array->buffer.itemsize == 1 || array->buffer.shape == NULL || array->buffer.ndim >= DLB_MAX_NDIM)) {
        end_buffer(&array->buffer);
        return 1;
    }
    axes[0] = array->buffer.len;
    axes[DLB_MAX_NDIM] = 1;
    if (by_rows) {
        ndim += array->buffer.ndim;
        if (!write_rows(&array->buffer, axes)) {
            end_buffer(&array->buffer);
            PyErr_SetString(PyExc_BufferError, DLB_PY_NAMELESS ": the shape of the buffer contradicts its length");
            return -1;
        }
    }
    array->borrowed = (DLTensor){array->buffer.buf, DLB_CPU, ndim, {kDLUInt, 8, 1}, axes, axes + DLB_MAX_NDIM, 0};
    *memory = (dlb_memory){&array->borrowed, array->buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, NULL, NULL};
    return 0;
}

/* 0, -1 with an exception, or 1: the table does not say it, the object must be asked. */
static int memory_from_table(dlb_py_argument *array, PyObject *producer, const dlb_py_kind *kind, bool owned,
                             dlb_memory *memory)
{
    dlb_py_foreign tensor = {NULL, NULL, NULL, false};
    int result;

    if (!owned && kind->api->dltensor_from_py_object_no_sync != NULL) {
        if (kind->api->dltensor_from_py_object_no_sync(producer, &array->borrowed) == 0) {
            *memory = (dlb_memory){&array->borrowed, 0, NULL, NULL};
            return kind->dlpack && !dlb_py_says_enough(&array->borrowed);
        }
        if (PyErr_Occurred() && !dlb_py_may_try_another()) { /* what is read-only has no borrowed view */
            return -1;
        }
    }
    if (kind->api->managed_tensor_from_py_object_no_sync == NULL) {
        return 1;
    }
    result = dlb_py_ask_table(kind, nameless, producer, &tensor.versioned);
    return result == 0 ? from_managed(array, &tensor, memory) : result;
}

static int memory_from_call(const dlb_py_state *state, dlb_py_argument *array, PyObject *producer, dlb_memory *memory)
{
    dlb_py_foreign tensor;

    if (dlb_py_ask(state, nameless, producer, &tensor) != 0) {
        return dlb_py_lacks_dlpack(state, producer) ? 1 : -1;
    }
    return from_managed(array, &tensor, memory);
}

/* Neither its type nor it has __dlpack__(), as far as can be seen without code of others: it need not fail to be known. */
static bool is_plainly_none(const dlb_py_state *state, PyObject *producer, const dlb_py_kind *kind)
{
    return !kind->dlpack && dlb_py_has_plain_attributes(Py_TYPE(producer)) &&
           !PyObject_HasAttr(producer, state->names[DLB_PY_DLPACK]);
}

int dlb_py_obtain(dlb_py_argument *array, PyObject *producer, bool owned, int64_t axes[2 * DLB_MAX_NDIM],
                  dlb_memory *memory)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_foreign tensor;
    dlb_py_kind kind;
    uint64_t flags;
    int result;

    if (state == NULL) {
        return -1;
    }
    if (PyCapsule_CheckExact(producer)) {
        return dlb_py_consume(nameless, producer, &tensor) != 0 ? -1 : from_managed(array, &tensor, memory);
    }
    if (dlb_py_kind_of(state, Py_TYPE(producer), &kind) != 0) {
        return -1;
    }
    if (kind.api != NULL) {
        result = memory_from_table(array, producer, &kind, owned, memory);
        if (result <= 0) {
            return result;
        }
    } else if (kind.ndarray) { /* dtypes without a format, for instance, go through the call */
        if (!DLB_PY_FREE_THREADED && dlb_py_read_ndarray(state, producer, &array->borrowed, &flags, axes)) {
            if (owned) { /* NumPy asks for references before it moves memory, and not for buffers */
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
    return is_plainly_none(state, producer, &kind) ? 1 : memory_from_call(state, array, producer, memory);
}

bool dlb_py_lends(PyObject *producer)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_kind kind;

    if (state == NULL || dlb_py_kind_of(state, Py_TYPE(producer), &kind) != 0) {
        PyErr_Clear(); /* it fails again where it is asked */
        return false;
    }
    return kind.api != NULL ? kind.api->dltensor_from_py_object_no_sync != NULL && !kind.inherited : kind.ndarray;
}

bool dlb_py_may_be_array(PyObject *value)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_kind kind;

    if (state == NULL || dlb_py_kind_of(state, Py_TYPE(value), &kind) != 0) {
        PyErr_Clear();
        return true;
    }
    return kind.api != NULL || kind.dlpack || PyObject_CheckBuffer(value) || PyCapsule_CheckExact(value) ||
           PyObject_HasAttr(value, state->names[DLB_PY_DLPACK]);
}

static void drop(void *target)
{
    dlb_py_argument *const array = target;

    for (int64_t i = 0; array->items != NULL && i < array->count; i++) {
        dlb_py_drop_array(&array->items[i]);
    }
    free(array->items);
    if (array->buffer.obj != NULL) {
        PyBuffer_Release(&array->buffer);
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
        array->made != NULL) { /* with items there is their tuple */
        dlb_py_quietly(drop, array);
    }
}
