/* SPDX-License-Identifier: MIT-0 */
/* Reads foreign arrays that are buffers. */

#include "object.h"

/* ---- Checks of the fields of a buffer ---- */

/* Returns whether the length is the product of the shape and the item size, as CPython defines it. No other field tells how much memory
 * there is (msgspec/msgspec#835: memory past the end was shown). A buffer with one axis and no shape holds as many items as the length
 * allows. */
static bool has_right_length(const Py_buffer *buffer)
{
    int64_t size = buffer->itemsize;

    if (buffer->shape == NULL && buffer->ndim == 1) {
        return size == 0 ? buffer->len == 0 : buffer->len % size == 0;
    }
    for (int axis = 0; axis < buffer->ndim; axis++) {
        if (buffer->shape[axis] < 0 || dlb_multiply_overflows(size, buffer->shape[axis], &size)) {
            return false;
        }
    }
    return size == buffer->len;
}

/* Checks the fields of a buffer against each other. Returns 0, or -1 with a BufferError. Strides are not checked, since no field limits
 * the memory that they reach. */
static int check_fields(const char *name, const Py_buffer *buffer)
{
    if (buffer->ndim < 0 || buffer->ndim > DLB_MAX_NDIM) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the buffer has %d axes", name, buffer->ndim);
        return -1;
    }
    if (buffer->shape == NULL && (buffer->ndim > 1 || buffer->strides != NULL)) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the buffer has no shape", name);
        return -1;
    }
    if (buffer->itemsize < 0 || buffer->len < 0 || !has_right_length(buffer)) {
        (void)dlb_py_raise_message(PyExc_BufferError,
                                "%s: the buffer has a length of %zd bytes, which is not the product of its shape and its item size (%zd)",
                                name, buffer->len, buffer->itemsize);
        return -1;
    }
    if (buffer->buf == NULL && buffer->len > 0) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the buffer has %zd bytes, but no address", name, buffer->len);
        return -1;
    }
    return 0;
}

/* Releases the buffer, which runs code of the producer; a callback of dlb_py_quietly(). */
static void release_buffer(void *buffer)
{
    PyBuffer_Release(buffer);
    if (DLB_UNLIKELY(PyErr_Occurred() != NULL)) { /* the caller cannot handle this failure of the producer */
        PyErr_WriteUnraisable(NULL);
    }
}

void dlb_py_release_buffer(Py_buffer *buffer)
{
    dlb_py_quietly(release_buffer, buffer);
}

int dlb_py_get_buffer(const char *name, PyObject *producer, Py_buffer *buffer)
{
    if (dlb_py_check_stack() != 0 || PyObject_GetBuffer(producer, buffer, PyBUF_FULL_RO) != 0) {
        buffer->obj = NULL; /* nothing is held, even if the producer has set this field (swig/swig#1640) */
        if (!PyErr_Occurred()) {
            (void)dlb_py_raise_message(PyExc_BufferError, "%s: the buffer was refused without an exception", name);
        }
        return -1;
    }
    if (buffer->obj == NULL) { /* CPython requires an object here; then the producer must keep the memory */
        buffer->obj = Py_NewRef(producer);
    }
    if (PyErr_Occurred() || check_fields(name, buffer) != 0) {
        dlb_py_release_buffer(buffer);
        return -1;
    }
    return 0;
}

/* Returns whether one of the axes goes through pointers, which suboffsets mark. */
static bool has_indirect_axes(const Py_buffer *buffer)
{
    for (int axis = 0; buffer->suboffsets != NULL && axis < buffer->ndim; axis++) {
        if (buffer->suboffsets[axis] >= 0) {
            return true;
        }
    }
    return false;
}

bool dlb_py_is_contiguous(const Py_buffer *buffer, char order)
{
    Py_buffer direct = *buffer;

    direct.suboffsets = NULL;
    return !has_indirect_axes(buffer) && PyBuffer_IsContiguous(&direct, order) != 0;
}

/* ---- Arrays ---- */

int dlb_py_show_bytes(const char *name, DLTensor *tensor, dlb_elements *elements)
{
    if (tensor->ndim == DLB_MAX_NDIM) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: DLPack can describe neither the strides nor the byte order of the array", name);
        return -1;
    }
    elements->dtype = tensor->dtype;
    tensor->shape[tensor->ndim] = dlb_itemsize(tensor->dtype);
    tensor->strides[tensor->ndim] = 1;
    tensor->dtype = (DLDataType){kDLUInt, 8, 1};
    tensor->ndim++;
    return 0;
}

/* Describes the bytes of the elements, whose compact strides are set if the buffer has none. Returns 0, or -1 with a BufferError. */
static int read_byte_axes(const char *name, const Py_buffer *buffer, DLTensor *tensor, dlb_elements *elements)
{
    for (int axis = 0; axis < tensor->ndim; axis++) {
        tensor->strides[axis] = buffer->strides != NULL ? buffer->strides[axis] : tensor->strides[axis] * buffer->itemsize;
    }
    return dlb_py_show_bytes(name, tensor, elements);
}

