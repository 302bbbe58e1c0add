/* SPDX-License-Identifier: MIT-0 */
/* Converts arguments to C numbers of the type of their parameter, and checks their ranges. */
#include "dlb_py_internal.h"

#include <math.h>

/* ---- Integers ---- */

static int refuse_range(const dlb_py_function *function, const dlb_param *param, bool below)
{
    const bool is_signed = param->kind == DLB_SIGNED;

    if (below && !is_signed) {
        (void)dlb_py_raise_message(PyExc_OverflowError, "%s() argument '%s': can't convert negative int to unsigned", function->name,
                                param->name);
    } else {
        (void)dlb_py_raise_message(PyExc_OverflowError, "%s() argument '%s': %s %zu-bit integer is %s", function->name, param->name,
                                is_signed ? "signed" : "unsigned", 8 * param->size,
                                below ? "less than minimum" : "greater than maximum");
    }
    return -1;
}

void dlb_py_store_integer(void *place, size_t size, uint64_t bits)
{
    const uint8_t bits8 = (uint8_t)bits;
    const uint16_t bits16 = (uint16_t)bits;
    const uint32_t bits32 = (uint32_t)bits;

    if (size == sizeof bits32) {
        memcpy(place, &bits32, sizeof bits32);
    } else if (size == sizeof bits) {
        memcpy(place, &bits, sizeof bits);
    } else if (size == sizeof bits16) {
        memcpy(place, &bits16, sizeof bits16);
    } else {
        *(uint8_t *)place = bits8;
    }
}

/* Returns whether an integer of `size` bytes, signed or unsigned by `kind`, can hold `value`. */
static bool integer_fits(int64_t value, size_t size, dlb_kind kind)
{
    const unsigned unused = size < 8 ? (unsigned)(64 - 8 * size) : 0;
    const int64_t maximum = INT64_MAX >> unused;

    if (kind == DLB_SIGNED) {
        return value <= maximum && value >= -maximum - 1;
    }
    return value >= 0 && (uint64_t)value <= UINT64_MAX >> unused;
}

static int read_signed(const dlb_py_function *function, const dlb_param *param, PyObject *index, void *place)
{
    const int64_t maximum = INT64_MAX >> (64 - 8 * param->size);
    int overflow;
    const int64_t number = PyLong_AsLongLongAndOverflow(index, &overflow);

    if (overflow != 0 || number > maximum || number < -maximum - 1) {
        return refuse_range(function, param, overflow != 0 ? overflow < 0 : number < 0);
    }
    dlb_py_store_integer(place, param->size, (uint64_t)number);
    return 0;
}

static int read_unsigned(const dlb_py_function *function, const dlb_param *param, PyObject *index, void *place)
{
    /* PyLong_AsUnsignedLong() is faster, and `long` often has 64 bits */
    const uint64_t number = sizeof(long) == sizeof(uint64_t) ? PyLong_AsUnsignedLong(index) : PyLong_AsUnsignedLongLong(index);

    if (number == UINT64_MAX && PyErr_Occurred()) {
        int64_t low;
        int overflow;

        PyErr_Clear();
        low = PyLong_AsLongLongAndOverflow(index, &overflow);
        return refuse_range(function, param, overflow < 0 || (overflow == 0 && low < 0));
    }
    if (number > UINT64_MAX >> (64 - 8 * param->size)) {
        return refuse_range(function, param, false);
    }
    dlb_py_store_integer(place, param->size, number);
    return 0;
}

static int read_large(const dlb_py_function *function, const dlb_param *param, PyObject *index, void *place)
{
    return (param->kind == DLB_SIGNED ? read_signed : read_unsigned)(function, param, index, place);
}

static int read_integer(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place)
{
    PyObject *index;
    int64_t number;
    int result;

    if (DLB_LIKELY(dlb_py_small_int(value, &number))) {
        if (DLB_UNLIKELY(!integer_fits(number, param->size, param->kind))) {
            return refuse_range(function, param, number < 0);
        }
        dlb_py_store_integer(place, param->size, (uint64_t)number);
        return 0;
    }
    if (PyLong_Check(value)) {
        return read_large(function, param, value, place);
    }
    index = dlb_py_as_integer(value);
    if (index == NULL) {
        return dlb_py_refuse_integer(function, param, value, "int");
    }
    result = read_large(function, param, index, place);
    Py_DECREF(index);
    return result;
}

