/* SPDX-License-Identifier: MIT-0 */
/* Arguments sorted to their parameters, and parameters that become members of a state. */

#include "object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                         PyObject **arguments)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(kwnames);

    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *const keyword = PyTuple_GET_ITEM(kwnames, i);
        const int index = find_param(function, keyword, first);

        if (index < function->positional_only) {
            return refuse_keyword(function, kwnames, keyword);
        }
        if (arguments[index] != NULL) {
            return refuse_twice(function, index);
        }
        arguments[index] = values[i];
        first = index + 1;
    }
    return 0;
}

int dlb_py_sort(const dlb_py_function *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                PyObject **arguments)
{
    if (nargs > function->positional) {
        return refuse_count(function, nargs);
    }
    for (int i = 0; i < function->count; i++) {
        arguments[i] = i < nargs ? args[i] : NULL;
    }
    if (kwnames != NULL && sort_keywords(function, args + nargs, kwnames, (int)nargs, arguments) != 0) {
        return -1;
    }
    for (int i = (int)nargs; i < function->count; i++) {
        if (arguments[i] == NULL && function->params[i].required) {
            return refuse_missing(function, i);
        }
    }
    return 0;
}

/* ---- Params of an object or an import ---- */

bool dlb_py_store_index(const dlb_param *param, void *values, uint64_t index)
{
    const unsigned unused = (unsigned)(64 - 8 * param->size) + (param->ctype_class == DLB_SIGNED);

    if (index > UINT64_MAX >> unused) {
        return false;
    }
    dlb_py_store_integer((char *)values + param->offset, param->size, index);
    return true;
}

bool dlb_py_holds_index(const dlb_param *param, const void *values, uint64_t count)
{
    const char *const place = (const char *)values + param->offset;
    uint8_t bits8;
    uint16_t bits16;
    uint32_t bits32;
    uint64_t bits64;

    switch (param->size) { /* a negative index exceeds any count */
    case 1:
        memcpy(&bits8, place, sizeof bits8);
        return bits8 < count && !(param->ctype_class == DLB_SIGNED && bits8 > INT8_MAX);
    case 2:
        memcpy(&bits16, place, sizeof bits16);
        return bits16 < count && !(param->ctype_class == DLB_SIGNED && bits16 > INT16_MAX);
    case 4:
        memcpy(&bits32, place, sizeof bits32);
        return bits32 < count && !(param->ctype_class == DLB_SIGNED && bits32 > INT32_MAX);
    default:
        memcpy(&bits64, place, sizeof bits64);
        return bits64 < count && !(param->ctype_class == DLB_SIGNED && bits64 > INT64_MAX);
    }
}

/* Raises a TypeError: the value is not an object of the class of the param. Returns -1. */
static int refuse_class(const dlb_py_function *function, const dlb_param *param, PyObject *value)
{
    dlb_py_class_names names;

    if (dlb_py_name_classes(param->of, value, &names) == 0) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be %s, not %s", function->name, param->name, names.expected,
                                   names.given);
    }
    return -1;
}

/* Stores the C object of an object of another module at `place`, and a share of the owner that holds it in `*kept`. Returns 0, or -1 with an
 * exception. */
static int read_external(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place, dlb_owner **kept)
{
    dlb_py_held held;
    PyObject *const object = dlb_py_hold_external(param->of, value, 0, &held);
    void *stored;

    if (object == NULL && !PyErr_Occurred() && held.use == DLB_PY_IS_OTHER) {
        return refuse_class(function, param, value);
    }
    if (object == NULL) {
        if (!PyErr_Occurred()) {
            (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' is closed", function->name, param->name);
        }
        return -1;
    }
    *kept = dlb_py_data(object)->owner;
    dlb_owner_keep(*kept);
    stored = dlb_owner_object(*kept);
    memcpy(place, param->of->value > 0 ? stored : (void *)&stored, param->size);
    Py_DECREF(object);
    return 0;
}

/* Stores the C object of an argument at `place`, and takes a share of its owner in `*kept`. Returns 0, or -1 with an exception. */
static int read_object(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place, dlb_owner **kept)
{
    const dlb_type *const type = param->of;
    void *object;

    if (type->external != NULL && value != NULL && value != Py_None) {
        return read_external(function, param, value, place, kept);
    }
    if (value == NULL || (value == Py_None && !param->required)) {
        return 0;
    }
    if (!dlb_py_is_ours(value) || dlb_py_data(value)->type != type) {
        return refuse_class(function, param, value);
    }
    *kept = dlb_py_share_owner(value);
    if (*kept == NULL) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' is closed", function->name, param->name);
        return -1;
    }
    object = dlb_owner_object(*kept);
    memcpy(place, type->value > 0 ? object : (void *)&object, param->size);
    return 0;
}

