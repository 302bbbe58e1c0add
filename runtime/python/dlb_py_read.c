/* SPDX-License-Identifier: MIT-0 */
/* Converts arguments that are not numbers in Python: characters, strings, paths and members of enumerations. */
#include "dlb_py_internal.h"

#include <stdio.h>
#include <string.h>

int dlb_py_refuse_type(const dlb_py_function *function, const dlb_param *param, PyObject *value, const char *expected)
{
    PyObject *keeper = NULL;
    const char *const name = value == Py_None ? "None" : dlb_py_type_as_str(value, &keeper);

    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be %s, not %s", function->name, param->name,
                                expected, name);
    }
    Py_XDECREF(keeper);
    return -1;
}

int dlb_py_list_name(PyObject **list, const char *name)
{
    PyObject *const shorter = *list;

    *list = shorter != NULL ? PyUnicode_FromFormat("%U, %s", shorter, name) : PyUnicode_FromString(name);
    Py_XDECREF(shorter);
    return *list != NULL ? 0 : -1;
}

/* ---- Characters and strings ---- */

int dlb_py_read_char(const dlb_py_function *function, int index, PyObject *const *given, char *place)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = given[index];
    Py_UCS4 character = UINT32_MAX;

    if (value == NULL) {
        return 0;
    }
    if (!PyUnicode_Check(value)) {
        return dlb_py_refuse_type(function, param, value, "str");
    }
    if (PyUnicode_GetLength(value) == 1) {
        character = PyUnicode_ReadChar(value, 0);
    }
    if (character > 0x7F) {
        PyErr_Format(PyExc_ValueError, "%s() argument '%s' must be one ASCII character, not %.60R", function->name,
                     param->name, value);
        return -1;
    }
    *place = (char)character;
    return 0;
}

/* Checks that a string of `size` bytes contains no null character. Returns 0, or -1 with a ValueError. */
static int check_string(const dlb_py_function *function, const dlb_param *param, const char *text, Py_ssize_t size)
{
    if (strlen(text) == (size_t)size) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s': embedded null character", function->name, param->name);
    return -1;
}

int dlb_py_read_string(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                     const char **place)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = given[index];
    const char *text = NULL;
    Py_ssize_t size;

    if (value == NULL) {
        return 0;
    }
    if (!optional || value != Py_None) {
        if (!PyUnicode_Check(value)) {
            return dlb_py_refuse_type(function, param, value, optional ? "str or None" : "str");
        }
        text = PyUnicode_AsUTF8AndSize(value, &size);
        if (text == NULL) {
            return dlb_py_name_argument(function->name, param->name);
        }
        if (check_string(function, param, text, size) != 0) {
            return -1;
        }
    }
    *place = text;
    return 0;
}

/* Stores the UTF-8 characters of one item, which the item owns, in `*place`. Returns 0, or -1 with an exception that names the index. */
static int read_item(const dlb_py_function *function, const dlb_param *param, PyObject *item, Py_ssize_t index,
                     const char **place)
{
    char name[100];
    const dlb_param named = {name, DLB_OTHER, 0, 0, 1, NULL, NULL};
    Py_ssize_t size;

    *place = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, &size) : NULL;
    if (*place != NULL && strlen(*place) == (size_t)size) {
        return 0;
    }
    (void)snprintf(name, sizeof name, "%.60s[%lld]", param->name, (long long)index);
    if (!PyUnicode_Check(item)) {
        return dlb_py_refuse_type(function, &named, item, "str");
    }
    return *place != NULL ? check_string(function, &named, *place, size) : dlb_py_name_argument(function->name, name);
}

/* Makes a table of pointers to the strings in a tuple, with NULL at its end. Returns a new reference to an object that keeps the table
 * and the strings alive, or NULL with an exception. */
