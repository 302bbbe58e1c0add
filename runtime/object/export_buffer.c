/* SPDX-License-Identifier: MIT-0 */
/* The buffer protocol of objects (PEP 3118). */

#include "object.h"

bool dlb_py_is_buffer(const DLTensor *tensor)
{
    return dlb_host_readable(tensor->device.device_type) && dlb_py_buffer_format(tensor->dtype) != NULL;
}

/* Returns why the tensor cannot be exported as the buffer that `flags` request, or NULL if it can. */
static const char *buffer_refusal(const DLManagedTensorVersioned *managed, int flags)
{
    const int contiguous = (PyBUF_C_CONTIGUOUS | PyBUF_F_CONTIGUOUS | PyBUF_ANY_CONTIGUOUS) & ~PyBUF_STRIDES;
    const DLTensor *const tensor = &managed->dl_tensor;
    bool empty;
    bool rows;
    bool columns;

    if ((flags & PyBUF_WRITABLE) != 0 && (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return "the data is read-only";
    }
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES && (flags & contiguous) == 0) { /* a consumer of strides accepts every layout */
        return NULL;
    }
    empty = dlb_element_count(tensor) == 0;
    rows = empty || dlb_is_compact(tensor, DLB_ORDER_C);
    columns = empty || dlb_is_compact(tensor, DLB_ORDER_F);
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
        return "the data is not C-contiguous, and strides were not requested";
    }
    return NULL;
}

/* Returns why the tensor cannot be exported as the plain bytes that `flags` request, or NULL if it can. */
static const char *bytes_refusal(const DLManagedTensorVersioned *managed, int flags)
{
    const DLTensor *const tensor = &managed->dl_tensor;

    if ((flags & PyBUF_WRITABLE) != 0 && (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return "the data is read-only";
    }
    if (dlb_element_count(tensor) != 0 && !dlb_is_compact(tensor, DLB_ORDER_C)) {
        return "the data is not C-contiguous, and its dtype has a buffer of plain bytes only";
    }
    return NULL;
}

/* Checks that the CPU can read the memory of a tensor. Returns 0, or -1 with a BufferError. */
static int check_device(const char *name, const DLTensor *tensor)
{
    char buffer[DLB_NAME_SIZE];

    if (!dlb_host_readable(tensor->device.device_type)) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: data on %s cannot be a buffer; use from_dlpack of a library for that device",
                                name, dlb_device_name(tensor->device.device_type, buffer));
        return -1;
    }
    return 0;
}

/* Raises a BufferError: the buffer protocol has no format for the dtype of the tensor. Returns -1. */
static int refuse_format(const char *name, const DLTensor *tensor)
{
    char buffer[DLB_NAME_SIZE];

    (void)dlb_py_raise_message(PyExc_BufferError, "%s: the buffer protocol has no dtype %s; use from_dlpack of a library that knows it",
                            name, dlb_dtype_name(tensor->dtype, buffer));
    return -1;
}

/* Converts shape and strides in place from DLPack's int64_t to Py_ssize_t, and the strides from elements to bytes. The managed tensor
 * belongs to the buffer, so no other code reads them as DLPack's. On 32-bit machines Py_ssize_t is smaller: each number is written to a
 * place that has been read already. */
static void convert_axes(const DLTensor *tensor, int64_t itemsize)
{
    Py_ssize_t *const shape = (Py_ssize_t *)(void *)tensor->shape;
    Py_ssize_t *const strides = (Py_ssize_t *)(void *)tensor->strides;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t extent = tensor->shape[axis];
        const int64_t stride = tensor->strides[axis];

        shape[axis] = (Py_ssize_t)extent;
        /* only an axis of extent 1 or an empty array can overflow here, and its stride is never used */
        strides[axis] = (Py_ssize_t)((uint64_t)stride * (uint64_t)itemsize);
    }
}