static int read_all(const dlb_py_function *function, PyObject *const *arguments, void *values, dlb_owner **kept)
{
    for (int i = 0; i < function->count; i++) {
        const dlb_param *const param = &function->params[i];
        void *const place = (char *)values + param->offset;
        const int result = param->of != NULL ? read_object(function, param, arguments[i], place, &kept[i])
                                             : dlb_py_read_number(function, i, arguments, place);

        if (result != 0) {
            return -1;
        }
    }
    return 0;
}

int dlb_py_parse(const dlb_py_call *call, const dlb_param *params, size_t count, void *values, dlb_owner **kept)
{
    const Py_ssize_t others = call->keyword_only ? call->nargs : 0;
    const dlb_py_function function = {.name = call->function,
                                      .params = params,
                                      .count = (int)count,
                                      .positional = call->keyword_only ? 0 : (int)count};
    dlb_py_values storage;
    PyObject **const sorted = dlb_py_allocate_values(&storage, count * sizeof *sorted, NULL);
    int result = -1;

    if (sorted != NULL && dlb_py_sort(&function, call->args + others, call->nargs - others, call->kwnames, sorted) == 0) {
        result = read_all(&function, sorted, values, kept);
    }
    dlb_py_free_values(&storage);
    return result;
}

/* ---- Strings among params ---- */

struct dlb_py_strings {
    dlb_kept kept; /* the other dependencies of the owner */
    char characters[];
};

static void free_strings(void *keeper)
{
    dlb_py_strings *const strings = keeper;

    if (strings->kept.let_go != NULL) {
        strings->kept.let_go(strings->kept.keeper);
    }
    free(strings);
}

static const char **string_at(const dlb_param *param, void *values)
{
    return param->ctype_class == DLB_STRING ? (const char **)(void *)((char *)values + param->offset) : NULL;
}

int dlb_py_copy_strings(const dlb_param *params, size_t count, void *values, dlb_py_strings **out)
{
    size_t size = 0;
    char *next;

    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        const char **const string = string_at(&params[i], values);

        size += string != NULL && *string != NULL ? strlen(*string) + 1 : 0;
    }
    if (size == 0) {
        return 0;
    }
    *out = malloc(sizeof(dlb_py_strings) + size); /* freed by free(), possibly after Python has ended */
    if (*out == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    next = (*out)->characters;
    for (size_t i = 0; i < count; i++) {
        const char **const string = string_at(&params[i], values);

        if (string != NULL && *string != NULL) {
            size = strlen(*string) + 1;
            *string = memcpy(next, *string, size);
            next += size;
        }
    }
    return 0;
}

void dlb_py_keep_strings(dlb_owner *owner, dlb_py_strings *strings)
{
    if (strings != NULL) {
        strings->kept = owner->kept;
        owner->kept = (dlb_kept){free_strings, strings, DLB_KEPT_WRAPPER};
    }
}

/* ---- The params of a factory ---- */

int dlb_py_new_params(const dlb_factory *factory, dlb_py_params *params)
{
    params->factory = factory;
    params->strings = NULL;
    params->values = dlb_py_allocate_values(&params->storage, factory->params_size, factory->defaults);
    params->kept = dlb_py_allocate_values(&params->owners, factory->param_count * sizeof *params->kept, NULL);
    return params->values != NULL && params->kept != NULL ? 0 : -1;
}

int dlb_py_parse_params(const dlb_py_call *call, dlb_py_params *params)
{
    const dlb_factory *const factory = params->factory;

    return dlb_py_parse(call, factory->params, factory->param_count, params->values, params->kept) == 0
               ? dlb_py_copy_strings(factory->params, factory->param_count, params->values, &params->strings)
               : -1;
}

int dlb_py_keep_params(dlb_py_params *params, dlb_owner *owner, dlb_error *error)
{
    dlb_py_keep_strings(owner, params->strings);
    params->strings = NULL;
    for (size_t i = 0; i < params->factory->param_count; i++) {
        if (params->kept[i] != NULL && dlb_owner_add_dependency(owner, params->kept[i], error) != 0) {
            return -1; /* not covered: needs no memory for a dependency, which fails for another call first */
        }
    }
    return 0;
}

void dlb_py_free_params(dlb_py_params *params)
{
    for (size_t i = 0; params->kept != NULL && i < params->factory->param_count; i++) {
        if (params->kept[i] != NULL) {
            dlb_py_quietly(dlb_py_drop_owner, params->kept[i]);
        }
    }
    free(params->strings);
    dlb_py_free_values(&params->owners);
    dlb_py_free_values(&params->storage);
}