static PyObject *table_of(const dlb_py_function *function, const dlb_param *param, PyObject *items, char **table)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(items);
    PyObject *const bytes = PyBytes_FromStringAndSize(NULL, (count + 1) * (Py_ssize_t)sizeof(char *));
    PyObject *keeper = NULL;
    bool complete = bytes != NULL;

    *table = complete ? PyBytes_AsString(bytes) : NULL;
    for (Py_ssize_t i = 0; complete && i <= count; i++) {
        const char *text = NULL;

        complete = i == count || read_item(function, param, PyTuple_GET_ITEM(items, i), i, &text) == 0;
        memcpy(*table + (size_t)i * sizeof text, &text, sizeof text);
    }
    if (complete) {
        keeper = PyTuple_Pack(2, items, bytes);
    }
    Py_XDECREF(bytes);
    return keeper;
}

/* Returns whether no item is an instance of a subclass of str. */
static bool are_exact(PyObject *items)
{
    bool exact = true;

    for (Py_ssize_t i = 0; exact && i < PyTuple_GET_SIZE(items); i++) {
        exact = PyUnicode_CheckExact(PyTuple_GET_ITEM(items, i)) || !PyUnicode_Check(PyTuple_GET_ITEM(items, i));
    }
    return exact;
}

/* Replaces instances of subclasses by exact str objects. Their destruction then runs no foreign code, even while an exception is
 * pending. Takes over `items`. Returns a new tuple, or NULL with an exception. */
static PyObject *made_exact(PyObject *items)
{
    PyObject *tuple = PyTuple_New(PyTuple_GET_SIZE(items));

    for (Py_ssize_t i = 0; tuple != NULL && i < PyTuple_GET_SIZE(items); i++) {
        PyObject *const item = PyTuple_GET_ITEM(items, i);
        PyObject *const exact = PyUnicode_Check(item) ? PyUnicode_FromObject(item) : Py_NewRef(item);

        if (exact == NULL) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SET_ITEM(tuple, i, exact);
        }
    }
    dlb_py_discard(items);
    return tuple;
}

int dlb_py_read_strings(const dlb_py_function *function, int index, PyObject *const *given, int optional, void *place,
                      PyObject **keeper)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = given[index];
    PyObject *items;
    char *table;

    *keeper = NULL;
    if (value == NULL || (optional && value == Py_None)) {
        return 0;
    }
    if (!PySequence_Check(value) || PyUnicode_Check(value) || PyBytes_Check(value)) {
        return dlb_py_refuse_type(function, param, value, optional ? "a sequence of str or None" : "a sequence of str");
    }
    items = PySequence_Tuple(value);
    if (items != NULL && !are_exact(items)) {
        items = made_exact(items);
    }
    if (items == NULL) {
        return dlb_py_name_argument(function->name, param->name);
    }
    *keeper = table_of(function, param, items, &table);
    dlb_py_discard(items);
    if (*keeper == NULL) {
        return -1;
    }
    memcpy(place, &table, sizeof table);
    return 0;
}

int64_t dlb_py_string_count(const void *texts)
{
    const char *const *const table = texts;
    int64_t count = 0;

    while (table != NULL && table[count] != NULL) {
        count++;
    }
    return count;
}

/* ---- Paths ---- */

/* Returns whether the type has no method `name`; then drops the pending exception. If the lookup fails, its own exception replaces
 * that. */
static bool lacks_method(PyObject *value, const char *name)
{
    const dlb_py_exception pending = dlb_py_fetch();
    const int has = dlb_py_has(value, name);

    if (has > 0) {
        dlb_py_restore(&pending);
        return false;
    }
    dlb_py_forget_exception(&pending);
    return has == 0;
}

/* Encodes a path as an exact `bytes` object, whose destruction runs no foreign code. Returns a new reference, or NULL with an
 * exception. */
static PyObject *path_bytes(const dlb_py_function *function, const dlb_param *param, PyObject *value, int optional)
{
    PyObject *const path = PyOS_FSPath(value);
    PyObject *bytes;

    if (path == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError) && lacks_method(value, "__fspath__")) {
            (void)dlb_py_refuse_type(function, param, value,
                                     optional ? "str, bytes, os.PathLike or None" : "str, bytes or os.PathLike");
        } else {
            (void)dlb_py_name_argument(function->name, param->name);
        }
        return NULL;
    }
    if (PyBytes_CheckExact(path)) {
        return path;
    }
    bytes = PyBytes_Check(path) ? PyBytes_FromStringAndSize(PyBytes_AsString(path), PyBytes_Size(path))
                                : PyUnicode_EncodeFSDefault(path);
    dlb_py_discard(path);
    if (bytes == NULL) {
        (void)dlb_py_name_argument(function->name, param->name);
    }
    return bytes;
}

