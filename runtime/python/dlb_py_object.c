/* SPDX-License-Identifier: MIT-0 */
/* Creates, closes and destroys the Python objects of generated classes, and gives C code access to the C object. */
#include "dlb_py_methods.h"
#include "dlb_py_free_list.h"

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

/* The number of nested destructions that need no thread-local counter; see dlb_deferred.c. */
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
        owner->closed = true; /* also if the call fails */
        result = owner->type->close(owner->object, &error);
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
