/* SPDX-License-Identifier: MIT-0 */
/* Reads foreign arrays that only have __array_interface__ or __cuda_array_interface__, in version 3. */

#include "object.h"

/* ---- The holder: keeps the memory alive, and the dict that describes it ---- */

typedef struct array_interface {
    PyObject *producer;
    PyObject *dict;   /* a copy, which nobody changes; its `data` can own the memory */
    Py_buffer buffer; /* without an object unless `data` is one */
    dlb_span span;
} array_interface;

static const char interface_capsule[] = "dlpack_bindgen array interface";

/* Releases everything that an interface holds, and frees it. */
static void free_interface(array_interface *held)
{
    if (held->buffer.obj != NULL) {
        dlb_py_release_buffer(&held->buffer);
    }
    Py_XDECREF(held->dict);
    Py_DECREF(held->producer);
    PyMem_Free(held);
}

static void end_interface(PyObject *capsule)
{
    free_interface(PyCapsule_GetPointer(capsule, interface_capsule));
}

bool dlb_py_interface_span(PyObject *holder, dlb_span *span)
{
    if (holder == NULL || !PyCapsule_IsValid(holder, interface_capsule)) {
        return false;
    }
    *span = ((const array_interface *)PyCapsule_GetPointer(holder, interface_capsule))->span;
    return true;
}

/* ---- Entries of the dict ---- */

/* The interface that is read: its attribute and the object that has it, for messages. */
typedef struct reader {
    const char *name; /* of the class or the argument */
    const char *attribute;
    PyObject *dict;
    const dlb_record *record; /* the elements must be such records; NULL: numbers */
    bool cuda;
    dlb_elements *elements; /* if DLPack cannot describe them */
} reader;

/* Sets `*value` to an entry of the dict, a borrowed reference; or to NULL if it is missing or None. Returns 0, or -1 with an exception. */
static int find_item(const reader *from, const char *key, PyObject **value)
{
    PyObject *const string = PyUnicode_FromString(key);

    *value = string != NULL ? PyDict_GetItemWithError(from->dict, string) : NULL;
    Py_XDECREF(string);
    if (*value == Py_None) {
        *value = NULL;
    }
    return *value == NULL && PyErr_Occurred() ? -1 : 0;
}

/* Raises a BufferError: the entry `key` is not `expected`. Returns -1. */
static int refuse_entry(const reader *from, const char *key, const char *expected, PyObject *value)
{
    if (!PyErr_Occurred() || dlb_py_may_try_another()) {
        PyErr_Format(PyExc_BufferError, "%s: '%s' of %s must be %s, not %.100R", from->name, key, from->attribute, expected,
                     value != NULL ? value : Py_None);
    }
    return -1;
}

/* Converts an integer to an int64_t. Returns false, perhaps with an exception, if it is none or does not fit. */
static bool read_int64(PyObject *value, int64_t *to)
{
    PyObject *const index = PyNumber_Index(value);
    int overflow = 0;

    *to = index != NULL ? PyLong_AsLongLongAndOverflow(index, &overflow) : -1;
    Py_XDECREF(index);
    return index != NULL && overflow == 0;
}

/* Reads a tuple of integers, one per axis, to `to`. Sets `*count` to their number. Returns 0, or -1 with a BufferError. */
static int read_int64s(const reader *from, const char *key, PyObject *tuple, int64_t *to, int32_t *count)
{
    const Py_ssize_t size = tuple != NULL && PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
    bool valid = size >= 0 && size <= DLB_MAX_NDIM;

    for (Py_ssize_t i = 0; i < size && valid; i++) {
        valid = read_int64(PyTuple_GetItem(tuple, i), &to[i]);
    }
    *count = (int32_t)size;
    return valid ? 0 : refuse_entry(from, key, "a tuple of at most 64 ints of 64 bits", tuple);
}

/* ---- Dtype and axes ---- */

/* Reads the dtype. Returns 0, or -1 with a BufferError. */
static int dtype_of_interface(const reader *from, DLTensor *tensor)
{
    PyObject *value;
    PyObject *fields = NULL;
    const char *string;

    if (find_item(from, "typestr", &value) != 0 || (from->record != NULL && find_item(from, "descr", &fields) != 0)) {
        return -1;
    }
    string = value != NULL && PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    if (string == NULL) {
        return refuse_entry(from, "typestr", "a str", value);
    }
    if (from->record != NULL) {
        tensor->dtype = dlb_dtype_of_record(from->record);
        return dlb_py_check_descr(from->name, from->record, string, fields);
    }
    if (!dlb_py_read_typestr(string, &tensor->dtype, &from->elements->swapped)) {
        PyErr_Format(PyExc_BufferError, "%s: typestr '%.50s' of %s has no DLPack dtype", from->name, string, from->attribute);
        return -1;
    }
    return 0;
}

