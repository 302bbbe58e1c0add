/* SPDX-License-Identifier: MIT-0 */
/* Exceptions of calls that fail. Their messages show arguments. */

#include "call.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* ---- Arguments in messages ----
 *
 * Each function show_...() returns a new str. It returns NULL without an exception if it does not show the argument, and NULL with an
 * exception if it fails. None runs foreign code: a subclass can replace any method, so values are first copied to exact classes. */

enum {
    ARGUMENTS_SHOWN = 4,
    LENGTH_SHOWN = 60 /* of a string or of bytes */
};

static const char ellipsis[] = "\xE2\x80\xA6";

/* Shows an object of an exact class with `after`, and takes over its reference. */
static PyObject *show_exact(PyObject *value, const char *after)
{
    PyObject *const shown = value != NULL ? PyUnicode_FromFormat("%R%s", value, after) : NULL;

    Py_XDECREF(value);
    return shown;
}

/* Shows a str as repr() does, which escapes lone surrogates and control characters. */
static PyObject *show_string(PyObject *value)
{
    PyObject *beginning;
    PyObject *cut;

    if (PyUnicode_GetLength(value) <= LENGTH_SHOWN) {
        return show_exact(PyUnicode_FromObject(value), "");
    }
    beginning = PyUnicode_Substring(value, 0, LENGTH_SHOWN);
    cut = beginning != NULL ? PyUnicode_FromFormat("%U%s", beginning, ellipsis) : NULL;
    Py_XDECREF(beginning);
    return show_exact(cut, "");
}

static PyObject *show_bytes(PyObject *value)
{
    const Py_ssize_t length = PyBytes_Size(value);
    const bool is_cut = length > LENGTH_SHOWN;
    PyObject *const beginning = PyBytes_FromStringAndSize(PyBytes_AsString(value), is_cut ? LENGTH_SHOWN : length);

    return show_exact(beginning, is_cut ? ellipsis : "");
}

/* Shows an int of at most 64 bits. Larger ints are never arguments of C, and can have thousands of digits. */
static PyObject *show_integer(PyObject *value)
{
    int overflow;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    unsigned long long large;

    if (overflow == 0) {
        return show_exact(PyLong_FromLongLong(number), "");
    }
    large = overflow > 0 ? PyLong_AsUnsignedLongLong(value) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        return NULL;
    }
    return show_exact(PyLong_FromUnsignedLongLong(large), "");
}

/* Returns whether an object has exactly the class with this name in a module of the standard library. */
static bool is_exactly(PyObject *value, const char *module, const char *name)
{
    PyObject *const key = PyUnicode_FromString(module);
    PyObject *const library = key != NULL ? PyImport_GetModule(key) : NULL; /* NULL: no such object exists */
    PyObject *const expected = library != NULL ? PyObject_GetAttrString(library, name) : NULL;
    const bool is_exact = expected == (PyObject *)Py_TYPE(value);

    Py_XDECREF(expected);
    Py_XDECREF(library);
    Py_XDECREF(key);
    PyErr_Clear(); /* the module has no such class in this version of CPython */
    return is_exact;
}

/* Returns a new reference to an attribute, without the methods with which a class can replace the lookup. NULL with an exception. */
static PyObject *own_attribute(PyObject *object, const char *name)
{
    PyObject *const key = PyUnicode_FromString(name);
    PyObject *const value = key != NULL ? PyObject_GenericGetAttr(object, key) : NULL;

    Py_XDECREF(key);
    return value;
}

/* Shows a member of an enumeration as "Mode.FAST", and any other int as its number. Combinations of flags have a name since CPython
 * 3.11. */
static PyObject *show_integer_or_member(PyObject *value)
{
    PyObject *name;
    PyObject *class_name;
    PyObject *shown = NULL;

    if (PyLong_CheckExact(value) || !is_exactly((PyObject *)Py_TYPE(value), "enum", "EnumMeta")) {
        return show_integer(value);
    }
    name = own_attribute(value, "_name_");
    class_name = name != NULL ? PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__name__") : NULL;
    if (class_name != NULL && PyUnicode_Check(class_name)) {
        shown = PyUnicode_Check(name) ? PyUnicode_FromFormat("%.60U.%.60U", class_name, name) : show_integer(value);
    }
    Py_XDECREF(class_name);
    Py_XDECREF(name);
    return shown;
}

