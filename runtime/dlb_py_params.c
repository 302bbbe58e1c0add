/* SPDX-License-Identifier: MIT-0 */
/* The arguments of a call, stored where a table of params says. They are read in place: no tuple, no dict. All that can be
 * said without running foreign code (__index__(), __float__(), __bool__()) is said before any of it runs. */
#include "dlb_py_internal.h"

#include <math.h>

void *dlb_py_room(dlb_py_values *values, size_t size, void (*defaults)(void *values))
{
    values->large = NULL;
    if (size > sizeof values->small) {
        values->large = PyMem_Malloc(size);
        if (values->large == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
    }
    values->place = values->large != NULL ? values->large : (void *)&values->small;
    memset(values->place, 0, size);
    if (defaults != NULL) {
        defaults(values->place);
    }
    return values->place;
}

void dlb_py_room_end(dlb_py_values *values)
{
    PyMem_Free(values->large);
}

static size_t keyword_count(const dlb_py_call *call)
{
    return call->kwnames != NULL ? (size_t)PyTuple_GET_SIZE(call->kwnames) : 0;
}

static PyObject *by_keyword(const dlb_py_call *call, const char *name)
{
    const size_t count = keyword_count(call);

    for (size_t i = 0; i < count; i++) {
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(call->kwnames, (Py_ssize_t)i), name) == 0) {
            return call->args[call->nargs + (Py_ssize_t)i];
        }
    }
    return NULL;
}

/* The argument for the param at `index`, or NULL where none was given. */
static PyObject *argument(const dlb_py_call *call, const dlb_param *params, size_t index)
{
    if (!call->keyword_only && index < (size_t)call->nargs) {
        return call->args[index];
    }
    return by_keyword(call, params[index].name);
}

/* ---- Which arguments there are ---- */

static int refuse_count(const dlb_py_call *call, const dlb_param *params, size_t count)
{
    bool all_required = true;

    for (size_t i = 0; i < count; i++) {
        all_required = all_required && params[i].required;
    }
    if (count == 0) {
        PyErr_Format(PyExc_TypeError, "%s() takes no arguments (%zd given)", call->function, call->nargs);
    } else {
        PyErr_Format(PyExc_TypeError, "%s() takes %s %zu argument%s (%zd given)", call->function,
                     all_required ? "exactly" : "at most", count, count == 1 ? "" : "s", call->nargs);
    }
    return -1;
}

static int refuse_missing(const dlb_py_call *call, const dlb_param *params, size_t index)
{
    if (call->keyword_only) {
        PyErr_Format(PyExc_TypeError, "%s() missing required keyword-only argument: '%s'", call->function,
                     params[index].name);
    } else {
        PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s' (pos %zu)", call->function,
                     params[index].name, index + 1);
    }
    return -1;
}

static bool is_param(PyObject *keyword, const dlb_param *params, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (PyUnicode_CompareWithASCIIString(keyword, params[i].name) == 0) {
            return true;
        }
    }
    return false;
}

static int check_keywords(const dlb_py_call *call, const dlb_param *params, size_t count)
{
    const size_t given = keyword_count(call);

    for (size_t i = 0; i < given; i++) {
        PyObject *const keyword = PyTuple_GET_ITEM(call->kwnames, (Py_ssize_t)i);

        if (!is_param(keyword, params, count)) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", call->function, keyword);
            return -1;
        }
    }
    return 0;
}