/* Converts strides from bytes to elements, in place. If DLPack cannot describe the elements, describes their bytes. Returns 0, or -1 with a
 * BufferError. */
static int convert_strides(const reader *from, DLTensor *tensor)
{
    const int64_t itemsize = dlb_itemsize(tensor->dtype);
    const int halvings = dlb_halvings(itemsize);
    const bool divides = (itemsize & (itemsize - 1)) != 0; /* of records; other item sizes are powers of two */
    bool odd = from->elements->swapped;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t stride = tensor->strides[axis];

        odd = odd || ((divides ? stride % itemsize : stride & (itemsize - 1)) != 0 && tensor->shape[axis] > 1);
    }
    for (int32_t axis = 0; axis < tensor->ndim && !odd; axis++) {
        tensor->strides[axis] = divides ? tensor->strides[axis] / itemsize : tensor->strides[axis] >> halvings;
    }
    return odd ? dlb_py_show_bytes(from->name, tensor, from->elements) : 0;
}

/* Sets the strides of a compact array. Returns 0, or -1 with a BufferError. */
static int compact_strides(const reader *from, DLTensor *tensor)
{
    dlb_compact_tensor(tensor, tensor->ndim);
    for (int32_t axis = 0; axis < tensor->ndim && from->elements->swapped; axis++) {
        tensor->strides[axis] *= dlb_itemsize(tensor->dtype);
    }
    return from->elements->swapped ? dlb_py_show_bytes(from->name, tensor, from->elements) : 0;
}

