/* SPDX-License-Identifier: MIT-0 */
/* Exceptions: raising them, and hiding pending ones from foreign code. */
#ifndef DLB_OBJECT_ERRORS_H_
#define DLB_OBJECT_ERRORS_H_

#include "dlb_module.h"
#include "../core/exchange.h"

/* ---- Pending exceptions ---- */

/* A pending exception that was set aside. All members are NULL if none was pending. */
typedef struct dlb_py_exception {
    PyObject *type;
    PyObject *value;
    PyObject *traceback;
} dlb_py_exception;

/* Sets the pending exception aside, so that foreign code can run. Afterwards call dlb_py_restore() or dlb_py_forget_exception(). */
static inline dlb_py_exception dlb_py_fetch(void)
{
    dlb_py_exception pending;

    PyErr_Fetch(&pending.type, &pending.value, &pending.traceback);
    return pending;
}

/* Restores an exception. One raised meanwhile is destroyed first, since it may hold foreign objects. */
DLB_API DLB_COLD void dlb_py_restore(const dlb_py_exception *pending);
/* Destroys an exception with no exception pending, since it may hold foreign objects. */
DLB_API DLB_COLD void dlb_py_forget_exception(const dlb_py_exception *pending);

/* Implements dlb_py_quietly() if an exception is pending. */
DLB_API DLB_COLD void dlb_py_set_aside(void (*release)(void *target), void *target);

/* Calls `release(target)`, which may run foreign code, with no exception pending. An exception that was pending is restored. */
static inline void dlb_py_quietly(void (*release)(void *target), void *target)
{
    if (DLB_UNLIKELY(PyErr_Occurred() != NULL)) {
        dlb_py_set_aside(release, target);
    } else {
        release(target);
    }
}

/* Calls Py_DECREF: a function for dlb_py_quietly(). */
static inline void dlb_py_decref(void *object)
{
    Py_DECREF((PyObject *)object);
}

/* Drops a reference to a foreign object, or NULL, with no exception pending. */
static inline void dlb_py_discard(PyObject *object)
{
    if (object != NULL) {
        dlb_py_quietly(dlb_py_decref, object);
    }
}

/* Returns whether the pending exception must reach the caller as it is: a MemoryError, a class outside of Exception (such as
 * KeyboardInterrupt), or a RecursionError. If each level of a recursion tried two ways, the number of calls would double with each
 * level. */
DLB_API bool dlb_py_is_final(void);
/* Clears the pending exception if the import can be tried in another way. Returns false, and keeps the exception, if it is final. */
DLB_API bool dlb_py_may_try_another(void);

/* ---- Exceptions of the runtime ---- */

/* Returns the message of an error as a str: a new reference, or NULL with an exception. */
DLB_API PyObject *dlb_py_message(const dlb_error *error);
/* Returns the exception class of an error, borrowed. */
DLB_API PyObject *dlb_py_exception_of(const dlb_error *error);
/* Raises an exception with a message in the format of printf(). Faster than PyErr_Format(), which makes an object for each piece.
 * Always returns NULL. */
DLB_API DLB_COLD void *dlb_py_raise_message(PyObject *exception, const char *format, ...) DLB_PRINTF(2, 3);
/* Raises the exception that `error` describes. Always returns NULL. */
DLB_API PyObject *dlb_py_raise(const dlb_error *error);
/* Replaces the start of the message of the pending exception. If the message begins with `before`, `instead` replaces `before` and all
 * characters up to the first `until`, unless that is 0. Returns whether it does. */
enum { DLB_PY_MESSAGE_SIZE = 300 }; /* size of the buffers for such strings */
DLB_API bool dlb_py_replace_beginning(const char *before, char until, const char *instead);
/* Returns whether the message of the pending exception begins with `before`. */
DLB_API bool dlb_py_message_begins_with(const char *before);
/* Appends `addition`, a str, to the message of the pending exception, if that begins with `before`. */
DLB_API void dlb_py_extend_message(const char *before, PyObject *addition);
/* Puts function and parameter before the message of the pending exception, which foreign code raised while it converted the argument.
 * The exception object, its type and its traceback stay. These exceptions stay unchanged: a message that begins with the function, a
 * MemoryError, a RecursionError (each level would make the message longer), and a class outside of Exception (such as
 * KeyboardInterrupt). Returns -1. */
DLB_API int dlb_py_name_argument(const char *function, const char *param);

/* Raises a TypeError. `format` gets `string` (%s) and the name of the type of `object` (%s). Always returns NULL. */
DLB_API void *dlb_py_wrong_type(const char *format, const char *string, PyObject *object);

#endif
