/* SPDX-License-Identifier: MIT-0 */
/* Exceptions: those that the runtime raises, and those that are pending where foreign code must not see them. */
#ifndef DLB_PY_ERRORS_H_
#define DLB_PY_ERRORS_H_

#include "../core/dlb_import.h"
#include "dlb_py_compat.h"

/* ---- Pending exceptions ---- */

/* An exception that was pending and is set aside; of none, all are NULL. */
typedef struct dlb_py_exception {
    PyObject *type;
    PyObject *value;
    PyObject *traceback;
} dlb_py_exception;

/* Sets aside what is pending, so that foreign code can run. Then one of: */
static inline dlb_py_exception dlb_py_fetch(void)
{
    dlb_py_exception pending;

    PyErr_Fetch(&pending.type, &pending.value, &pending.traceback);
    return pending;
}

/* Makes it pending again, in the place of what has been raised meanwhile, which ends first: it may hold foreign objects. */
DLB_API DLB_COLD void dlb_py_restore(const dlb_py_exception *pending);
/* Drops it: it may hold foreign objects, which end with no exception pending. */
DLB_API DLB_COLD void dlb_py_forget_exception(const dlb_py_exception *pending);

/* The same as dlb_py_quietly(), where an exception is pending. */
DLB_API DLB_COLD void dlb_py_set_aside(void (*release)(void *target), void *target);

/* Calls `release(target)`, which may run foreign code, with no exception pending; what was pending is restored. */
static inline void dlb_py_quietly(void (*release)(void *target), void *target)
{
    if (DLB_UNLIKELY(PyErr_Occurred() != NULL)) {
        dlb_py_set_aside(release, target);
    } else {
        release(target);
    }
}

/* Py_DECREF as a function, for dlb_py_quietly(). */
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

/* ---- Exceptions of the runtime ---- */

/* Its message as a str: a new reference, or NULL with an exception. */
DLB_API PyObject *dlb_py_message(const dlb_error *error);
/* The class of its exception, borrowed. */
DLB_API PyObject *dlb_py_exception_of(const dlb_error *error);
/* PyErr_Format() for what printf() can write, without an object for each piece of it; always NULL. */
DLB_API DLB_COLD void *dlb_py_raise_text(PyObject *exception, const char *format, ...) DLB_PRINTF(2, 3);
/* Sets the exception that `error` describes; always NULL. */
DLB_API PyObject *dlb_py_raise(const dlb_error *error);
/* Where the message of the pending exception begins with `before`, puts `instead` there, and in the place of what follows up to the
 * character `until`, if that is not 0. Whether it does. */
enum { DLB_PY_WORDS = 300 }; /* room for such words */
DLB_API bool dlb_py_retell(const char *before, char until, const char *instead);
/* Puts function and parameter before the message of the pending exception, which foreign code has raised while the argument was
 * converted. The exception stays the same object with its type and traceback. Messages that begin with the function, a MemoryError, and
 * what is no Exception (such as KeyboardInterrupt) stay as they are. -1. */
DLB_API int dlb_py_name_argument(const char *function, const char *param);

/* Raises a TypeError whose `format` gets `text` (%s) and the name of the type of `object` (%s); always NULL. */
DLB_API void *dlb_py_wrong_type(const char *format, const char *text, PyObject *object);

#endif
