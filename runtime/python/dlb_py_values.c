/* SPDX-License-Identifier: MIT-0 */
/* Converts C values that a call returns to Python: numbers, strings and bytes. */
#include "dlb_py_call.h"

#include <inttypes.h>

PyObject *dlb_py_from_complex(double real, double imaginary)
{
    return PyComplex_FromDoubles(real, imaginary);
}

PyObject *dlb_py_from_char(char value)
{
    return PyUnicode_FromOrdinal((unsigned char)value);
}

PyObject *dlb_py_from_string(const void *value)
{
    if (value == NULL) {
        Py_RETURN_NONE;
    }
    return PyErr_Occurred() ? NULL : PyUnicode_FromString(value); /* another value before it may have failed */
}

/* Copies the first `count` strings of a table into a new list, None for NULL. NULL with an exception. */
static PyObject *list_texts(const char *const *texts, Py_ssize_t count)
{
    PyObject *const list = PyErr_Occurred() ? NULL : PyList_New(count); /* another value before it may have failed */

    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *const text = texts[i] != NULL ? PyUnicode_FromString(texts[i]) : Py_NewRef(Py_None);

        if (text == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        (void)PyList_SetItem(list, i, text);
    }
    return list;
}

PyObject *dlb_py_from_strings(const void *values)
{
    return list_texts(values, (Py_ssize_t)dlb_py_string_count(values));
}

PyObject *dlb_py_from_counted_strings(const void *values, dlb_integer count)
{
    dlb_error error;

    if (PyErr_Occurred()) { /* another result, or a call in the count, has failed */
        return NULL;
    }
    if (count.fits == 1 && count.value >= 0 && (uint64_t)count.value <= (uint64_t)PY_SSIZE_T_MAX / sizeof(char *) &&
        (values != NULL || count.value == 0)) {
        return list_texts(values, (Py_ssize_t)count.value);
    }
    if (count.fits == 1 && count.value > 0 && values == NULL) {
        (void)dlb_fail(&error, DLB_RUNTIME_ERROR, "the table of %" PRId64 " strings (%s) is NULL", count.value, count.text);
    } else {
        (void)dlb_fail(&error, DLB_VALUE_ERROR, "the number of strings (%s) is %" PRId64, count.text, count.value);
    }
    return dlb_py_raise(&error);
}

PyObject *dlb_py_from_string_within(const void *value, size_t storage)
{
    const char *const text = value;
    const char *const end = storage != SIZE_MAX ? memchr(text, '\0', storage) : NULL;

    if (storage == SIZE_MAX) {
        return dlb_py_from_string(text);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    return PyUnicode_DecodeUTF8(text, end != NULL ? end - text : (Py_ssize_t)storage, NULL);
}

PyObject *dlb_py_from_bytes_slow(const void *value, dlb_integer size)
{
    dlb_error error;

    if (value == NULL) {
        Py_RETURN_NONE;
    }
    (void)dlb_fail(&error, DLB_VALUE_ERROR, "the size of the bytes (%s) is %" PRId64, size.text, size.value);
    return dlb_py_raise(&error);
}

PyObject *dlb_py_from_bytes_within(const void *value, size_t storage, dlb_integer size)
{
    if (size.fits == 1 && size.value > 0 && (uint64_t)size.value > storage) {
        dlb_error error;

        (void)dlb_fail(&error, DLB_VALUE_ERROR, "the size of the bytes (%s) is %" PRId64 ", and the capacity is %zu",
                       size.text, size.value, storage);
        return dlb_py_raise(&error);
    }
    return dlb_py_from_bytes(value, size);
}

PyObject *dlb_py_missing(const char *function, const char *value)
{
    if (!PyErr_Occurred()) { /* another value before it may have failed */
        (void)dlb_py_raise_message(PyExc_RuntimeError, "%s(): the function returned NULL for '%s'", function, value);
    }
    return NULL;
}

void *dlb_py_output_bytes(const dlb_py_function *function, const char *param, dlb_integer size, PyObject **bytes)
{
    char *storage;

    if (PyErr_Occurred()) { /* a call in the expression of the size has failed */
        return NULL;
    }
    if (size.fits != 1) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s(): no buffer has as many bytes as '%s' must have", function->name, param);
        return NULL;
    }
    if (size.value < 0 || (uint64_t)size.value > (uint64_t)PY_SSIZE_T_MAX) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s(): the buffer of '%s' would be %lld bytes", function->name, param,
                                (long long)size.value);
        return NULL;
    }
    *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size.value);
    storage = *bytes != NULL ? PyBytes_AsString(*bytes) : NULL;
    return storage != NULL && size.value > 0 ? memset(storage, 0, (size_t)size.value) : storage;
}

/* Shortens a bytes object, in place without the limited API. Takes over `bytes`. Returns a new reference, or NULL with an exception. */
static PyObject *shorten(PyObject *bytes, Py_ssize_t size)
{
#if defined(Py_LIMITED_API)
    PyObject *const copy = PyBytes_FromStringAndSize(PyBytes_AsString(bytes), size);

    Py_DECREF(bytes);
    return copy;
#else
    (void)_PyBytes_Resize(&bytes, size); /* frees `bytes` on failure */
    return bytes;
#endif
}

PyObject *dlb_py_filled(PyObject **bytes, dlb_integer size)
{
    PyObject *const filled = *bytes;
    const int64_t storage = PyBytes_Size(filled);
    dlb_error error;

    *bytes = NULL;
    if (size.fits == 1 && size.value >= 0 && size.value <= storage) {
        return size.value < storage ? shorten(filled, (Py_ssize_t)size.value) : filled;
    }
    Py_DECREF(filled);
    (void)dlb_fail(&error, DLB_VALUE_ERROR, "the size of the bytes (%s) is %" PRId64 ", and the capacity is %" PRId64, size.text,
                   size.value, storage);
    return dlb_py_raise(&error);
}
