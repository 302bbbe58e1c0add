/* SPDX-License-Identifier: MIT-0 */
/* Objects: creation, destruction, closing, and attributes. */

#include "object.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Creation ---- */

int dlb_py_begin(dlb_py_pending_object *pending, const dlb_type *type, PyObject *parent)
{
    dlb_py_state *const state = dlb_py_get_state();

    return state != NULL ? dlb_py_begin_in(state, pending, type, parent) : -1;
}

int dlb_py_begin_in(dlb_py_state *state, dlb_py_pending_object *pending, const dlb_type *type, PyObject *parent)
{
    PyTypeObject *const cls = dlb_py_class_of(state, type);

    if (cls == NULL) {
        return -1;
    }
    pending->guard = NULL;
    if (parent != NULL || type->release_on == DLB_RELEASE_GIL) {
        pending->guard = dlb_py_guard_new(state, parent);
        if (pending->guard == NULL) {
            Py_DECREF(cls);
            return -1;
        }
    }
    pending->self = dlb_py_new_object(state, cls);
    Py_DECREF(cls);
    if (pending->self == NULL) {
        if (pending->guard != NULL) {
            dlb_py_guard_free(pending->guard);
        }
        return -1;
    }
    dlb_py_begin_object(pending->self, state, type, dlb_has_hooks(type));
    return 0;
}

void dlb_py_cancel(dlb_py_pending_object *pending)
{
    Py_DECREF(pending->self);
    if (pending->guard != NULL) {
        dlb_py_guard_free(pending->guard);
    }
}

PyObject *dlb_py_finish(dlb_py_pending_object *pending, dlb_owner *owner)
{
    dlb_py_give_owner(pending->self, owner->type, owner); /* reads `owner->release` before the guard takes it */
    if (pending->guard != NULL) {
        dlb_py_guard_owner(pending->guard, owner);
    }
    return (PyObject *)pending->self;
}

static PyObject *wrap(const dlb_type *type, void *object, PyObject *parent)
{
    dlb_py_pending_object pending;
    dlb_owner *owner;
    dlb_error error;

    if (dlb_py_begin(&pending, type, parent) != 0) {
        return NULL;
    }
    if (dlb_own(type, object, &owner, &error) != 0) {
        dlb_py_cancel(&pending);
        return dlb_py_raise(&error);
    }
    return dlb_py_finish(&pending, owner);
}

PyObject *dlb_py_wrap(const dlb_type *type, void *object)
{
    return wrap(type, object, NULL);
}

PyObject *dlb_py_wrap_borrowed(const dlb_type *type, void *object, PyObject *parent)
{
    return wrap(type, object, parent);
}

/* ---- Destruction ---- */

/* The number of nested destructions that need no thread-local counter; see dlb_destroy_or_defer(). */
enum { MAX_NESTED = 32 };

/* Drops the owner's share of a Python object that is being destroyed. With the GIL, `state->ending` counts nested destructions. From
 * MAX_NESTED on, dlb_owner_drop() defers them. */
static inline void drop_owner(void *object)
{
    dlb_owner *const owner = dlb_py_data(object)->owner;
    dlb_py_state *const state = dlb_py_data(object)->state;

    if (DLB_UNLIKELY(DLB_PY_FREE_THREADED || dlb_has_creator(owner) || state->ending >= MAX_NESTED)) {
        dlb_owner_drop(owner);
    } else if (dlb_owner_gave_last(owner, DLB_HOLDER)) {
        state->ending++;
        dlb_owner_empty(owner);
        state->ending--;
        dlb_py_disown(state, owner);
    }
}

void dlb_py_dealloc(PyObject *self)
{
    PyTypeObject *const cls = Py_TYPE(self);
    dlb_py_state *const state = dlb_py_data(self)->state;

    if (DLB_PY_FREE_THREADED || dlb_py_data(self)->weakrefs != NULL) { /* another thread may destroy a weak reference */
        PyObject_ClearWeakRefs(self);
    }
    if (dlb_py_data(self)->owner != NULL) { /* NULL: the object is closed, or was only pending */
        dlb_py_quietly(drop_owner, self);
    }
    dlb_py_free_object(state, self);
    dlb_py_state_drop(state);
    Py_DECREF(cls);
}

/* ---- Closing: drops the share of the Python object; exports stay valid ---- */

