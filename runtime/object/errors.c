/* SPDX-License-Identifier: MIT-0 */
/* Exceptions. */

#include "errors.h"

#include <stdlib.h>

PyObject *dlb_py_message(const dlb_error *error)
{
    /* A message of the C library can have any encoding, or can end in the middle of a character. */
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

void *dlb_py_raise_message(PyObject *exception, const char *format, ...)
{
    char buffer[512];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = dlb_write_plain(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    if (length < 0) {
        va_start(arguments, format);
        (void)PyErr_FormatV(exception, format, arguments);
        va_end(arguments);
    } else {
        PyObject *const message = PyUnicode_DecodeUTF8(buffer, length, "replace");

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

void *dlb_py_wrong_type(const char *format, const char *string, PyObject *object)
{
    PyObject *keeper;
    const char *const name = dlb_py_type_as_str(object, &keeper);

    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, format, string, name);
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
    if (PyErr_Occurred() != NULL) { /* the release has failed, and no caller can handle it */
        PyErr_WriteUnraisable(NULL);
    }
    PyErr_Restore(pending.type, pending.value, pending.traceback);
}

/* ---- Messages of pending exceptions ---- */

/* Finds the str that is the message of an exception, or a part of it. Returns a new reference, or NULL without an exception if there is
 * none. Sets `*place` to the attribute that holds it. If `value` is a str, the exception is not normalized yet: the str is returned, and
 * `*place` is NULL. */
static PyObject *message_of(PyObject *value, const char **place)
{
    PyObject *found;
    PyObject *message = NULL;

    *place = NULL;
    if (PyUnicode_Check(value)) {
        return Py_NewRef(value);
    }
    *place = PyErr_GivenExceptionMatches(value, PyExc_OSError)        ? "strerror"
             : PyErr_GivenExceptionMatches(value, PyExc_ImportError)  ? "msg"
             : PyErr_GivenExceptionMatches(value, PyExc_UnicodeError) ? "reason"
                                                                      : "args";
    found = PyObject_GetAttrString(value, *place);
    if (found == Py_None) { /* an OSError created with one argument, an ImportError with several */
        *place = "args";
        Py_DECREF(found);
        found = PyObject_GetAttrString(value, *place);
    }
    if (found != NULL && PyUnicode_Check(found)) {
        return found;
    }
    if (found != NULL && PyTuple_Check(found) && PyTuple_GET_SIZE(found) == 0) {
        message = PyUnicode_FromString("");
    } else if (found != NULL && PyTuple_Check(found) && PyTuple_GET_SIZE(found) == 1 &&
               PyUnicode_Check(PyTuple_GET_ITEM(found, 0))) {
        message = Py_NewRef(PyTuple_GET_ITEM(found, 0));
    }
    Py_XDECREF(found);
    PyErr_Clear();
    return message;
}

/* Replaces the message that message_of() found at `place`. Takes over the reference `message`. If `message` is NULL with an exception
 * set, nothing changes. */
static void set_message(dlb_py_exception *pending, const char *place, PyObject *message)
{
    PyObject *value = message;

    if (message != NULL && place == NULL) {
        Py_DECREF(pending->value);
        pending->value = message;
        return;
    }
    if (message != NULL && strcmp(place, "args") == 0) {
        value = PyTuple_Pack(1, message);
        Py_DECREF(message);
    }
    if (value != NULL) {
        (void)PyObject_SetAttrString(pending->value, place, value);
        Py_DECREF(value);
    }
}

/* Fetches the pending exception, and normalizes it unless its value is a str. */
static dlb_py_exception fetch_with_value(void)
{
    dlb_py_exception pending = dlb_py_fetch();

    if (pending.value == NULL || !PyUnicode_Check(pending.value)) {
        PyErr_NormalizeException(&pending.type, &pending.value, &pending.traceback);
    }
    return pending;
}

bool dlb_py_replace_beginning(const char *before, char until, const char *instead)
{
    const size_t length = strlen(before);
    dlb_py_exception pending = fetch_with_value();
    const char *place;
    PyObject *const message = message_of(pending.value, &place);
    const char *const string = message != NULL ? PyUnicode_AsUTF8AndSize(message, NULL) : NULL;
    const char *rest = string != NULL && strncmp(string, before, length) == 0 ? string + length : NULL;

    if (rest != NULL && until != '\0') {
        rest = strchr(rest, until);
        rest = rest != NULL ? rest + 1 : NULL;
    }
    if (rest != NULL) {
        set_message(&pending, place, PyUnicode_FromFormat("%s%s", instead, rest));
    }
    Py_XDECREF(message);
    dlb_py_restore(&pending);
    return rest != NULL;
}

static bool begins_with(PyObject *message, const char *before)
{
    const char *const string = PyUnicode_AsUTF8AndSize(message, NULL);

    return string != NULL && strncmp(string, before, strlen(before)) == 0;
}

bool dlb_py_is_final(void)
{
    return !PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError) ||
           PyErr_ExceptionMatches(PyExc_RecursionError);
}

bool dlb_py_message_begins_with(const char *before)
{
    dlb_py_exception pending = fetch_with_value();
    const char *place;
    PyObject *const message = message_of(pending.value, &place);
    const bool begins = message != NULL && begins_with(message, before);

    Py_XDECREF(message);
    dlb_py_restore(&pending);
    return begins;
}

void dlb_py_extend_message(const char *before, PyObject *addition)
{
    dlb_py_exception pending = fetch_with_value();
    const char *place;
    PyObject *const message = message_of(pending.value, &place);

    if (message != NULL && begins_with(message, before)) {
        set_message(&pending, place, PyUnicode_Concat(message, addition));
    }
    Py_XDECREF(message);
    dlb_py_restore(&pending);
}

int dlb_py_name_argument(const char *function, const char *param)
{
    dlb_py_exception pending;
    char before[DLB_PY_MESSAGE_SIZE];
    const char *place;
    PyObject *message;

    if (dlb_py_is_final()) {
        return -1;
    }
    dlb_write(before, sizeof before, "%s() ", function);
    pending = fetch_with_value();
    message = message_of(pending.value, &place);
    if (message == NULL) { /* several arguments: their meaning is unknown */
        PyObject *const note = PyUnicode_FromFormat("%sargument '%s'", before, param);
        PyObject *const added = note != NULL ? PyObject_CallMethod(pending.value, "add_note", "O", note) : NULL;

        Py_XDECREF(added);
        Py_XDECREF(note);
    } else if (PyUnicode_GetLength(message) == 0) {
        set_message(&pending, place, PyUnicode_FromFormat("%sargument '%s'", before, param));
    } else if (!begins_with(message, before)) {
        set_message(&pending, place, PyUnicode_FromFormat("%sargument '%s': %U", before, param, message));
    }
    Py_XDECREF(message);
    dlb_py_restore(&pending);
    return -1;
}

bool dlb_py_may_try_another(void)
{
    if (dlb_py_is_final()) {
        return false;
    }
    PyErr_Clear();
    return true;
}
