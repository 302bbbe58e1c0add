/* SPDX-License-Identifier: MIT-0 */
/* The buffer protocol (PEP 3118) for data that the CPU reads. A buffer is an export like any other: the managed tensor
 * behind it holds its shape and strides, and keeps the owner alive. */
#include "dlb_py_internal.h"

/* The struct-module code of a dtype, or NULL where there is none. */
static char *buffer_format(DLDataType dtype)
{
    typedef struct coded {
        DLDataType dtype;
        char format[3];
    } coded;
    static coded formats[] = {
        {{kDLBool, 8, 1}, "?"},     {{kDLInt, 8, 1}, "b"},       {{kDLInt, 16, 1}, "h"},
        {{kDLInt, 32, 1}, "i"},     {{kDLInt, 64, 1}, "q"},      {{kDLUInt, 8, 1}, "B"},
        {{kDLUInt, 16, 1}, "H"},    {{kDLUInt, 32, 1}, "I"},     {{kDLUInt, 64, 1}, "Q"},
        {{kDLFloat, 16, 1}, "e"},   {{kDLFloat, 32, 1}, "f"},    {{kDLFloat, 64, 1}, "d"},
        {{kDLComplex, 64, 1}, "Zf"}, {{kDLComplex, 128, 1}, "Zd"},
    };

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (dlb_same_dtype(formats[i].dtype, dtype)) {
            return formats[i].format;
        }
    }
    return NULL;
}

static bool column_major(const DLTensor *tensor)
{
    int64_t step = 1;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        if (tensor->shape[axis] != 1 && tensor->strides[axis] != step) {
            return false;
        }
        step *= tensor->shape[axis];
    }
    return true;
}

/* Why the tensor cannot be the buffer that `flags` ask for, or NULL. */
static const char *refusal(const DLManagedTensorVersioned *managed, int flags)
{
    const DLTensor *const tensor = &managed->dl_tensor;
    const bool empty = dlb_element_count(tensor) == 0;
    const bool rows = empty || dlb_is_compact(tensor);
    const bool columns = empty || column_major(tensor);

    if ((flags & PyBUF_WRITABLE) != 0 && (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return "the data is read-only";
    }
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !rows) {
        return "the data is not C-contiguous";
    }
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !columns) {
        return "the data is not Fortran-contiguous";
    }
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !rows && !columns) {
        return "the data is not contiguous";
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !rows) {
        return "the data is not C-contiguous, and strides were not asked for";
    }
    return NULL;
}

/* Raises why this data is no buffer at all. */
static int check_kind(const char *name, const DLTensor *tensor)
{
    char text[DLB_NAME_TEXT];

    if (!dlb_host_readable(tensor->device.device_type)) {
        PyErr_Format(PyExc_BufferError, "%s: data on %s is no buffer; use from_dlpack of a library for that device", name,
                     dlb_device_name(tensor->device.device_type, text));
        return -1;
    }
    if (buffer_format(tensor->dtype) == NULL) {
        PyErr_Format(PyExc_BufferError,
                     "%s: the buffer protocol has no dtype %s; use from_dlpack of a library that knows it", name,
                     dlb_dtype_name(tensor->dtype, text));
        return -1;
    }
    return 0;
}

static void fill_buffer(Py_buffer *buffer, const DLManagedTensorVersioned *managed, int flags)
{
    static char nothing[16]; /* an address for arrays without elements */
    const DLTensor *const tensor = &managed->dl_tensor;
    const int64_t itemsize = dlb_itemsize(tensor->dtype);

    buffer->buf = tensor->data != NULL ? tensor->data : nothing;
    buffer->len = (Py_ssize_t)(itemsize * dlb_element_count(tensor));
    buffer->itemsize = (Py_ssize_t)itemsize;
    buffer->readonly = (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    buffer->ndim = tensor->ndim;
    buffer->format = (flags & PyBUF_FORMAT) != 0 ? buffer_format(tensor->dtype) : NULL;
    buffer->shape = (Py_ssize_t *)(void *)tensor->shape;
    buffer->strides = (Py_ssize_t *)(void *)tensor->strides;
    buffer->suboffsets = NULL;
    if ((flags & PyBUF_ND) == 0) { /* plain bytes */
        buffer->ndim = 1;
        buffer->shape = NULL;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        buffer->strides = NULL;
    }
    for (int32_t axis = 0; axis < tensor->ndim; axis++) { /* in bytes; nobody else reads these */
        /* only an axis of extent 1 or an empty array can overflow here, and its stride is never used */
        tensor->strides[axis] = (int64_t)((uint64_t)tensor->strides[axis] * (uint64_t)itemsize);
    }
}

int dlb_py_getbuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    dlb_owner *const owner = dlb_py_owner(self);
    DLManagedTensorVersioned *managed;
    const char *reason;
    dlb_error error;

    buffer->obj = NULL;
    if (dlb_export(owner, &managed, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    if (check_kind(owner->type->name, &managed->dl_tensor) != 0) {
        managed->deleter(managed);
        return -1;
    }
    reason = refusal(managed, flags);
    if (reason != NULL) {
        managed->deleter(managed);
        PyErr_Format(PyExc_BufferError, "%s: %s", owner->type->name, reason);
        return -1;
    }
    fill_buffer(buffer, managed, flags);
    buffer->internal = managed;
    Py_INCREF(self);
    buffer->obj = self;
    return 0;
}

static void delete_managed(void *target)
{
    DLManagedTensorVersioned *const managed = target;

    managed->deleter(managed);
}

void dlb_py_releasebuffer(PyObject *self, Py_buffer *buffer)
{
    (void)self;
    dlb_py_quietly(delete_managed, buffer->internal);
}

PyObject *dlb_py_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    dlb_view view;

    (void)args;
    (void)kwargs;
    if (dlb_py_view(self, &view) != 0 || check_kind(view.name, &view.tensor) != 0) {
        return NULL;
    }
    PyErr_Format(PyExc_TypeError, "%s: numpy.asarray(x) reads the memory as a buffer", view.name);
    return NULL;
}