dlb_owner *dlb_py_closed(PyObject *self)
{
    (void)dlb_py_raise_message(PyExc_ValueError, "%s: the object is closed", dlb_py_data(self)->type->name);
    return NULL;
}

/* Removes the owner from a locked object, and returns it with its share, or NULL. */
static dlb_owner *detach(dlb_py_object *self)
{
    dlb_owner *const owner = self->owner;

    self->owner = NULL;
    if (!self->shares) { /* with `shares`, these are never set, and other threads may read them */
        self->object = NULL;
        self->describe_temporary = NULL;
    }
    return owner;
}

dlb_owner *dlb_py_detach(PyObject *self)
{
    dlb_owner *owner;

    DLB_PY_LOCK(self);
    owner = detach(dlb_py_data(self));
    DLB_PY_UNLOCK();
    return owner;
}

/* Removes the owner from an object that is being closed, and returns it. Sets a BufferError if the library has a `close` function and
 * the memory is in use. Returns NULL with that exception, or without one if the object was closed before. */
static dlb_owner *take_owner(PyObject *self)
{
    int64_t users = 0;
    dlb_owner *owner;

    DLB_PY_LOCK(self);
    owner = dlb_py_data(self)->owner;
    if (owner != NULL && dlb_py_data(self)->closes) {
        users = dlb_owner_exports(owner) + dlb_owner_holders(owner) - 1;
    }
    if (users == 0) {
        (void)detach(dlb_py_data(self));
    }
    DLB_PY_UNLOCK();
    if (users > 0) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: cannot be closed: %lld exports of it, or objects made of it, are in use",
                                dlb_py_data(self)->type->name, (long long)users);
        return NULL;
    }
    return owner;
}

PyObject *dlb_py_close(PyObject *self, PyObject *unused)
{
    dlb_owner *const owner = take_owner(self);
    dlb_error error;
    int result = 0;

    (void)unused;
    if (owner == NULL) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        Py_RETURN_NONE;
    }
    if (dlb_py_data(self)->closes) {
        dlb_owner_close(owner); /* also if the call fails */
        DLB_CHECK(dlb_checked_release(owner, true));
        result = owner->type->close(owner->object, &error);
        DLB_CHECK(dlb_checked_released(owner));
    }
    dlb_owner_drop(owner);
    if (result != 0) {
        return dlb_py_raise(&error);
    }
    Py_RETURN_NONE;
}

PyObject *dlb_py_enter_context(PyObject *self, PyObject *unused)
{
    dlb_owner *const owner = dlb_py_enter(self);

    (void)unused;
    if (owner == NULL) {
        return NULL;
    }
    dlb_py_leave(self, owner);
    Py_INCREF(self);
    return self;
}

PyObject *dlb_py_exit_context(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)args;
    (void)nargs;
    return dlb_py_close(self, NULL);
}

/* ---- Access to the C object ---- */

void *dlb_py_unwrap(const dlb_type *type, PyObject *object)
{
    dlb_owner *owner;
    void *result;

    if (!dlb_py_is_ours(object) || dlb_py_data(object)->type != type) {
        return dlb_py_wrong_type("expected %s, not '%s'", type->name, object);
    }
    owner = dlb_py_enter(object);
    if (owner == NULL) {
        return NULL;
    }
    result = dlb_owner_object(owner);
    dlb_py_leave(object, owner);
    return result;
}

/* Describes the object on the fast path. Returns false if the slow path must describe it. */
static bool view_fast(const dlb_py_object *self, dlb_view *view)
{
    int flags;

    if (self->object == NULL || self->type->describe_fast == NULL) {
        return false;
    }
    flags = self->type->describe_fast(&view->own, view->axes, self->owner->object, dlb_decline);
    if (DLB_UNLIKELY(flags < 0)) {
        return false;
    }
    view->tensor = &view->own;
    view->name = self->type->name;
    view->flags = (uint32_t)flags | self->owner->flags;
    return true;
}

int dlb_py_view(PyObject *self, dlb_view *view)
{
    dlb_owner *owner;
    dlb_error error;
    int result;

    if (DLB_LIKELY(view_fast(dlb_py_data(self), view))) {
        return 0;
    }
    owner = dlb_py_enter(self);
    if (owner == NULL) {
        return -1;
    }
    result = dlb_owner_view(owner, view, &error);
    dlb_py_leave(self, owner);
    if (result != 0) {
        (void)dlb_py_raise(&error);
    }
    return result;
}