/* Shows a string or a number. */
static PyObject *show_value(PyObject *value)
{
    if (PyUnicode_Check(value)) {
        return show_string(value);
    }
    if (PyBytes_Check(value)) {
        return show_bytes(value);
    }
    if (PyBool_Check(value)) {
        return show_exact(Py_NewRef(value), "");
    }
    if (PyLong_Check(value)) {
        return show_integer_or_member(value);
    }
    if (PyFloat_Check(value)) {
        return show_exact(PyFloat_FromDouble(PyFloat_AsDouble(value)), "");
    }
    if (PyComplex_Check(value)) {
        return show_exact(PyComplex_FromDoubles(PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value)), "");
    }
    return NULL;
}

/* The attribute that leads to the name of a file object; NULL: the object is a path. */
static const struct file_class {
    const char *module;
    const char *name;
    const char *attribute;
} file_classes[] = {
    {"pathlib", "PosixPath", NULL},
    {"pathlib", "WindowsPath", NULL},
    {"pathlib", "PurePosixPath", NULL},
    {"pathlib", "PureWindowsPath", NULL},
    {"os", "DirEntry", NULL},
    {"io", "FileIO", "name"},
    {"io", "BufferedReader", "raw"},
    {"io", "BufferedWriter", "raw"},
    {"io", "BufferedRandom", "raw"},
    {"io", "TextIOWrapper", "buffer"},
    {"tempfile", "_TemporaryFileWrapper", "file"},
};

/* Replaces `*value` by its path, or by the next object on the way to its name. Returns 0, or -1 with an exception. `*value` does not change
 * if its class is not one of `file_classes`. */
static int follow_file(PyObject **value)
{
    PyObject *const object = *value;

    for (size_t i = 0; i < sizeof file_classes / sizeof file_classes[0]; i++) {
        const struct file_class *const each = &file_classes[i];

        if (is_exactly(object, each->module, each->name)) {
            *value = each->attribute != NULL ? own_attribute(object, each->attribute) : PyOS_FSPath(object);
            Py_DECREF(object);
            return *value != NULL ? 0 : -1;
        }
    }
    return 0;
}

/* Shows a string, a number, a path, or the name of a file object. */
static PyObject *show_argument(PyObject *value)
{
    enum { MOST_STEPS = 4 }; /* tempfile, text, buffer, file; then its name, which can be any object */
    PyObject *shown = show_value(value);
    PyObject *object;

    if (shown != NULL || PyErr_Occurred()) {
        return shown;
    }
    object = Py_NewRef(value);
    for (int i = 0; i < MOST_STEPS; i++) {
        if (follow_file(&object) != 0) {
            return NULL;
        }
    }
    shown = object != value ? show_value(object) : NULL;
    dlb_py_discard(object);
    return shown;
}

/* Appends "name=value" to the list of arguments, whose reference it takes over. Returns the new list, or NULL with an exception. */
static PyObject *append_argument(PyObject *list, const char *name, PyObject *shown)
{
    PyObject *const longer = list != NULL ? PyUnicode_FromFormat("%U, %s=%U", list, name, shown)
                                          : PyUnicode_FromFormat("%s=%U", name, shown);

    Py_XDECREF(list);
    return longer;
}

/* Stores a list such as "path='missing.bmp', level=3" in `*list`, or NULL if it shows no argument. Returns 0, or -1 with an exception. */
static int list_arguments(const dlb_py_function *function, PyObject *const *arguments, PyObject **list)
{
    int count = 0;

    *list = NULL;
    for (int i = 0; i < function->count; i++) {
        PyObject *const shown = arguments[i] != NULL && dlb_py_operand_of(function, i) == NULL ? show_argument(arguments[i]) : NULL;

        if (shown != NULL) {
            count++;
            if (count <= ARGUMENTS_SHOWN) {
                *list = append_argument(*list, function->params[i].name, shown);
            }
            Py_DECREF(shown);
        }
        if (PyErr_Occurred() && !dlb_py_may_try_another()) {
            Py_CLEAR(*list);
            return -1;
        }
    }
    if (count > ARGUMENTS_SHOWN) {
        PyObject *const complete = PyUnicode_FromFormat("%U, %s", *list, ellipsis);

        Py_DECREF(*list);
        *list = complete;
    }
    return count > 0 && *list == NULL ? -1 : 0;
}

