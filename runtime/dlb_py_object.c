/* SPDX-License-Identifier: MIT-0 */
/* The Python object: how it comes, how it goes, what it says about itself. */
#include "dlb_py_internal.h"

#include <stdarg.h>
#include <stdio.h>

int dlb_py_add_type(PyObject *module, const dlb_type *type, PyType_Spec *spec)
{
    PyObject *const cls = PyType_FromModuleAndSpec(module, spec, NULL);
    int result;

    if (cls == NULL) {
        return -1;
    }
    result = PyModule_AddType(module, (PyTypeObject *)cls);
    if (result == 0) {
        result = dlb_py_register(type, (PyTypeObject *)cls);
    }
    Py_DECREF(cls);
    return result;
}

static void drop_owner(void *owner)
{
    dlb_owner_drop(owner);
}

void dlb_py_drop(dlb_owner *owner)
{
    dlb_py_quietly(drop_owner, owner);
}

PyObject *dlb_py_new(const dlb_type *type, dlb_owner *owner)
{
    dlb_py_state *const state = dlb_py_get_state();
    PyTypeObject *const cls = state != NULL ? dlb_py_class_of(state, type) : NULL;
    dlb_py_object *self;

    if (cls == NULL) {
        return NULL;
    }
    self = PyObject_New(dlb_py_object, cls);
    Py_DECREF(cls);
    if (self != NULL) {
        dlb_count_add(&state->holders, 1);
        self->owner = owner;
        self->state = state;
    }
    return (PyObject *)self;
}

void dlb_py_dealloc(PyObject *self)
{
    PyTypeObject *const cls = Py_TYPE(self);

    dlb_py_drop(dlb_py_owner(self));
    dlb_py_state_drop(dlb_py_data(self)->state);
    PyObject_Free(self);
    Py_DECREF(cls);
}

static PyObject *wrap(const dlb_type *type, void *object, PyObject *parent)
{
    dlb_owner *owner;
    PyObject *self = NULL;
    dlb_error error;

    if (dlb_own(type, object, &owner, &error) != 0) {
        return dlb_py_raise(&error);
    }
    if (parent == NULL || dlb_py_keep_parent(owner, parent) == 0) {
        self = dlb_py_new(type, owner);
    }
    if (self == NULL && type->release != NULL && type->retain == NULL) {
        dlb_owner_disown(owner); /* the object had moved in: it goes back to the caller */
    } else if (self == NULL) {
        dlb_py_drop(owner);
    }
    return self;
}

PyObject *dlb_py_wrap(const dlb_type *type, void *object)
{
    return wrap(type, object, NULL);
}

PyObject *dlb_py_wrap_borrowed(const dlb_type *type, void *object, PyObject *parent)
{
    return wrap(type, object, parent);
}

void *dlb_py_unwrap(const dlb_type *type, PyObject *object)
{
    /* Classes are final, so an object of ours has exactly our dealloc; the owner then knows its type. */
    if (Py_TYPE(object)->tp_dealloc != dlb_py_dealloc || dlb_py_owner(object)->type != type) {
        PyErr_Format(PyExc_TypeError, "expected %s, not %.200s", type->name, Py_TYPE(object)->tp_name);
        return NULL;
    }
    return dlb_owner_object(dlb_py_owner(object));
}

int dlb_py_view(PyObject *self, dlb_view *view)
{
    dlb_error error;

    if (dlb_owner_view(dlb_py_owner(self), view, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    return 0;
}

static PyObject *axes_tuple(const int64_t *values, int32_t count)
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
    return dlb_py_view(self, &view) == 0 ? axes_tuple(view.tensor.shape, view.tensor.ndim) : NULL;
}

static PyObject *get_strides(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? axes_tuple(view.tensor.strides, view.tensor.ndim) : NULL;
}

static PyObject *get_dtype(PyObject *self, void *closure)
{
    char text[DLB_NAME_TEXT];
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyUnicode_FromString(dlb_dtype_name(view.tensor.dtype, text)) : NULL;
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
    return PyLong_FromLongLong(dlb_nbytes(view.tensor.dtype, dlb_element_count(&view.tensor)));
}

static PyObject *get_itemsize(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyLong_FromLongLong(dlb_itemsize(view.tensor.dtype)) : NULL;
}

static PyObject *get_ndim(PyObject *self, void *closure)
{
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyLong_FromLong(view.tensor.ndim) : NULL;
}

PyGetSetDef dlb_py_getset[] = {
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

/* Appends what `format` says to `text`, as far as it fits. */
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

/* <imaging.Image uint8[480, 640, 3] on cpu>, with strides where they are not compact. Raises nothing for what the object
 * shows: a debugger or a traceback may be asking. */
PyObject *dlb_py_repr(PyObject *self)
{
    dlb_owner *const owner = dlb_py_owner(self);
    char name[DLB_NAME_TEXT];
    char text[2 * DLB_MAX_NDIM * 22 + 128] = "";
    dlb_error error;
    dlb_view view;

    if (dlb_owner_view(owner, &view, &error) != 0) {
        append(error.message, sizeof error.message, ">");
        return PyUnicode_FromFormat("<%s, not exportable: %s", owner->type->name, error.message);
    }
    append(text, sizeof text, "%s[", dlb_dtype_name(view.tensor.dtype, name));
    append_axes(text, sizeof text, view.tensor.shape, view.tensor.ndim);
    append(text, sizeof text, "]");
    if (dlb_element_count(&view.tensor) != 0 && !dlb_is_compact(&view.tensor, DLB_ORDER_C)) {
        append(text, sizeof text, " strides (");
        append_axes(text, sizeof text, view.tensor.strides, view.tensor.ndim);
        append(text, sizeof text, ")");
    }
    append(text, sizeof text, " on %s", dlb_device_name(view.tensor.device.device_type, name));
    if (view.tensor.device.device_type != kDLCPU) {
        append(text, sizeof text, ":%d", (int)view.tensor.device.device_id);
    }
    if ((view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        append(text, sizeof text, ", read-only");
    }
    return PyUnicode_FromFormat("<%s %s>", owner->type->name, text);
}
