/* SPDX-License-Identifier: MIT-0 */
/* Failures of the runtime as exceptions, and what must not see those that are pending. */
#include "dlb_py_internal.h"

PyObject *dlb_py_message(const dlb_error *error)
{
    /* A message of the library may be in any encoding, or cut in the middle of a character. */
    return PyUnicode_DecodeUTF8(error->message, (Py_ssize_t)strlen(error->message), "replace");
}

PyObject *dlb_py_exception_of(const dlb_error *error)
{
    switch (error->status) {
    case DLB_BUFFER_ERROR:
        return PyExc_BufferError;
    case DLB_VALUE_ERROR:
        return PyExc_ValueError;
    case DLB_TYPE_ERROR:
        return PyExc_TypeError;
    case DLB_MEMORY_ERROR:
        return PyExc_MemoryError;
    case DLB_RUNTIME_ERROR:
    case DLB_OK:
        break;
    }
    return PyExc_RuntimeError;
}

void *dlb_py_raise_text(PyObject *exception, const char *format, ...)
{
    char text[512];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = dlb_write_plain(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        va_start(arguments, format);
        (void)PyErr_FormatV(exception, format, arguments);
        va_end(arguments);
    } else {
        PyObject *const message = PyUnicode_DecodeUTF8(text, length, "replace");

        if (message != NULL) {
            PyErr_SetObject(exception, message);
            Py_DECREF(message);
        }
    }
    return NULL;
}

PyObject *dlb_py_raise(const dlb_error *error)
{
    PyObject *const message = dlb_py_message(error);

    if (message != NULL) {
        PyErr_SetObject(dlb_py_exception_of(error), message);
        Py_DECREF(message);
    }
    return NULL;
}

void *dlb_py_wrong_type(const char *format, const char *text, PyObject *object)
{
    PyObject *keeper;
    const char *const name = dlb_py_type_text(object, &keeper);

    if (name != NULL) {
        (void)dlb_py_raise_text(PyExc_TypeError, format, text, name);
    }
    Py_XDECREF(keeper);
    return NULL;
}

void dlb_py_forget_exception(const dlb_py_exception *pending)
{
    dlb_py_discard(pending->traceback);
    dlb_py_discard(pending->value);
    dlb_py_discard(pending->type);
}

void dlb_py_restore(const dlb_py_exception *pending)
{
    PyErr_Clear();
    PyErr_Restore(pending->type, pending->value, pending->traceback);
}

void dlb_py_set_aside(void (*release)(void *target), void *target)
{
    const dlb_py_exception pending = dlb_py_fetch();

    release(target);
    if (PyErr_Occurred() != NULL) { /* a failure of the release, which nobody awaits */
        PyErr_WriteUnraisable(NULL);
    }
    PyErr_Restore(pending.type, pending.value, pending.traceback);
}