/* ---- Attributes ---- */

PyObject *dlb_py_dlpack_device(PyObject *self, PyObject *unused)
{
    dlb_view view;
    DLDevice device;

    (void)unused;
    if (dlb_py_view(self, &view) != 0) {
        return NULL;
    }
    device = view.tensor->device;
    if (DLB_LIKELY(device.device_type == kDLCPU && device.device_id == 0)) {
        return Py_NewRef(dlb_py_data(self)->state->cpu);
    }
    return dlb_py_axes((const int64_t[]){device.device_type, device.device_id}, 2);
}

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

const dlb_record *dlb_py_record_of_object(PyObject *self)
{
    const dlb_record *record = NULL;
    dlb_owner *owner;

    if (DLB_LIKELY(dlb_py_data(self)->type->record_at == 0)) {
        return dlb_py_data(self)->type->record;
    }
    owner = dlb_py_enter_quietly(self); /* not the member `object`, which is NULL without a GIL */
    if (owner != NULL) {
        record = dlb_py_record_of(owner->type, owner->object);
        dlb_py_leave(self, owner);
    }
    return record;
}

/* Returns the name of the dtype; of records, the C type. `buffer` may store it. */
static const char *name_of_dtype(PyObject *self, const dlb_view *view, char buffer[DLB_NAME_SIZE])
{
    const dlb_record *const record = dlb_py_record_of_object(self);

    return record != NULL ? record->name : dlb_dtype_name(view->tensor->dtype, buffer);
}

static PyObject *get_dtype(PyObject *self, void *closure)
{
    char buffer[DLB_NAME_SIZE];
    dlb_view view;

    (void)closure;
    return dlb_py_view(self, &view) == 0 ? PyUnicode_FromString(name_of_dtype(self, &view, buffer)) : NULL;
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

/* Appends the formatted arguments to the string `buffer` of `size` bytes, and truncates them if there is not enough space. */
static void append(char *buffer, size_t size, const char *format, ...) DLB_PRINTF(3, 4);
static void append(char *buffer, size_t size, const char *format, ...)
{
    const size_t used = strlen(buffer);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(buffer + used, size - used, format, arguments);
    va_end(arguments);
}

static void append_axes(char *buffer, size_t size, const int64_t *values, int32_t count)
{
    for (int32_t axis = 0; axis < count; axis++) {
        append(buffer, size, axis == 0 ? "%lld" : ", %lld", (long long)values[axis]);
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
    char buffer[2 * DLB_MAX_NDIM * 22 + 128] = "";
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
    append(buffer, sizeof buffer, "%s[", name_of_dtype(self, &view, name));
    append_axes(buffer, sizeof buffer, view.tensor->shape, view.tensor->ndim);
    append(buffer, sizeof buffer, "]");
    if (dlb_element_count(view.tensor) != 0 && !dlb_is_compact(view.tensor, DLB_ORDER_C)) {
        append(buffer, sizeof buffer, " strides (");
        append_axes(buffer, sizeof buffer, view.tensor->strides, view.tensor->ndim);
        append(buffer, sizeof buffer, ")");
    }
    append(buffer, sizeof buffer, " on %s", dlb_device_name(view.tensor->device.device_type, name));
    if (view.tensor->device.device_type != kDLCPU) {
        append(buffer, sizeof buffer, ":%d", (int)view.tensor->device.device_id);
    }
    if ((view.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        append(buffer, sizeof buffer, ", read-only");
    }
    return PyUnicode_FromFormat("<%s %s>", dlb_py_data(self)->type->name, buffer);
}

/* An object that is closed, or that cannot be described, counts without elements: a scheduler or a profiler may call this at any time. */
PyObject *dlb_py_sizeof(PyObject *self, PyObject *unused)
{
    dlb_owner *const owner = dlb_py_enter_quietly(self);
    size_t size = sizeof(dlb_py_object);
    dlb_error error;
    dlb_view view;

    (void)unused;
    if (owner == NULL) {
        return PyLong_FromSize_t(size);
    }
    if (dlb_owner_owns_elements(owner) && dlb_owner_view(owner, &view, &error) == 0) {
        const dlb_span span = dlb_span_of(view.tensor);

        size += (size_t)(span.end - span.begin);
    }
    dlb_py_leave(self, owner);
    return PyLong_FromSize_t(size);
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