/* Reads shape and strides, whose numbers are stored in `axes`. Returns 0, or -1 with a BufferError. */
static int axes_of_interface(const reader *from, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM])
{
    PyObject *shape;
    PyObject *strides;
    dlb_error error;
    int64_t count;
    int32_t stride_count;

    tensor->shape = axes;
    tensor->strides = axes + DLB_MAX_NDIM;
    if (find_item(from, "shape", &shape) != 0 || find_item(from, "strides", &strides) != 0 ||
        read_int64s(from, "shape", shape, tensor->shape, &tensor->ndim) != 0) {
        return -1;
    }
    if (dlb_check_extents(tensor, from->name, &count, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    if (strides == NULL) {
        return compact_strides(from, tensor);
    }
    if (read_int64s(from, "strides", strides, tensor->strides, &stride_count) != 0) {
        return -1;
    }
    if (stride_count != tensor->ndim) {
        return refuse_entry(from, "strides", "as long as the shape", strides);
    }
    if (convert_strides(from, tensor) != 0) {
        return -1;
    }
    if (count != 0 && dlb_check_span(tensor, from->name, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    return 0;
}

/* ---- Data ---- */

/* Checks that the elements lie in the bytes of a buffer, from `offset` on. Returns 0, or -1 with a BufferError. */
static int check_bounds(const reader *from, const DLTensor *tensor, const Py_buffer *buffer, int64_t offset)
{
    const int64_t itemsize = dlb_itemsize(tensor->dtype);
    int64_t first = offset;
    int64_t last = offset;
    bool inside = offset >= 0 && offset <= buffer->len;

    for (int32_t axis = 0; axis < tensor->ndim && inside; axis++) {
        int64_t *const side = tensor->strides[axis] < 0 ? &first : &last;
        int64_t reach;

        inside = !dlb_multiply_overflows(tensor->strides[axis], itemsize, &reach) &&
                 !dlb_multiply_overflows(reach, tensor->shape[axis] - 1, &reach) && !dlb_add_overflows(*side, reach, side);
    }
    if (dlb_element_count(tensor) == 0 || (inside && first >= 0 && last <= buffer->len - itemsize)) {
        return 0;
    }
    PyErr_Format(PyExc_BufferError, "%s: the array of %s does not lie in its data of %zd bytes", from->name, from->attribute,
                 buffer->len);
    return -1;
}

/* Reads `data` if it is an object with a buffer, or the buffer of the producer itself. Returns 0, or -1 with an exception. */
static int read_bytes_of(const reader *from, PyObject *source, array_interface *held, DLTensor *tensor, uint64_t *flags)
{
    int64_t offset = 0;
    PyObject *value;

    if (find_item(from, "offset", &value) != 0) {
        return -1;
    }
    if (value != NULL && !read_int64(value, &offset)) {
        return refuse_entry(from, "offset", "an int", value);
    }
    if (!PyObject_CheckBuffer(source)) {
        return refuse_entry(from, "data", "a tuple of an address and a bool, or a buffer", source == held->producer ? NULL : source);
    }
    if (dlb_py_get_buffer(from->name, source, &held->buffer) != 0) {
        held->buffer.obj = NULL;
        return -1;
    }
    if (!dlb_py_is_contiguous(&held->buffer, 'C')) {
        return refuse_entry(from, "data", "a C-contiguous buffer", source);
    }
    *flags = held->buffer.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    if (check_bounds(from, tensor, &held->buffer, offset) != 0) {
        return -1;
    }
    tensor->data = dlb_element_count(tensor) != 0 ? (char *)held->buffer.buf + offset : NULL;
    return 0;
}

/* Reads `data` if it is a tuple of an address and whether the data is read-only. Returns 0, or -1 with an exception. */
static int read_address(const reader *from, PyObject *pair, DLTensor *tensor, uint64_t *flags)
{
    PyObject *const index = PyTuple_Size(pair) == 2 ? PyNumber_Index(PyTuple_GetItem(pair, 0)) : NULL;
    const unsigned long long address = index != NULL ? PyLong_AsUnsignedLongLong(index) : 0;
    const int readonly = index != NULL && !PyErr_Occurred() ? PyObject_IsTrue(PyTuple_GetItem(pair, 1)) : -1;

    Py_XDECREF(index);
    if (readonly < 0 || address > UINTPTR_MAX) {
        return refuse_entry(from, "data", "a tuple of an address and a bool", pair);
    }
    tensor->data = (void *)(uintptr_t)address;
    *flags = readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    return 0;
}

/* Reads `data`. Returns 0, or -1 with an exception. */
static int data_of_interface(const reader *from, array_interface *held, DLTensor *tensor, uint64_t *flags)
{
    PyObject *data;

    if (find_item(from, "data", &data) != 0) {
        return -1;
    }
    if (data != NULL && PyTuple_Check(data)) {
        return read_address(from, data, tensor, flags);
    }
    return from->cuda ? refuse_entry(from, "data", "a tuple of an address and a bool", data)
                      : read_bytes_of(from, data != NULL ? data : held->producer, held, tensor, flags);
}

/* ---- CUDA ---- */

/* Reads the entry `stream`; 0: it is missing, and the memory needs no synchronisation. An entry of 0 is refused, since it could mean two
 * streams. Returns 0, or -1 with a BufferError. */
static int find_stream(const reader *from, int64_t *stream)
{
    PyObject *value;

    *stream = 0;
    if (find_item(from, "stream", &value) != 0) {
        return -1;
    }
    return value == NULL || (read_int64(value, stream) && *stream > 0)
               ? 0
               : refuse_entry(from, "stream", "None, 1, 2 or the address of a stream", value);
}

/* Waits until the work of `stream` is done. Returns 0, or -1 with an exception. */
static int wait_for_stream(const reader *from, const dlb_py_cuda *cuda, int64_t stream)
{
    const long result = dlb_py_wait_for_cuda(cuda, stream);

    if (result != 0 && !PyErr_Occurred()) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the stream of the array has failed in CUDA (error %ld)", from->name, result);
    }
    return result != 0 ? -1 : 0;
}

/* Sets the device of an array on CUDA, and waits for its stream. Returns 0, or -1 with an exception. */
static int read_cuda(const reader *from, DLTensor *tensor)
{
    dlb_py_cuda cuda;
    int64_t stream;
    int result;

    tensor->device = (DLDevice){kDLCUDA, 0};
    if (find_stream(from, &stream) != 0) {
        return -1;
    }
    if (dlb_element_count(tensor) == 0) {
        return 0;
    }
    result = dlb_py_open_cuda(&cuda);
    if (result != 0 && dlb_py_may_try_another()) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the data is on cuda, but there is no driver of CUDA (" DLB_PY_CUDA_DRIVER
                                                   ") that knows its device", from->name);
    }
    if (result == 0) {
        result = dlb_py_find_cuda_device(&cuda, from->name, tensor);
    }
    if (result == 0 && stream != 0) {
        result = wait_for_stream(from, &cuda, stream);
    }
    dlb_py_close_cuda(&cuda);
    return result;
}

/* ---- Interfaces ---- */

/* Returns whether a value certainly has no interface, so that its attributes need not be searched. A class describes its objects. */
static bool is_plain_value(PyObject *value)
{
    return value == Py_None || PyLong_Check(value) || PyFloat_Check(value) || PyUnicode_CheckExact(value) ||
           PyList_CheckExact(value) || PyTuple_CheckExact(value) || PyDict_CheckExact(value) || PyType_Check(value);
}

static const char *const interfaces[] = {"__array_interface__", "__cuda_array_interface__"};

/* Sets the dict of `from` to the interface of an object, a new reference, or to NULL if it has none. Returns 0, or -1 with an exception. */
static int find_interface(PyObject *producer, reader *from)
{
    from->dict = NULL;
    for (size_t i = 0; i < sizeof interfaces / sizeof interfaces[0] && from->dict == NULL && !is_plain_value(producer); i++) {
        from->attribute = interfaces[i];
        from->cuda = i > 0;
        from->dict = dlb_py_check_stack() == 0 ? PyObject_GetAttrString(producer, interfaces[i]) : NULL;
        if (from->dict == NULL) {
            if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
                return -1;
            }
            PyErr_Clear();
        } else if (from->dict == Py_None) {
            Py_CLEAR(from->dict);
        }
    }
    return 0;
}

int dlb_py_has_interface(PyObject *value)
{
    bool has = false;

    if (is_plain_value(value)) {
        return 0;
    }
    if (dlb_py_check_stack() != 0) {
        return -1; /* not covered: the call has checked the stack before, at about the same depth */
    }
    /* the property of a class is not called, since it may copy the memory to bytes */
    for (size_t i = 0; i < sizeof interfaces / sizeof interfaces[0] && !has; i++) {
        has = PyObject_HasAttrString((PyObject *)Py_TYPE(value), interfaces[i]) != 0;
    }
    for (size_t i = 0; i < sizeof interfaces / sizeof interfaces[0] && !has; i++) {
        PyObject *const attribute = PyObject_GetAttrString(value, interfaces[i]);

        if (attribute != NULL) {
            has = attribute != Py_None;
            Py_DECREF(attribute);
        } else if (dlb_py_is_final()) {
            return -1;
        } else {
            has = !PyErr_ExceptionMatches(PyExc_AttributeError);
            PyErr_Clear(); /* the import repeats a look-up that fails, and raises its exception */
        }
    }
    return has;
}

/* Checks the entries that no tensor can express. Returns 0, or -1 with an exception. */
static int check_others(const reader *from)
{
    PyObject *value;
    int64_t version = 0;

    if (find_item(from, "version", &value) != 0) {
        return -1;
    }
    if (value != NULL && (!read_int64(value, &version) || version > 3)) {
        return refuse_entry(from, "version", "3 or older", value);
    }
    if (find_item(from, "mask", &value) != 0) {
        return -1;
    }
    return value != NULL ? refuse_entry(from, "mask", "None", value) : 0;
}

/* Describes the array of an interface in `tensor`. Returns 0, or -1 with an exception. */
static int read_interface(const reader *from, array_interface *held, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM], uint64_t *flags)
{
    *tensor = (DLTensor){.device = DLB_CPU};
    if (check_others(from) != 0 || dtype_of_interface(from, tensor) != 0 || axes_of_interface(from, tensor, axes) != 0 ||
        data_of_interface(from, held, tensor, flags) != 0 || (from->cuda && read_cuda(from, tensor) != 0)) {
        return -1;
    }
    return 0;
}

