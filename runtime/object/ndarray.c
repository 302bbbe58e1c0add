/* SPDX-License-Identifier: MIT-0 */
/* Reads the struct of NumPy arrays. */

#include "object.h"

typedef struct numpy_dtype {
    PyObject_HEAD
    PyObject *scalar_type;
    char kind;
    char letter;
    char byteorder; /* '=' or '|': the byte order of this machine */
    char flags;
    int number;
} numpy_dtype;

typedef struct ndarray {
    PyObject_HEAD
    char *data;
    int ndim;
    Py_ssize_t *shape;
    Py_ssize_t *strides; /* in bytes */
    PyObject *base;
    numpy_dtype *dtype;
    int flags;
} ndarray;

enum { NUMPY_WRITEABLE = 0x400, NUMPY_FLOAT16 = 23 };
#define NUMPY_WARN_ON_WRITE 0x80000000u

/* The largest number of arrays that may disagree with their buffers before the runtime stops comparing. Even a correct struct can have
 * other strides for axes of extent 1. */
enum { MAX_MISMATCHES = 16 };

/* DLPack's dtypes by NumPy's type numbers. Zero bits mark numbers that DLPack has no dtype for. */
static const DLDataType dtypes[NUMPY_FLOAT16 + 1] = {
    {kDLBool, 8, 1},
    {kDLInt, 8, 1},
    {kDLUInt, 8, 1},
    {kDLInt, 16, 1},
    {kDLUInt, 16, 1},
    {kDLInt, 32, 1},
    {kDLUInt, 32, 1},
    {kDLInt, 8 * sizeof(long), 1},
    {kDLUInt, 8 * sizeof(long), 1},
    {kDLInt, 64, 1},
    {kDLUInt, 64, 1},
    {kDLFloat, 32, 1},
    {kDLFloat, 64, 1},
    [14] = {kDLComplex, 64, 1},
    [15] = {kDLComplex, 128, 1},
    [NUMPY_FLOAT16] = {kDLFloat, 16, 1},
};

/* Describes the array in `tensor`, whose shape and strides go to `axes`. Returns false if the struct cannot be described in DLPack; the
 * slow path then reports why. */
static bool read_struct(const ndarray *array, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM])
{
    const numpy_dtype *const dtype = array->dtype;
    int64_t itemsize;

    if (array->ndim < 0 || array->ndim > DLB_MAX_NDIM || ((unsigned)array->flags & NUMPY_WARN_ON_WRITE) != 0 ||
        dtype->number < 0 || dtype->number > NUMPY_FLOAT16 || (dtype->byteorder != '=' && dtype->byteorder != '|') ||
        dtypes[dtype->number].bits == 0) {
        return false;
    }
    *tensor = (DLTensor){array->data, DLB_CPU, array->ndim, dtypes[dtype->number], axes, axes + DLB_MAX_NDIM, 0};
    itemsize = tensor->dtype.bits / 8;
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t stride = array->strides[axis];

        if ((stride & (itemsize - 1)) != 0) { /* item sizes are powers of two */
            return false;
        }
        tensor->shape[axis] = array->shape[axis];
        tensor->strides[axis] = stride / itemsize;
    }
    return true;
}

static bool same_tensor(const DLTensor *a, const DLTensor *b)
{
    if (a->data != b->data || a->ndim != b->ndim || !dlb_same_dtype(a->dtype, b->dtype)) {
        return false; /* not covered: every release of NumPy so far has this struct */
    }
    for (int32_t axis = 0; axis < a->ndim; axis++) {
        if (a->shape[axis] != b->shape[axis] || a->strides[axis] != b->strides[axis]) {
            return false;
        }
    }
    return true;
}

/* Compares the struct of an array of rank 1 or more with its buffer. Returns 1 if both agree, -1 if they differ, or 0 if there is no
 * buffer. */
static int compare_with_buffer(PyObject *array, const DLTensor *tensor)
{
    int64_t axes[2 * DLB_MAX_NDIM];
    dlb_elements elements;
    DLTensor shown;
    Py_buffer buffer;
    bool agrees;

    if (dlb_py_get_buffer("", array, &buffer) != 0) {
        /* not covered: NumPy has a buffer for each array whose dtype is in the table */
        PyErr_Clear();
        return 0;
    }
    agrees = dlb_py_read_buffer("", &buffer, &shown, axes, &elements) == 0 && same_tensor(tensor, &shown) &&
             buffer.readonly == ((((ndarray *)array)->flags & NUMPY_WRITEABLE) == 0);
    PyErr_Clear();
    dlb_py_release_buffer(&buffer);
    return agrees ? 1 : -1;
}

static bool is_large_enough(PyTypeObject *type)
{
    PyObject *const size = PyObject_GetAttrString((PyObject *)type, "__basicsize__");
    const long long bytes = size != NULL ? PyLong_AsLongLong(size) : -1;

    Py_XDECREF(size);
    PyErr_Clear();
    return bytes >= (long long)sizeof(ndarray);
}

/* Compares one array with its buffer, and stores the result in the state. The array is an instance of numpy.ndarray itself: a static C
 * type, which nobody can change. */
static void verify_struct(dlb_py_state *state, PyObject *array, const DLTensor *tensor)
{
    const int match = compare_with_buffer(array, tensor);

    if (match <= 0) {
        state->ndarrays += match;
        return;
    }
    Py_INCREF((PyObject *)Py_TYPE(array));
    state->ndarray_type = (PyObject *)Py_TYPE(array);
    state->ndarrays = 1;
}

bool dlb_py_is_ndarray_of_capsule(const dlb_py_state *state, PyObject *array)
{
    PyObject *base = array;

    while (base != NULL && (PyObject *)Py_TYPE(base) == state->ndarray_type) {
        base = ((ndarray *)base)->base;
    }
    return base != NULL && PyCapsule_CheckExact(base);
}

bool dlb_py_read_ndarray(dlb_py_state *state, PyObject *array, DLTensor *tensor, uint64_t *flags,
                         int64_t axes[2 * DLB_MAX_NDIM])
{
    if (DLB_UNLIKELY(state->ndarrays <= 0)) {
        if (state->ndarrays >= -MAX_MISMATCHES && (PyType_GetFlags(Py_TYPE(array)) & Py_TPFLAGS_HEAPTYPE) == 0 &&
            is_large_enough(Py_TYPE(array)) && read_struct((ndarray *)array, tensor, axes) && tensor->ndim > 0) {
            verify_struct(state, array, tensor);
        }
        return false;
    }
    if ((PyObject *)Py_TYPE(array) != state->ndarray_type &&
        !PyType_IsSubtype(Py_TYPE(array), (PyTypeObject *)state->ndarray_type)) { /* another class named `ndarray` */
        return false;
    }
    *flags = (((ndarray *)array)->flags & NUMPY_WRITEABLE) != 0 ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY;
    return read_struct((ndarray *)array, tensor, axes);
}
