/* SPDX-License-Identifier: MIT-0 */
/* Assigns the arguments of a call to the params of the function. The arguments are used in place: no tuple or dict is created. No
 * foreign code runs here: a wrong number or name of arguments is reported before any argument is converted. */
#include "dlb_py_internal.h"

/* ---- Errors, in the words of CPython ---- */

static int refuse_count(const dlb_py_function *function, Py_ssize_t nargs)
{
    const int most = function->positional;
    const char *const kind = most < function->count ? "positional " : "";
    bool all_required = true;

    for (int i = 0; i < most; i++) {
        all_required = all_required && function->params[i].required;
    }
    if (most == 0) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() takes no %sarguments (%zd given)", function->name, kind, nargs);
    } else {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() takes %s %d %sargument%s (%zd given)", function->name,
                                all_required ? "exactly" : "at most", most, kind, most == 1 ? "" : "s", nargs);
    }
    return -1;
}

static int refuse_missing(const dlb_py_function *function, int index)
{
    const char *const name = function->params[index].name;

    if (index >= function->positional) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() missing required keyword-only argument: '%s'", function->name, name);
    } else {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() missing required argument '%s' (pos %d)", function->name, name, index + 1);
    }
    return -1;
}

static int refuse_twice(const dlb_py_function *function, int index)
{
    (void)dlb_py_raise_message(PyExc_TypeError, "argument for %s() given by name ('%s') and position (%d)", function->name,
                            function->params[index].name, index + 1);
    return -1;
}

static bool is_among(PyObject *kwnames, const char *name)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); i++) {
        if (dlb_py_is_string(PyTuple_GET_ITEM(kwnames, i), name)) {
            return true;
        }
    }
    return false;
}

/* Raises a TypeError about `keyword`: it is unknown, or its param is positional-only. Returns -1. */
static int refuse_keyword(const dlb_py_function *function, PyObject *kwnames, PyObject *keyword)
{
    PyObject *names = NULL;

    for (int i = 0; i < function->positional_only; i++) {
        const char *const name = function->params[i].name;

        if (is_among(kwnames, name) && dlb_py_list_name(&names, name) != 0) {
            return -1;
        }
    }
    if (names != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() got some positional-only arguments passed as keyword arguments: '%U'",
                     function->name, names);
        Py_DECREF(names);
    } else {
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function->name, keyword);
    }
    return -1;
}

/* ---- Assignment ---- */

/* Returns the index of the param named `keyword`, or -1. The search begins at `first`, since most callers keep the order of the params. */
static int find_param(const dlb_py_function *function, PyObject *keyword, int first)
{
    int index = first;

    for (int tried = 0; tried < function->count; tried++, index++) {
        if (index >= function->count) {
            index = 0;
        }
        if (dlb_py_is_string(keyword, function->params[index].name)) {
            return index;
        }
    }
    return -1;
}

static int sort_keywords(const dlb_py_function *function, PyObject *const *values, PyObject *kwnames, int first,
                         PyObject **given)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(kwnames);

    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const keyword = PyTuple_GET_ITEM(kwnames, i);
        const int index = find_param(function, keyword, first);

        if (index < function->positional_only) {
            return refuse_keyword(function, kwnames, keyword);
        }
        if (given[index] != NULL) {
            return refuse_twice(function, index);
        }
        given[index] = values[i];
        first = index + 1;
    }
    return 0;
}

int dlb_py_sort(const dlb_py_function *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                PyObject **given)
{
    if (nargs > function->positional) {
        return refuse_count(function, nargs);
    }
    for (int i = 0; i < function->count; i++) {
        given[i] = i < nargs ? args[i] : NULL;
    }
    if (kwnames != NULL && sort_keywords(function, args + nargs, kwnames, (int)nargs, given) != 0) {
        return -1;
    }
    for (int i = (int)nargs; i < function->count; i++) {
        if (given[i] == NULL && function->params[i].required) {
            return refuse_missing(function, i);
        }
    }
    return 0;
}
