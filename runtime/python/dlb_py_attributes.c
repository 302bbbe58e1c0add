/* SPDX-License-Identifier: MIT-0 */
/* The attributes and the repr() of objects. Each access reads the struct anew. */
#include "dlb_py_methods.h"

#include <stdarg.h>
#include <stdio.h>

PyObject *dlb_py_axes(const int64_t *values, int32_t count)
{
    PyObject *const tuple = PyTuple_New(count);

    for (int32_t axis = 0; tuple != NULL && axis < count; axis++) {
        PyObject *const value = PyLong_FromLongLong(values[axis]);

        if (value == NULL) {
            Py_DECREF(tuple);
            return NULL;
        }
        PyTuple_SET_ITEM(tuple, axis, value);
    }
    return tuple;
}

static PyObject *get_shape(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? dlb_py_axes(view.tensor->shape, view.tensor->ndim) : NULL;
}

static PyObject *get_strides(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? dlb_py_axes(view.tensor->strides, view.tensor->ndim) : NULL;
}

static PyObject *get_dtype(PyObject *self, void *closure)
{
    char text[DLB_NAME_SIZE];
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyUnicode_FromString(dlb_dtype_name(view.tensor->dtype, text)) : NULL;
}

static PyObject *get_device(PyObject *self, void *closure)
{
    (void)closure;
    return dlb_py_dlpack_device(self, NULL);
}

static PyObject *get_readonly(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyBool_FromLong((view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) : NULL;
}

static PyObject *get_nbytes(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    if (dlb_py_view(self, &view) != 0) {
        return NULL;
    }
    return PyLong_FromLongLong(dlb_nbytes(view.tensor->dtype, dlb_element_count(view.tensor)));
}

static PyObject *get_itemsize(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyLong_FromLongLong(dlb_itemsize(view.tensor->dtype)) : NULL;
}

static PyObject *get_ndim(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyLong_FromLong(view.tensor->ndim) : NULL;
}

PyGetSetDef dlb_py_attributes[] = {
    {"shape", get_shape, NULL, "Extent of each axis, in elements.", NULL},
    {"strides", get_strides, NULL, "Step of each axis, in elements.", NULL},
    {"dtype", get_dtype, NULL, "Name of the element type.", NULL},
    {"device", get_device, NULL, "DLPack device: its type and its number.", NULL},
    {"readonly", get_readonly, NULL, "Whether the memory must not be written.", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements, without gaps.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of one element.", NULL},
    {"ndim", get_ndim, NULL, "Number of axes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Appends the formatted arguments to the string `text` of `size` bytes, and truncates them if there is not enough space. */
static void append(char *text, size_t size, const char *format, ...) DLB_PRINTF(3, 4);
static void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void append_axes(char *text, size_t size, const int64_t *values, int32_t count)
{
    for (int32_t axis = 0; axis < count; axis++) {
        append(text, size, axis == 0 ? "%lld" : ", %lld", (long long)values[axis]);
    }
}

static PyObject *closed_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<%s, closed>", dlb_py_data(self)->type->name);
}

/* Returns the repr of a tensor, such as <imaging.Image uint8[480, 640, 3] on cpu>, with strides unless it is row-major contiguous. If
 * the object cannot be described, the repr says why. No exception is raised then, since a debugger or a traceback may call this. */
PyObject *dlb_py_repr(PyObject *self)
{
    char name[DLB_NAME_SIZE];
    char text[2 * DLB_MAX_NDIM * 22 + 128] = "";
    dlb_error error;
    dlb_view view;
    int result;
    dlb_owner *const owner = dlb_py_enter_quietly(self);

    if (owner == NULL) {
        return closed_repr(self);
    }
    result = dlb_owner_view(owner, &view, &error);
    dlb_py_leave(self, owner);
    if (result != 0) {
        append(error.message, sizeof error.message, ">");
        return PyUnicode_FromFormat("<%s, not exportable: %s", dlb_py_data(self)->type->name, error.message);
    }
    append(text, sizeof text, "%s[", dlb_dtype_name(view.tensor->dtype, name));
    append_axes(text, sizeof text, view.tensor->shape, view.tensor->ndim);
    append(text, sizeof text, "]");
    if (dlb_element_count(view.tensor) != 0 && !dlb_is_compact(view.tensor, DLB_ORDER_C)) {
        append(text, sizeof text, " strides (");
        append_axes(text, sizeof text, view.tensor->strides, view.tensor->ndim);
        append(text, sizeof text, ")");
    }
    append(text, sizeof text, " on %s", dlb_device_name(view.tensor->device.device_type, name));
    if (view.tensor->device.device_type != kDLCPU) {
        append(text, sizeof text, ":%d", (int)view.tensor->device.device_id);
    }
    if ((view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        append(text, sizeof text, ", read-only");
    }
    return PyUnicode_FromFormat("<%s %s>", dlb_py_data(self)->type->name, text);
}

PyObject *dlb_py_handle_repr(PyObject *self)
{
    dlb_owner *const owner = dlb_py_enter_quietly(self);
    void *object;

    if (owner == NULL) {
        return closed_repr(self);
    }
    object = dlb_owner_object(owner);
    dlb_py_leave(self, owner);
    return PyUnicode_FromFormat("<%s at %p>", dlb_py_data(self)->type->name, object);
}