int dlb_py_measure(const dlb_py_function *function, const char *param, int64_t value, void *place, size_t size,
                   dlb_kind kind)
{
    if ((kind == DLB_SIGNED || kind == DLB_UNSIGNED) && !integer_fits(value, size, kind)) {
        (void)dlb_py_raise_message(PyExc_OverflowError, "%s(): '%s' is %s %zu-bit integer, which cannot be %lld", function->name,
                                param, kind == DLB_SIGNED ? "a signed" : "an unsigned", 8 * size, (long long)value);
        return -1;
    }
    dlb_py_store_integer(place, size, (uint64_t)value);
    return 0;
}

/* ---- Floating and complex numbers ---- */

static int refuse_c_type(const dlb_py_function *function, const dlb_param *param)
{
    (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' is of a C type that Python objects are not converted to",
                            function->name, param->name);
    return -1;
}

/* Stores `convert(value)` in `*number`. Returns 0, or -1 with an exception that names the argument. */
static int as_double(const dlb_py_function *function, const dlb_param *param, PyObject *value,
                     double (*convert)(PyObject *value), double *number)
{
    *number = convert(value);
    if (*number != -1.0 || !PyErr_Occurred()) {
        return 0;
    }
    if (PyLong_Check(value) && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        (void)dlb_py_raise_message(PyExc_OverflowError, "%s() argument '%s': int too large to convert to float", function->name,
                                param->name);
        return -1;
    }
    return dlb_py_switches_off(value, "__float__") ? dlb_py_refuse_type(function, param, value, "real number")
                                                   : dlb_py_name_argument(function->name, param->name);
}

static int store_floating(const dlb_py_function *function, const dlb_param *param, double number, void *place,
                          size_t size)
{
    const float small = (float)number;
    const long double large = number;

    if (DLB_LIKELY(size == sizeof number)) {
        memcpy(place, &number, sizeof number);
    } else if (size == sizeof large) {
        memcpy(place, &large, sizeof large);
    } else if (size != sizeof small) {
        return refuse_c_type(function, param); /* not covered: the compilers of the tests have no other floating type */
    } else if (isinf(small) && !isinf(number)) {
        (void)dlb_py_raise_message(PyExc_OverflowError, "%s() argument '%s': Python float too large to convert to C float",
                                function->name, param->name);
        return -1;
    } else {
        memcpy(place, &small, sizeof small);
    }
    return 0;
}

static int read_floating(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place)
{
    double number;
    int64_t small;

    if (DLB_LIKELY(PyFloat_CheckExact(value))) {
        return store_floating(function, param, PyFloat_AS_DOUBLE(value), place, param->size);
    }
    if (dlb_py_small_int(value, &small)) {
        return store_floating(function, param, (double)small, place, param->size);
    }
    if (!PyNumber_Check(value) || PyComplex_Check(value)) {
        return dlb_py_refuse_type(function, param, value, "real number");
    }
    if (as_double(function, param, value, PyFloat_AsDouble, &number) != 0) {
        return -1;
    }
    return store_floating(function, param, number, place, param->size);
}

/* Returns the complex number of an object with __complex__(), else the object itself if it is a number. A new reference, or NULL with
 * an exception. CPython's own conversions call __complex__() only since 3.13. */
static PyObject *complex_of(const dlb_py_function *function, const dlb_param *param, PyObject *value)
{
    const bool built_in = PyFloat_Check(value) || PyLong_Check(value);
    const int converts = built_in ? 0 : dlb_py_has(value, "__complex__");

    PyObject *number;

    if (converts != 0) {
        number = converts > 0 ? PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, value, NULL) : NULL;
        if (number == NULL) {
            (void)dlb_py_name_argument(function->name, param->name);
        }
        return number;
    }
    if (!PyNumber_Check(value)) {
        (void)dlb_py_refuse_type(function, param, value, "complex number");
        return NULL;
    }
    Py_INCREF(value);
    return value;
}