int dlb_py_read_path(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                     const char **place, PyObject **keeper)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = given[index];
    PyObject *bytes;
    char *text;
    Py_ssize_t size;

    *keeper = NULL;
    if (value == NULL) {
        return 0;
    }
    if (optional && value == Py_None) {
        *place = NULL;
        return 0;
    }
    bytes = path_bytes(function, param, value, optional);
    if (bytes == NULL) {
        return -1;
    }
    if (PyBytes_AsStringAndSize(bytes, &text, &size) != 0 || check_string(function, param, text, size) != 0) {
        Py_DECREF(bytes);
        return -1;
    }
    *place = text;
    *keeper = bytes;
    return 0;
}

/* ---- Members of enumerations ---- */

/* The largest number of member names in a message. */
enum { NAMES_SHOWN = 20 };

static int refuse_name(const dlb_py_function *function, const dlb_param *param, PyObject *value, const dlb_py_enum *of)
{
    PyObject *names = NULL;

    for (size_t i = 0; i < of->count && i <= NAMES_SHOWN; i++) {
        if (dlb_py_list_name(&names, i < NAMES_SHOWN ? of->members[i].name : "...") != 0) {
            return -1;
        }
    }
    PyErr_Format(PyExc_ValueError, "%s() argument '%s': %.60R is not a member of %s: %V", function->name, param->name,
                 value, of->name, names, "it has none");
    Py_XDECREF(names);
    return -1;
}

static const dlb_py_member *member_called(const dlb_py_enum *of, PyObject *name)
{
    for (size_t i = 0; i < of->count; i++) {
        if (dlb_py_is_string(name, of->members[i].name)) {
            return &of->members[i];
        }
    }
    return NULL;
}

/* Stores the value of the int `index` in `*found`. Returns whether it is a member of `of`, or fits any flags: an IntFlag also keeps
 * bits without a name. */
static bool find_member_value(const dlb_py_enum *of, PyObject *index, int64_t *found)
{
    int overflow;
    const long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
    const bool readable = overflow == 0;
    int64_t all = 0;

    *found = number;
    for (size_t i = 0; readable && i < of->count; i++) {
        if (of->members[i].value == number) {
            return true;
        }
        all |= of->members[i].value;
    }
    if (number < 0) {
        *found &= all; /* before 3.11, the complement of flags is negative */
    }
    return readable && of->base == DLB_PY_INT_FLAG;
}

/* Stores the value of a member. The C compiler may give an enumeration a signed or an unsigned type, so the value decides. */
static int store_value(const dlb_py_function *function, const dlb_param *param, int64_t value, void *place, size_t size)
{
    return dlb_py_measure(function, param->name, value, place, size, value < 0 ? DLB_SIGNED : DLB_UNSIGNED);
}

int dlb_py_read_enum(const dlb_py_function *function, int index, PyObject *const *given, const dlb_py_enum *of,
                     void *place, size_t size)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = given[index];
    const dlb_py_member *member;
    PyObject *integer;
    int64_t number;
    bool found;

    if (value == NULL) {
        return 0;
    }
    if (PyUnicode_Check(value)) {
        member = member_called(of, value);
        return member != NULL ? store_value(function, param, member->value, place, size)
                              : refuse_name(function, param, value, of);
    }
    integer = dlb_py_as_integer(value);
    if (integer == NULL) {
        return dlb_py_refuse_integer(function, param, value, of->name);
    }
    found = find_member_value(of, integer, &number);
    Py_DECREF(integer);
    if (found) {
        return store_value(function, param, number, place, size);
    }
    PyErr_Format(PyExc_ValueError, "%s() argument '%s': %R is not a valid %s", function->name, param->name, value, of->name);
    return -1;
}
