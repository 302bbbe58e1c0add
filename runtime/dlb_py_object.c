/* SPDX-License-Identifier: MIT-0 */
/* The Python object: how it comes, how it goes, how C code gets behind it. */
#include "dlb_py_internal.h"

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

/* ---- How it comes ---- */

int dlb_py_begin(dlb_py_draft *draft, const dlb_type *type, PyObject *parent)
{
    dlb_py_state *const state = dlb_py_get_state();
    PyTypeObject *const cls = state != NULL ? dlb_py_class_of(state, type) : NULL;

    if (cls == NULL) {
        return -1;
    }
    draft->guard = NULL;
    if (parent != NULL || type->release_on == DLB_RELEASE_GIL) {
        draft->guard = dlb_py_guard_new(state, parent);
        if (draft->guard == NULL) {
            Py_DECREF(cls);
            return -1;
        }
    }
    draft->self = PyObject_New(dlb_py_object, cls);
    Py_DECREF(cls);
    if (draft->self == NULL) {
        if (draft->guard != NULL) {
            dlb_py_guard_free(draft->guard);
        }
        return -1;
    }
    dlb_count_add(&state->holders, 1);
    draft->self->owner = NULL;
    draft->self->state = state;
    return 0;
}

void dlb_py_cancel(dlb_py_draft *draft)
{
    Py_DECREF(draft->self);
    if (draft->guard != NULL) {
        dlb_py_guard_free(draft->guard);
    }
}

PyObject *dlb_py_finish(dlb_py_draft *draft, dlb_owner *owner)
{
    if (draft->guard != NULL) {
        dlb_py_guard_owner(draft->guard, owner);
    }
    draft->self->owner = owner;
    return (PyObject *)draft->self;
}

static PyObject *wrap(const dlb_type *type, void *object, PyObject *parent)
{
    dlb_py_draft draft;
    dlb_owner *owner;
    dlb_error error;

    if (dlb_py_begin(&draft, type, parent) != 0) {
        return NULL;
    }
    if (dlb_own(type, object, &owner, &error) != 0) {
        dlb_py_cancel(&draft);
        return dlb_py_raise(&error);
    }
    return dlb_py_finish(&draft, owner);
}

PyObject *dlb_py_wrap(const dlb_type *type, void *object)
{
    return wrap(type, object, NULL);
}

PyObject *dlb_py_wrap_borrowed(const dlb_type *type, void *object, PyObject *parent)
{
    return wrap(type, object, parent);
}

/* ---- How it goes ---- */

static void drop_owner(void *owner)
{
    dlb_owner_drop(owner);
}

void dlb_py_dealloc(PyObject *self)
{
    PyTypeObject *const cls = Py_TYPE(self);

    if (dlb_py_owner(self) != NULL) { /* else a draft */
        dlb_py_quietly(drop_owner, dlb_py_owner(self));
    }
    dlb_py_state_drop(dlb_py_data(self)->state);
    PyObject_Free(self);
    Py_DECREF(cls);
}

/* ---- What is behind it ---- */

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