static int check_arguments(const dlb_py_call *call, const dlb_param *params, size_t count)
{
    if (!call->keyword_only && (size_t)call->nargs > count) {
        return refuse_count(call, params, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (!call->keyword_only && i < (size_t)call->nargs && by_keyword(call, params[i].name) != NULL) {
            PyErr_Format(PyExc_TypeError, "argument for %s() given by name ('%s') and position (%zu)", call->function,
                         params[i].name, i + 1);
            return -1;
        }
        if (params[i].required && argument(call, params, i) == NULL) {
            return refuse_missing(call, params, i);
        }
    }
    return check_keywords(call, params, count);
}

/* ---- What they are ---- */

static int refuse_type(const char *function, const dlb_param *param, PyObject *value, const char *expected)
{
    PyObject *const name = value == Py_None ? PyUnicode_FromString("None") : dlb_py_type_name(value);

    if (name != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() argument '%s' must be %s, not %U", function, param->name, expected, name);
        Py_DECREF(name);
    }
    return -1;
}

static int refuse_range(const char *function, const dlb_param *param, bool below)
{
    const bool is_signed = param->kind == DLB_SIGNED;

    if (below && !is_signed) {
        PyErr_Format(PyExc_OverflowError, "%s() argument '%s': can't convert negative int to unsigned", function,
                     param->name);
    } else {
        PyErr_Format(PyExc_OverflowError, "%s() argument '%s': %s %zu-bit integer is %s", function, param->name,
                     is_signed ? "signed" : "unsigned", 8 * param->size,
                     below ? "less than minimum" : "greater than maximum");
    }
    return -1;
}

/* The low bytes of `bits`, as an integer of that size. */
static void store_integer(void *place, size_t size, uint64_t bits)
{
    const uint8_t bits8 = (uint8_t)bits;
    const uint16_t bits16 = (uint16_t)bits;
    const uint32_t bits32 = (uint32_t)bits;
    const void *const from = size == 1 ? (const void *)&bits8 : size == 2 ? &bits16 : size == 4 ? &bits32 : (void *)&bits;

    memcpy(place, from, size);
}

bool dlb_py_store_index(const dlb_param *param, void *values, uint64_t index)
{
    const unsigned unused = (unsigned)(64 - 8 * param->size) + (param->kind == DLB_SIGNED);

    if (index > UINT64_MAX >> unused) {
        return false;
    }
    store_integer((char *)values + param->offset, param->size, index);
    return true;
}

static int read_signed(const char *function, const dlb_param *param, PyObject *index, void *place)
{
    const int64_t maximum = INT64_MAX >> (64 - 8 * param->size);
    int overflow;
    const int64_t number = PyLong_AsLongLongAndOverflow(index, &overflow);

    if (overflow != 0 || number > maximum || number < -maximum - 1) {
        return refuse_range(function, param, overflow != 0 ? overflow < 0 : number < 0);
    }
    store_integer(place, param->size, (uint64_t)number);
    return 0;
}

static int read_unsigned(const char *function, const dlb_param *param, PyObject *index, void *place)
{
    int overflow;
    const int64_t low = PyLong_AsLongLongAndOverflow(index, &overflow);
    uint64_t number = (uint64_t)low;

    if (overflow < 0 || (overflow == 0 && low < 0)) {
        return refuse_range(function, param, true);
    }
    if (overflow > 0) { /* above INT64_MAX */
        number = PyLong_AsUnsignedLongLong(index);
        if (number == UINT64_MAX && PyErr_Occurred()) {
            PyErr_Clear();
            return refuse_range(function, param, false);
        }
    }
    if (number > UINT64_MAX >> (64 - 8 * param->size)) {
        return refuse_range(function, param, false);
    }
    store_integer(place, param->size, number);
    return 0;
}

static int read_integer(const char *function, const dlb_param *param, PyObject *value, void *place)
{
    PyObject *index;
    int result;

    if (!PyIndex_Check(value)) {
        return refuse_type(function, param, value, "int");
    }
    index = PyNumber_Index(value);
    if (index == NULL) {
        return -1;
    }
    result = (param->kind == DLB_SIGNED ? read_signed : read_unsigned)(function, param, index, place);
    Py_DECREF(index);
    return result;
}

static int read_floating(const char *function, const dlb_param *param, PyObject *value, void *place)
{
    double number;
    float small;

    if (!PyNumber_Check(value) || PyComplex_Check(value)) {
        return refuse_type(function, param, value, "real number");
    }
    number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        if (PyLong_Check(value) && PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_OverflowError, "%s() argument '%s': int too large to convert to float", function,
                         param->name);
        }
        return -1;
    }
    small = (float)number;
    if (param->size == sizeof small) {
        if (isinf(small) && !isinf(number)) {
            PyErr_Format(PyExc_OverflowError, "%s() argument '%s': Python float too large to convert to C float",
                         function, param->name);
            return -1;
        }
        memcpy(place, &small, sizeof small);
    } else {
        memcpy(place, &number, sizeof number);
    }
    return 0;
}

static int read_boolean(PyObject *value, void *place)
{
    const int truth = PyObject_IsTrue(value);
    const bool stored = truth > 0;

    if (truth < 0) {
        return -1;
    }
    memcpy(place, &stored, sizeof stored);
    return 0;
}

/* The text belongs to `value`. */
static int read_text(const char *function, const dlb_param *param, PyObject *value, void *place)
{
    const char *text;
    Py_ssize_t size;

    if (!PyUnicode_Check(value)) {
        return refuse_type(function, param, value, "str");
    }
    text = PyUnicode_AsUTF8AndSize(value, &size);
    if (text == NULL) {
        return -1;
    }
    if (strlen(text) != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%s() argument '%s': embedded null character", function, param->name);
        return -1;
    }
    memcpy(place, &text, sizeof text);
    return 0;
}

static int read_argument(const char *function, const dlb_param *param, PyObject *value, void *place)
{
    switch (param->kind) {
    case DLB_SIGNED:
    case DLB_UNSIGNED:
        return read_integer(function, param, value, place);
    case DLB_FLOATING:
        return read_floating(function, param, value, place);
    case DLB_BOOLEAN:
        return read_boolean(value, place);
    case DLB_TEXT:
        return read_text(function, param, value, place);
    case DLB_OTHER:
        break;
    }
    PyErr_Format(PyExc_TypeError, "%s() argument '%s' is of a C type that Python objects are not converted to",
                 function, param->name);
    return -1;
}

int dlb_py_parse(const dlb_py_call *call, const dlb_param *params, size_t count, void *values)
{
    if (check_arguments(call, params, count) != 0) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *const value = argument(call, params, i);

        if (value != NULL && read_argument(call->function, &params[i], value, (char *)values + params[i].offset) != 0) {
            return -1;
        }
    }
    return 0;
}
