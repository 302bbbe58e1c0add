/* SPDX-License-Identifier: MIT-0 */
/* Arrays of objects that speak no DLPack but are buffers (PEP 3118): bytes, bytearray, memoryview, array.array, mmap. */
#include "dlb_py_internal.h"

enum { NO_LETTER = 0, ANY_BYTES = 255, FIRST_LETTER = '?', LAST_LETTER = 'q' };

/* What a letter of the struct module stands for; its size is that of the buffer's items. */
typedef struct letter {
    uint8_t code;
    uint8_t bytes; /* ANY_BYTES: any of 1, 2, 4, 8; NO_LETTER: it stands for nothing */
} letter;

static const letter letters[LAST_LETTER - FIRST_LETTER + 1] = {
    ['B' - FIRST_LETTER] = {kDLUInt, 1},         ['b' - FIRST_LETTER] = {kDLInt, 1},
    ['H' - FIRST_LETTER] = {kDLUInt, 2},         ['h' - FIRST_LETTER] = {kDLInt, 2},
    ['I' - FIRST_LETTER] = {kDLUInt, ANY_BYTES}, ['i' - FIRST_LETTER] = {kDLInt, ANY_BYTES},
    ['L' - FIRST_LETTER] = {kDLUInt, ANY_BYTES}, ['l' - FIRST_LETTER] = {kDLInt, ANY_BYTES},
    ['Q' - FIRST_LETTER] = {kDLUInt, 8},         ['q' - FIRST_LETTER] = {kDLInt, 8},
    ['N' - FIRST_LETTER] = {kDLUInt, ANY_BYTES}, ['n' - FIRST_LETTER] = {kDLInt, ANY_BYTES},
    ['c' - FIRST_LETTER] = {kDLUInt, 1},         ['?' - FIRST_LETTER] = {kDLBool, 1},
    ['e' - FIRST_LETTER] = {kDLFloat, 2},        ['f' - FIRST_LETTER] = {kDLFloat, 4},
    ['d' - FIRST_LETTER] = {kDLFloat, 8},
    ['F' - FIRST_LETTER] = {kDLComplex, 8},      ['D' - FIRST_LETTER] = {kDLComplex, 16}, /* of ctypes in Python 3.14 */
};

/* Whether the bytes of the items stand as this machine wants them; goes past the letter that says so. */
static bool native_order(const char **format, Py_ssize_t itemsize)
{
    const char order = **format;

    if (order == '@' || order == '=' || order == '<' || order == '>' || order == '!') {
        ++*format;
    }
    return itemsize == 1 || (order == '<' ? !dlb_is_big_endian() : order == '>' || order == '!' ? dlb_is_big_endian() : true);
}

static bool read_format(const char *format, Py_ssize_t itemsize, DLDataType *dtype)
{
    Py_ssize_t part = itemsize;
    letter known;
    bool complex;

    if (!native_order(&format, itemsize) || (itemsize & (itemsize - 1)) != 0 || itemsize < 1 || itemsize > 16) {
        return false;
    }
    complex = *format == 'Z';
    format += complex;
    if (*format < FIRST_LETTER || *format > LAST_LETTER || format[1] != '\0') {
        return false;
    }
    known = letters[*format - FIRST_LETTER];
    if (complex) {
        part /= 2;
        known.bytes = known.code == kDLFloat ? known.bytes : NO_LETTER;
        known.code = kDLComplex;
    }
    *dtype = (DLDataType){known.code, (uint8_t)(8 * itemsize), 1};
    return known.bytes == ANY_BYTES ? part <= 8 : part == known.bytes && part != NO_LETTER;
}

/* Shape and strides of the buffer; `axes` has room for both. 0, or -1 with an exception. */
static int read_axes(const char *name, const Py_buffer *buffer, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM])
{
    const int halvings = dlb_halvings(buffer->itemsize);

    tensor->ndim = buffer->ndim;
    tensor->shape = axes;
    tensor->strides = axes + DLB_MAX_NDIM;
    for (int axis = 0; axis < buffer->ndim; axis++) {
        tensor->shape[axis] = buffer->shape != NULL ? buffer->shape[axis] : buffer->len / buffer->itemsize;
    }
    if (buffer->strides == NULL) { /* those of ctypes have none, whatever is asked for */
        dlb_compact_tensor(tensor, tensor->ndim);
        return 0;
    }
    for (int axis = 0; axis < buffer->ndim; axis++) {
        const Py_ssize_t stride = buffer->strides[axis];

        if (buffer->suboffsets != NULL && buffer->suboffsets[axis] >= 0) {
            (void)dlb_py_raise_text(PyExc_BufferError, "%s: the buffer has suboffsets: its memory is not one array", name);
            return -1;
        }
        if ((stride & (buffer->itemsize - 1)) != 0 && buffer->shape[axis] > 1) {
            (void)dlb_py_raise_text(PyExc_BufferError, "%s: strides[%d] of the buffer is %zd bytes: no multiple of the item size %zd",
                                    name, axis, stride, buffer->itemsize);
            return -1;
        }
        tensor->strides[axis] = stride >> halvings; /* the item size is a power of two */
    }
    return 0;
}

int dlb_py_read_buffer(const char *name, const Py_buffer *buffer, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM])
{
    const char *const format = buffer->format != NULL ? buffer->format : "B";

    tensor->data = buffer->buf;
    tensor->device = DLB_CPU;
    tensor->byte_offset = 0;
    if (buffer->ndim > DLB_MAX_NDIM) {
        (void)dlb_py_raise_text(PyExc_BufferError, "%s: the buffer has %d axes", name, buffer->ndim);
        return -1;
    }
    if (buffer->shape == NULL && buffer->ndim > 1) {
        (void)dlb_py_raise_text(PyExc_BufferError, "%s: the buffer has no shape", name);
        return -1;
    }
    if (!read_format(format, buffer->itemsize, &tensor->dtype)) {
        PyErr_Format(PyExc_BufferError, "%s: a buffer of format '%.50s' with items of %zd bytes has no DLPack dtype", name,
                     format, buffer->itemsize);
        return -1;
    }
    return read_axes(name, buffer, tensor, axes);
}

static void release_buffer(void *buffer)
{
    PyBuffer_Release(buffer);
}

PyObject *dlb_py_from_buffer(dlb_py_state *state, const dlb_type *type, PyObject *producer, dlb_py_given *given)
{
    PyObject *const view = PyMemoryView_FromObject(producer); /* keeps the buffer until it ends itself */
    int64_t axes[2 * DLB_MAX_NDIM];
    dlb_py_guard *guard = NULL;
    DLTensor tensor;
    dlb_memory memory;
    dlb_py_foreign from = {NULL, NULL, &memory, false};
    Py_buffer buffer;

    if (view == NULL || PyObject_GetBuffer(view, &buffer, PyBUF_FULL_RO) != 0) {
        Py_XDECREF(view);
        return NULL;
    }
    memory = (dlb_memory){&tensor, buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, NULL, dlb_py_guard_let_go};
    if (dlb_py_read_buffer(type->name, &buffer, &tensor, axes) == 0) {
        guard = dlb_py_guard_new(state, view);
    }
    dlb_py_quietly(release_buffer, &buffer);
    dlb_py_quietly(dlb_py_decref, view);
    if (guard == NULL) {
        return NULL;
    }
    memory.keeper = guard;
    return dlb_py_import(state, type, &from, given);
}