/* Fills the members of `buffer` that depend neither on the dtype nor on the layout. */
static void begin_buffer(Py_buffer *buffer, const DLManagedTensorVersioned *managed)
{
    static char empty_data[16]; /* gives arrays without elements a valid address */

    buffer->buf = managed->dl_tensor.data != NULL ? managed->dl_tensor.data : empty_data;
    buffer->readonly = (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    buffer->suboffsets = NULL;
}

/* Fills `buffer` with the bytes of a compact export, as one axis. */
static void fill_bytes(Py_buffer *buffer, const DLManagedTensorVersioned *managed, int flags)
{
    const DLTensor *const tensor = &managed->dl_tensor;

    begin_buffer(buffer, managed);
    buffer->len = (Py_ssize_t)dlb_nbytes(tensor->dtype, dlb_element_count(tensor));
    buffer->itemsize = 1;
    buffer->ndim = 1;
    buffer->format = NULL;
    buffer->shape = (flags & PyBUF_ND) != 0 ? &buffer->len : NULL; /* as PyBuffer_FillInfo() does */
    buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &buffer->itemsize : NULL;
}

/* Fills `buffer` from an export that has passed all checks, as `flags` request. Changes the axes of the export to those of the buffer. */
static void fill_buffer(Py_buffer *buffer, const DLManagedTensorVersioned *managed, char *format, int flags)
{
    const DLTensor *const tensor = &managed->dl_tensor;
    const int64_t itemsize = dlb_itemsize(tensor->dtype);

    begin_buffer(buffer, managed);
    buffer->len = (Py_ssize_t)(itemsize * dlb_element_count(tensor));
    buffer->itemsize = (Py_ssize_t)itemsize;
    buffer->ndim = tensor->ndim;
    buffer->format = (flags & PyBUF_FORMAT) != 0 ? format : NULL;
    buffer->shape = (Py_ssize_t *)(void *)tensor->shape;
    buffer->strides = (Py_ssize_t *)(void *)tensor->strides;
    if ((flags & PyBUF_ND) == 0) { /* a consumer without axes reads bytes */
        buffer->ndim = 1;
        buffer->shape = NULL;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        buffer->strides = NULL;
    }
    convert_axes(tensor, itemsize);
}

/* Fills `buffer` from an export. `format` is that of its elements; NULL: there is none. Returns 0, or -1 with an exception. On failure the
 * caller still owns `managed`. */
static int fill_from(dlb_owner *owner, DLManagedTensorVersioned *managed, char *format, Py_buffer *buffer, int flags)
{
    const DLDeviceType device = managed->dl_tensor.device.device_type;
    const char *reason;
    dlb_error error;

    if (check_device(owner->type->name, &managed->dl_tensor) != 0) {
        return -1;
    }
    if (format == NULL && (flags & PyBUF_FORMAT) != 0) {
        return refuse_format(owner->type->name, &managed->dl_tensor);
    }
    if (managed->manager_ctx != owner) { /* a copy is read-only, since writes to it would be lost */
        managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    }
    reason = format != NULL ? buffer_refusal(managed, flags) : bytes_refusal(managed, flags);
    if (reason != NULL) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: %s", owner->type->name, reason);
        return -1;
    }
    if (device != kDLCPU && dlb_owner_sync(owner, dlb_py_default_stream(device), &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    if (format != NULL) {
        fill_buffer(buffer, managed, format, flags);
    } else {
        fill_bytes(buffer, managed, flags);
    }
    return 0;
}

/* Exports the object into `buffer`. Returns the managed tensor, or NULL with an exception. */
static DLManagedTensorVersioned *export_to(dlb_owner *owner, char *record_format, Py_buffer *buffer, int flags)
{
    DLManagedTensorVersioned *managed;
    dlb_error error;

    if (dlb_export(owner, &managed, &error) != 0) {
        (void)dlb_py_raise(&error);
        return NULL;
    }
    if (fill_from(owner, managed, record_format != NULL ? record_format : dlb_py_buffer_format(managed->dl_tensor.dtype), buffer, flags) != 0) {
        dlb_py_quietly(dlb_py_delete_tensor, managed);
        return NULL;
    }
    return managed;
}

/* The memory that a buffer of records owns. `internal` of the buffer has its address with the lowest bit set. */
typedef struct records_buffer {
    DLManagedTensorVersioned *managed;
    char *format;
} records_buffer;

/* Exports an object whose elements are records into `buffer`. Returns its `internal`, or NULL with an exception. */
static void *export_records(dlb_owner *owner, const dlb_record *record, Py_buffer *buffer, int flags)
{
    records_buffer *const records = malloc(sizeof *records);

    if (records == NULL) {
        return PyErr_NoMemory();
    }
    records->format = dlb_py_record_format(record);
    records->managed = records->format != NULL ? export_to(owner, records->format, buffer, flags) : NULL;
    if (records->managed == NULL) {
        free(records->format);
        free(records);
        return NULL;
    }
    return (char *)records + 1;
}

int dlb_py_getbuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    const dlb_record *record;
    dlb_owner *owner;
    void *internal;

    buffer->obj = NULL;
    owner = dlb_py_enter(self);
    if (owner == NULL) {
        return -1;
    }
    record = dlb_py_record_of(owner->type, owner->object);
    internal = record == NULL ? export_to(owner, NULL, buffer, flags) : export_records(owner, record, buffer, flags);
    dlb_py_leave(self, owner);
    if (internal == NULL) {
        return -1;
    }
    buffer->internal = internal;
    Py_INCREF(self);
    buffer->obj = self;
    return 0;
}

void dlb_py_releasebuffer(PyObject *self, Py_buffer *buffer)
{
    DLManagedTensorVersioned *managed = buffer->internal;

    (void)self;
    if (((uintptr_t)buffer->internal & 1) != 0) {
        records_buffer *const records = (records_buffer *)(void *)((char *)buffer->internal - 1);

        managed = records->managed;
        free(records->format);
        free(records);
    }
    dlb_py_quietly(dlb_py_delete_tensor, managed);
}

/* Calls numpy.asarray(buffer, dtype), or numpy.array(buffer, dtype, copy=copy) unless `copy` is None: asarray() before NumPy 2 has no
 * argument `copy`. Returns a new reference, or NULL with an exception. */
static PyObject *as_array(PyObject *buffer, PyObject *dtype, PyObject *copy)
{
    PyObject *const numpy = PyImport_ImportModule("numpy");
    PyObject *const make = numpy != NULL ? PyObject_GetAttrString(numpy, copy == Py_None ? "asarray" : "array") : NULL;
    PyObject *const args = make != NULL ? PyTuple_Pack(2, buffer, dtype) : NULL;
    PyObject *const kwargs = args != NULL ? PyDict_New() : NULL;
    PyObject *result = NULL;

    if (kwargs != NULL && (copy == Py_None || PyDict_SetItemString(kwargs, "copy", copy) == 0)) {
        result = PyObject_Call(make, args, kwargs);
    }
    Py_XDECREF(kwargs);
    Py_XDECREF(args);
    Py_XDECREF(make);
    Py_XDECREF(numpy);
    return result;
}

/* Returns numpy.from_dlpack(self), for a dtype without a buffer format; or NULL with a BufferError if NumPy does not know the dtype. */
static PyObject *from_numpy(PyObject *self, const dlb_view *view)
{
    PyObject *const numpy = PyImport_ImportModule("numpy");
    PyObject *const made = numpy != NULL ? PyObject_CallMethod(numpy, "from_dlpack", "O", self) : NULL;

    Py_XDECREF(numpy);
    if (made == NULL && dlb_py_may_try_another()) {
        (void)refuse_format(view->name, view->tensor);
    }
    return made;
}

/* Implements __array__() (NumPy: the __array__() method). NumPy calls it after the buffer was refused. If NumPy knows the dtype, the
 * result is that of numpy.from_dlpack(). Otherwise it raises the reason, since NumPy would otherwise create an array of dtype object.
 * Other callers get the array that NumPy makes from the buffer. */
PyObject *dlb_py_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None;
    PyObject *copy = Py_None;
    PyObject *source;
    PyObject *result = NULL;
    dlb_view view;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:__array__", names, &dtype, &copy) || dlb_py_check_stack() != 0 ||
        dlb_py_view(self, &view) != 0 || check_device(view.name, view.tensor) != 0) {
        return NULL;
    }
    source = dlb_py_record_of_object(self) != NULL || dlb_py_buffer_format(view.tensor->dtype) != NULL
                 ? PyMemoryView_FromObject(self) : from_numpy(self, &view);
    if (source != NULL) {
        result = as_array(source, dtype, copy);
        Py_DECREF(source);
    }
    return result;
}