static int read_parts(const dlb_py_function *function, const dlb_param *param, PyObject *value, double parts[2])
{
    PyObject *number;
    int result;

    if (PyComplex_Check(value)) {
        parts[0] = PyComplex_RealAsDouble(value);
        parts[1] = PyComplex_ImagAsDouble(value);
        return 0;
    }
    if (PyFloat_CheckExact(value)) {
        parts[0] = PyFloat_AS_DOUBLE(value);
        parts[1] = 0;
        return 0;
    }
    number = complex_of(function, param, value);
    if (number == NULL) {
        return -1;
    }
    result = as_double(function, param, number, PyComplex_RealAsDouble, &parts[0]);
    if (result == 0) {
        result = as_double(function, param, number, PyComplex_ImagAsDouble, &parts[1]);
    }
    Py_DECREF(number);
    return result;
}

int dlb_py_read_complex(const dlb_py_function *function, int index, PyObject *const *given, void *place, size_t size)
{
    const dlb_param *const param = &function->params[index];
    double parts[2];

    if (given[index] == NULL) {
        return 0;
    }
    if (read_parts(function, param, given[index], parts) != 0 ||
        store_floating(function, param, parts[0], place, size) != 0) {
        return -1;
    }
    return store_floating(function, param, parts[1], (char *)place + size, size);
}

/* ---- Sequences of numbers ---- */

static inline bool read_double_fast(PyObject *item, double *number)
{
    int64_t integer;

    if (DLB_LIKELY(PyFloat_CheckExact(item))) {
        *number = PyFloat_AS_DOUBLE(item);
        return true;
    }
    if (dlb_py_small_int(item, &integer)) {
        *number = (double)integer;
        return true;
    }
    return false;
}

Py_ssize_t dlb_py_copy_numbers(const dlb_param *param, PyObject *const *items, Py_ssize_t count, char *to)
{
    const size_t size = param->size;
    Py_ssize_t i = 0;
    int64_t integer;
    double number;

    if (param->kind == DLB_FLOATING && size == sizeof number) {
        for (; i < count && read_double_fast(items[i], &number); i++) {
            memcpy(to + (size_t)i * sizeof number, &number, sizeof number);
        }
    } else if (param->kind == DLB_FLOATING && size == sizeof(float)) {
        for (; i < count && read_double_fast(items[i], &number); i++) {
            const float small = (float)number;

            if (isinf(small) && !isinf(number)) {
                break;
            }
            memcpy(to + (size_t)i * sizeof small, &small, sizeof small);
        }
    } else if (param->kind == DLB_SIGNED || param->kind == DLB_UNSIGNED) {
        for (; i < count && dlb_py_small_int(items[i], &integer) && integer_fits(integer, size, param->kind); i++) {
            dlb_py_store_integer(to + (size_t)i * size, size, (uint64_t)integer);
        }
    }
    return i;
}

/* ---- Numbers of any C type class ---- */

static int read_boolean(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place)
{
    const int truth = PyObject_IsTrue(value);
    const bool stored = truth > 0;

    if (truth < 0) {
        return dlb_py_switches_off(value, "__bool__") ? dlb_py_refuse_type(function, param, value, "bool")
                                                      : dlb_py_name_argument(function->name, param->name);
    }
    memcpy(place, &stored, sizeof stored);
    return 0;
}

int dlb_py_read_number(const dlb_py_function *function, int index, PyObject *const *given, void *place)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = given[index];

    if (value == NULL) {
        return 0;
    }
    switch (param->kind) {
    case DLB_SIGNED:
    case DLB_UNSIGNED:
        return read_integer(function, param, value, place);
    case DLB_FLOATING:
        return read_floating(function, param, value, place);
    case DLB_BOOLEAN:
        return read_boolean(function, param, value, place);
    case DLB_STRING:
        return dlb_py_read_string(function, index, given, 0, place);
    case DLB_OTHER:
        break;
    }
    return refuse_c_type(function, param);
}
