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

/* The stream on which a consumer works that names none: the default one of the device (array API: __dlpack__). */
static inline intptr_t dlb_py_default_stream(DLDeviceType device)
{
    return device == kDLCUDA || device == kDLCUDAManaged ? 1 : 0; /* CUDA calls its legacy default stream 1 */
}

/* Sets the exception that `error` describes; always NULL. */
DLB_API PyObject *dlb_py_raise(const dlb_error *error);

/* Py_DECREF as a function, for dlb_py_quietly(). */
static inline void dlb_py_decref(void *object)
{
    Py_DECREF((PyObject *)object);
}

/* Calls `release(target)`, which may run foreign code, with no exception pending; what was pending is restored. */
DLB_API void dlb_py_quietly(void (*release)(void *target), void *target);

/* What an owner hangs on that cannot end without Python. */
typedef struct dlb_py_guard dlb_py_guard;

/* A Python object that has no owner yet: all that can fail on the side of Python has been done. */
typedef struct dlb_py_draft {
    dlb_py_object *self;
    dlb_py_guard *guard; /* or NULL */
} dlb_py_draft;

/* Begins an object of the class of `type`, whose owner shall keep `parent` alive unless that is NULL. 0, or -1 with an
 * exception. Then one of: */
DLB_API int dlb_py_begin(dlb_py_draft *draft, const dlb_type *type, PyObject *parent);
DLB_API void dlb_py_cancel(dlb_py_draft *draft);
/* The object, which takes over the caller's share of `owner`, new and unknown to others. Cannot fail. */
DLB_API PyObject *dlb_py_finish(dlb_py_draft *draft, dlb_owner *owner);

/* Describes the object behind `self`, the flags of its owner included. 0, or -1 with an exception. */
DLB_API int dlb_py_view(PyObject *self, dlb_view *view);

/* A guard that holds `parent`, if that is not NULL; or NULL with an exception. */
DLB_API dlb_py_guard *dlb_py_guard_new(const dlb_py_state *state, PyObject *parent);
/* Puts it on an owner that nobody else knows, which it ends with; */
DLB_API void dlb_py_guard_owner(dlb_py_guard *guard, dlb_owner *owner);
/* or ends one that no owner has. */
DLB_API void dlb_py_guard_free(dlb_py_guard *guard);
DLB_API dlb_py_interpreter *dlb_py_interpreter_new(void);
DLB_API void dlb_py_interpreter_drop(dlb_py_interpreter *interpreter);

/* ---- Arguments ---- */

/* The arguments of a call as METH_FASTCALL | METH_KEYWORDS passes them. */
typedef struct dlb_py_call {
    const char *function; /* its name, for messages */
    PyObject *const *args;
    Py_ssize_t nargs;
    PyObject *kwnames; /* or NULL */
    bool keyword_only; /* params are not positional; the function has read its `nargs` itself */
} dlb_py_call;

/* Room for a struct of params: on the stack if it is not large. */
typedef struct dlb_py_values {
    union {
        char bytes[256];
        long long integer;
        long double floating; /* a state may hold whatever malloc() suits */
        void *pointer;
    } small;
    void *large;
    void *place;
} dlb_py_values;

/* Zeroed room of that size, with the defaults filled in unless that function is NULL; or NULL with an exception. To be
 * ended in both cases. */
DLB_API void *dlb_py_room(dlb_py_values *values, size_t size, void (*defaults)(void *values));
DLB_API void dlb_py_room_end(dlb_py_values *values);

/* Stores the arguments where `params` say. Texts stay those of the arguments. 0, or -1 with an exception. */
DLB_API int dlb_py_parse(const dlb_py_call *call, const dlb_param *params, size_t count, void *values);

/* Texts of params, copied: a str could not be kept without Python. */
typedef struct dlb_py_texts dlb_py_texts;

/* Makes `values` point to copies of their texts: `*out`, or NULL where there are none. 0, or -1 with an exception. Then
 * free(), or */
DLB_API int dlb_py_copy_texts(const dlb_param *params, size_t count, void *values, dlb_py_texts **out);
/* an owner that keeps them, beside what it keeps already, for as long as it lives. */
DLB_API void dlb_py_keep_texts(dlb_owner *owner, dlb_py_texts *texts);

/* Stores an integer param; false if it cannot hold `index`. */
DLB_API bool dlb_py_store_index(const dlb_param *param, void *values, uint64_t index);

#endif