int dlb_py_read_axes(const char *name, const Py_buffer *buffer, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM], dlb_elements *elements)
{
    const int halvings = dlb_halvings(buffer->itemsize);
    const bool divides = (buffer->itemsize & (buffer->itemsize - 1)) != 0; /* of records; other item sizes are powers of two */
    bool odd = elements->swapped;

    elements->dtype.bits = 0;
    tensor->ndim = buffer->ndim;
    tensor->shape = axes;
    tensor->strides = axes + DLB_MAX_NDIM;
    for (int axis = 0; axis < buffer->ndim; axis++) {
        tensor->shape[axis] = buffer->shape != NULL ? buffer->shape[axis] : buffer->len / buffer->itemsize;
    }
    if (has_indirect_axes(buffer)) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the buffer has suboffsets: its memory is not one array", name);
        return -1;
    }
    if (buffer->strides == NULL) { /* buffers of ctypes have none, even if they are requested */
        dlb_compact_tensor(tensor, tensor->ndim);
        return odd ? read_byte_axes(name, buffer, tensor, elements) : 0;
    }
    for (int axis = 0; axis < buffer->ndim; axis++) {
        const Py_ssize_t stride = buffer->strides[axis];

        odd = odd || ((divides ? stride % buffer->itemsize : stride & (buffer->itemsize - 1)) != 0 && buffer->shape[axis] > 1);
        tensor->strides[axis] = divides ? stride / buffer->itemsize : stride >> halvings;
    }
    return odd ? read_byte_axes(name, buffer, tensor, elements) : 0;
}

int dlb_py_read_buffer(const char *name, const Py_buffer *buffer, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM], dlb_elements *elements)
{
    const char *const format = buffer->format != NULL ? buffer->format : "B";

    tensor->data = buffer->buf;
    tensor->device = DLB_CPU;
    tensor->byte_offset = 0;
    if (!dlb_py_read_format(format, buffer->itemsize, &tensor->dtype, &elements->swapped)) {
        PyErr_Format(PyExc_BufferError, "%s: a buffer of format '%.50s' with items of %zd bytes has no DLPack dtype", name,
                     format, buffer->itemsize);
        return -1;
    }
    return dlb_py_read_axes(name, buffer, tensor, axes, elements);
}

/* ---- Bytes ---- */

/* Returns whether a format contains Python objects (the letter O). The names of members, which stand between colons, do not count (PEP
 * 3118). */
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

/* Writes the axes of a buffer, and one more for the bytes of an element. Without strides the buffer is contiguous. Returns the number of
 * axes. */
static int32_t write_rows(const Py_buffer *buffer, const Py_ssize_t *strides, int64_t *axes)
{
    int64_t size = 1;

    for (int axis = buffer->ndim; axis >= 0; axis--) {
        axes[axis] = axis == buffer->ndim ? buffer->itemsize : buffer->shape[axis];
        axes[DLB_MAX_NDIM + axis] = strides != NULL && axis < buffer->ndim ? strides[axis] : size;
        if (dlb_multiply_overflows(size, axes[axis], &size)) {
            size = 0; /* the array has no elements, so its strides have no meaning */
        }
    }
    return buffer->ndim + 1;
}

int dlb_py_read_bytes(const char *name, const Py_buffer *buffer, bool by_rows, dlb_order order, DLTensor *tensor,
                      int64_t axes[2 * DLB_MAX_NDIM])
{
    if (buffer->format != NULL && has_objects(buffer->format)) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: its elements are Python objects, whose bytes mean nothing to C", name);
        return -1;
    }
    if (!dlb_py_is_contiguous(buffer, 'C')) {
        if (buffer->itemsize == 1) {
            return 1;
        }
        if (has_indirect_axes(buffer) || buffer->ndim >= DLB_MAX_NDIM || order == DLB_ORDER_F) { /* column-major bytes would divide elements */
            (void)dlb_py_raise_message(PyExc_BufferError, "%s: the buffer must be compact, the last axis innermost", name);
            return -1;
        }
        *tensor = (DLTensor){buffer->buf, DLB_CPU, 0, {kDLUInt, 8, 1}, axes, axes + DLB_MAX_NDIM, 0};
        tensor->ndim = write_rows(buffer, buffer->strides, axes);
        return 0;
    }
    if (by_rows && (buffer->itemsize == 1 || buffer->shape == NULL || buffer->ndim >= DLB_MAX_NDIM)) {
        return 1;
    }
    *tensor = (DLTensor){buffer->buf, DLB_CPU, 1, {kDLUInt, 8, 1}, axes, axes + DLB_MAX_NDIM, 0};
    axes[0] = buffer->len;
    axes[DLB_MAX_NDIM] = 1;
    if (by_rows) {
        tensor->ndim = write_rows(buffer, NULL, axes);
    }
    return 0;
}

/* ---- Imports ---- */

static void release_held_buffer(PyObject *capsule)
{
    Py_buffer *const buffer = PyCapsule_GetPointer(capsule, NULL);

    dlb_py_release_buffer(buffer);
    PyMem_Free(buffer);
}

/* Gets and checks the buffer of `source`, and returns a capsule that releases it, or NULL with an exception. `*out` points to the
 * buffer, which lives as long as the capsule. */
static PyObject *hold_checked_buffer(const char *name, PyObject *source, const Py_buffer **out)
{
    Py_buffer *const buffer = PyMem_Malloc(sizeof *buffer);
    PyObject *capsule;

    if (buffer == NULL) {
        return PyErr_NoMemory();
    }
    if (dlb_py_get_buffer(name, source, buffer) != 0) {
        PyMem_Free(buffer);
        return NULL;
    }
    capsule = PyCapsule_New(buffer, NULL, release_held_buffer);
    if (capsule == NULL) {
        dlb_py_release_buffer(buffer);
        PyMem_Free(buffer);
    }
    *out = buffer;
    return capsule;
}

PyObject *dlb_py_hold_buffer(const char *name, PyObject *producer, const Py_buffer **out)
{
    PyObject *view;
    PyObject *held;

    if (!PyMemoryView_Check(producer)) {
        return hold_checked_buffer(name, producer, out);
    }
    view = PyMemoryView_FromObject(producer); /* our own view, since the caller may release the other one */
    if (view == NULL) {
        return NULL;
    }
    held = hold_checked_buffer(name, view, out);
    dlb_py_quietly(dlb_py_decref, view);
    return held;
}
