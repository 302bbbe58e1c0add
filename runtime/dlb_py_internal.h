/* SPDX-License-Identifier: MIT-0 */
/* What the CPython files of the runtime share. */
#ifndef DLB_PY_INTERNAL_H_
#define DLB_PY_INTERNAL_H_

#include "dlb_python.h"

#include "dlb_internal.h"

/* An interpreter, for deleters that outlive it: they may ask whether it still lives, without Python. */
typedef struct dlb_py_interpreter {
    dlb_count holders;
    dlb_count alive; /* 1, and 0 once it ends */
    PyInterpreterState *state;
} dlb_py_interpreter;

typedef struct dlb_py_class {
    const dlb_type *type;
    PyTypeObject *cls;
} dlb_py_class;

/* What the runtime keeps per interpreter. */
typedef struct dlb_py_state {
    dlb_count holders; /* the dict of the interpreter, and each object: finalizers run after the dict has gone */
    dlb_py_interpreter *interpreter;
    PyObject *dlpack; /* the strings "__dlpack__", ... interned */
    PyObject *stream;
    PyObject *max_version;
    PyObject *dl_device;
    PyObject *copy;
    PyObject *ask_names;   /* ("max_version",) */
    PyObject *ask_version; /* (1, 3) */
    dlb_py_class *classes;
    size_t class_count;
} dlb_py_state;

/* Around what two threads without a GIL must not do at once; `object` is the lock. */
#if PY_VERSION_HEX >= 0x030D0000
#define DLB_PY_LOCK(object) Py_BEGIN_CRITICAL_SECTION(object)
#define DLB_PY_UNLOCK() Py_END_CRITICAL_SECTION()
#else
#define DLB_PY_LOCK(object) {
#define DLB_PY_UNLOCK() }
#endif

/* Instance data, reached in this one way so that other layouts of objects stay possible. */
static inline dlb_py_object *dlb_py_data(PyObject *self)
{
    return (dlb_py_object *)self;
}

static inline dlb_owner *dlb_py_owner(PyObject *self)
{
    return dlb_py_data(self)->owner;
}

/* The state of the current interpreter, made at the first call. NULL with an exception. */
DLB_API dlb_py_state *dlb_py_get_state(void);
DLB_API void dlb_py_state_drop(dlb_py_state *state);
DLB_API int dlb_py_register(const dlb_type *type, PyTypeObject *cls);
/* A new reference to the class of `type`, or NULL with an exception. */
DLB_API PyTypeObject *dlb_py_class_of(const dlb_py_state *state, const dlb_type *type);

/* Sets the exception that `error` describes; always NULL. */
DLB_API PyObject *dlb_py_raise(const dlb_error *error);

/* Py_DECREF as a function, for dlb_py_quietly(). */
static inline void dlb_py_decref(void *object)
{
    Py_DECREF((PyObject *)object);
}

/* Calls `release(target)`, which may run foreign code, with no exception pending; what was pending is restored. */
DLB_API void dlb_py_quietly(void (*release)(void *target), void *target);

/* A new object of the class of `type`, which takes over the caller's share of `owner`; not on failure. */
DLB_API PyObject *dlb_py_new(const dlb_type *type, dlb_owner *owner);

/* Drops a share of `owner`, whatever exception is pending. */
DLB_API void dlb_py_drop(dlb_owner *owner);

/* Describes the object behind `self`, the flags of its owner included. 0, or -1 with an exception. */
DLB_API int dlb_py_view(PyObject *self, dlb_view *view);

/* Makes `owner` keep `parent` alive. 0, or -1 with an exception. */
DLB_API int dlb_py_keep_parent(dlb_owner *owner, PyObject *parent);
DLB_API dlb_py_interpreter *dlb_py_interpreter_new(void);
DLB_API void dlb_py_interpreter_drop(dlb_py_interpreter *interpreter);

#endif