/* Appends the arguments to a message, whose reference it takes over. Returns the new message, or NULL with an exception. */
static PyObject *with_arguments(PyObject *message, const dlb_py_function *function, PyObject *const *arguments)
{
    PyObject *list;
    PyObject *longer;

    if (list_arguments(function, arguments, &list) != 0) {
        Py_DECREF(message);
        return NULL;
    }
    if (list == NULL) {
        return message;
    }
    longer = PyUnicode_FromFormat("%U (%U)", message, list);
    Py_DECREF(list);
    Py_DECREF(message);
    return longer;
}

/* ---- Failure ---- */

static bool is_not_empty(const char *message)
{
    return message != NULL && message[0] != '\0';
}

/* Builds a message such as "blur(): sizes differ (sigma=0.5)", or "blur(): image_blur() failed (sigma=0.5)". `arguments` may be NULL.
 * Returns a new reference, or NULL with an exception. */
static PyObject *failure(const dlb_py_function *function, PyObject *const *arguments, const char *call, const char *message)
{
    const bool has_message = is_not_empty(message);
    PyObject *string;
    dlb_error error;

    (void)dlb_fail(&error, DLB_RUNTIME_ERROR, "%s(): %s%s", function->name, has_message ? message : call,
                   has_message ? "" : " failed");
    string = dlb_py_message(&error);
    return string != NULL && arguments != NULL && !PyErr_Occurred() ? with_arguments(string, function, arguments) : string;
}

void dlb_py_failed(const dlb_py_function *function, PyObject *const *arguments, PyObject *exception, const char *call,
                   const char *message)
{
    PyObject *const string = failure(function, arguments, call, message);

    DLB_CHECK(dlb_checked_failed(function));
    if (string != NULL) {
        PyErr_SetObject(exception, string);
        Py_DECREF(string);
    }
}

void dlb_py_failed_with(const dlb_py_function *function, PyObject *const *arguments, PyObject *exception, const char *call,
                        const char *message, dlb_integer result)
{
    char number[200];

    (void)snprintf(number, sizeof number, "%s failed with %" PRId64, call, result.value);
    dlb_py_failed(function, arguments, exception, call, is_not_empty(message) || result.status != DLB_FITS ? message : number);
}

/* Raises `exception(number, string[, path])`. OSError picks a subclass by the number, so the class of the new object is raised. */
static void raise_system(PyObject *exception, int number, PyObject *string, PyObject *path)
{
    PyObject *const made = path != NULL ? PyObject_CallFunction(exception, "iOO", number, string, path)
                                        : PyObject_CallFunction(exception, "iO", number, string);

    if (made != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
        Py_DECREF(made);
    }
}

void dlb_py_failed_system(const dlb_py_function *function, PyObject *const *arguments, PyObject *exception, int number,
                          const char *call, const char *message, PyObject *path)
{
    PyObject *filename = NULL;
    PyObject *string;

    if (number == 0) {
        dlb_py_failed(function, arguments, exception, call, message);
        return;
    }
    DLB_CHECK(dlb_checked_failed(function));
    if (path != NULL) {
        filename = dlb_py_filename(path);
        if (filename == NULL) {
            return;
        }
    }
    if (!is_not_empty(message)) {
        errno = number;
        (void)PyErr_SetFromErrnoWithFilenameObject(exception, filename);
    } else {
        string = failure(function, filename == NULL ? arguments : NULL, call, message);
        if (string != NULL) {
            raise_system(exception, number, string, filename);
            Py_DECREF(string);
        }
    }
    Py_XDECREF(filename);
}