/* Replaces the dict of `from` by a copy, which other code cannot change while it is read. Returns 0, or -1 with an exception. */
static int copy_dict(reader *from)
{
    PyObject *const dict = from->dict;

    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%s: %s must be a dict, not %.100R", from->name, from->attribute, dict);
        from->dict = NULL;
    } else {
        from->dict = PyDict_Copy(dict);
    }
    Py_DECREF(dict);
    return from->dict != NULL ? 0 : -1;
}

/* Allocates a holder of the producer and of the copied dict. Returns NULL with an exception. */
static array_interface *new_interface(PyObject *producer, const reader *from)
{
    array_interface *const held = PyMem_Malloc(sizeof *held);

    if (held == NULL) {
        Py_DECREF(from->dict);
        PyErr_NoMemory();
        return NULL;
    }
    held->producer = Py_NewRef(producer);
    held->dict = from->dict;
    held->buffer.obj = NULL;
    return held;
}

int dlb_py_hold_interface(const char *name, const dlb_record *record, PyObject *producer, PyObject **holder, DLTensor *tensor,
                          int64_t axes[2 * DLB_MAX_NDIM], dlb_memory *memory)
{
    reader from = {name, "", NULL, record, false, &memory->elements};
    array_interface *held;

    *holder = NULL;
    *memory = (dlb_memory){.tensor = tensor};
    if (find_interface(producer, &from) != 0) {
        return -1;
    }
    if (from.dict == NULL) {
        return 1;
    }
    held = copy_dict(&from) == 0 ? new_interface(producer, &from) : NULL;
    if (held == NULL) {
        return -1;
    }
    if (read_interface(&from, held, tensor, axes, &memory->flags) == 0) {
        held->span = dlb_span_of(tensor);
        *holder = PyCapsule_New(held, interface_capsule, end_interface);
    }
    if (*holder == NULL) {
        free_interface(held);
        return -1;
    }
    return 0;
}
