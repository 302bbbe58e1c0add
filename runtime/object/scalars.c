/* SPDX-License-Identifier: MIT-0 */
/* Arguments that are numbers, characters, strings, paths or members of enumerations. */

#include "object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Attributes of values ---- */

int dlb_py_has_attribute(PyObject *object, const char *name)
{
    PyObject *const attribute = dlb_py_check_stack() == 0 ? PyObject_GetAttrString(object, name) : NULL;
    int has;

    if (attribute == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
        return 0;
    }
    has = attribute != Py_None;
    Py_DECREF(attribute);
    return has;
}

int dlb_py_has(PyObject *value, const char *name)
{
    return dlb_py_has_attribute((PyObject *)Py_TYPE(value), name);
}

bool dlb_py_switches_off(PyObject *value, const char *name)
{
    const dlb_py_exception pending = dlb_py_fetch();
    PyObject *const attribute = PyObject_GetAttrString((PyObject *)Py_TYPE(value), name);
    const bool off = attribute == Py_None;

    Py_XDECREF(attribute);
    if (off) {
        dlb_py_forget_exception(&pending);
    } else {
        dlb_py_restore(&pending);
    }
    return off;
}

/* Excludes mappings and tables, which have keys: with __getitem__() they look like sequences, but their items are labels. A
 * pandas.Series is accepted, because it has one axis. Excludes values without a length, such as arrays whose items have several
 * indices. */
int dlb_py_is_sequence(PyObject *value)
{
    PyObject *axes;
    PyObject *count;
    int has_length, has_keys, has_one, overflow;

    if (PyList_Check(value) || PyTuple_Check(value)) {
        return 1;
    }
    if (!PySequence_Check(value) || PyUnicode_Check(value)) {
        return 0;
    }
    has_length = dlb_py_has(value, "__len__");
    if (has_length <= 0) {
        return has_length;
    }
    has_keys = dlb_py_has(value, "keys");
    if (has_keys <= 0) {
        return has_keys < 0 ? -1 : 1;
    }
    axes = PyObject_GetAttrString(value, "ndim");
    count = axes != NULL ? dlb_py_as_integer(axes) : NULL;
    dlb_py_discard(axes);
    if (count == NULL) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? 0 : -1;
    }
    has_one = PyLong_AsLongAndOverflow(count, &overflow) == 1;
    Py_DECREF(count);
    return has_one;
}

/* ---- Types of arguments ---- */

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

/* Returns whether the type of `value` is numpy.bool, which was numpy.bool_ before NumPy 2. */
static bool is_of_numpy(PyObject *value)
{
    PyObject *keeper;
    PyObject *module;
    const char *const name = dlb_py_type_as_str(value, &keeper); /* has the module, except in the limited API */
    const char *const dot = name != NULL ? strrchr(name, '.') : NULL;
    const char *const last = dot != NULL ? dot + 1 : name;
    bool is = last != NULL && (strcmp(last, "bool") == 0 || strcmp(last, "bool_") == 0);

    Py_XDECREF(keeper);
    if (is) {
        module = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__module__");
        is = module != NULL && PyUnicode_Check(module) && PyUnicode_CompareWithASCIIString(module, "numpy") == 0;
        Py_XDECREF(module);
    }
    PyErr_Clear();
    return is;
}

bool dlb_py_is_bool(PyObject *value)
{
    return PyBool_Check(value) || is_of_numpy(value);
}

bool dlb_py_read_device_pair(PyObject *value, DLDevice *device)
{
    long long numbers[2] = {0, 0};

    for (int i = 0; i < 2 && PyTuple_Check(value) && PyTuple_GET_SIZE(value) == 2; i++) {
        PyObject *const integer = dlb_py_as_integer(PyTuple_GET_ITEM(value, i));
        int overflow = 0;

        numbers[i] = integer != NULL ? PyLong_AsLongLongAndOverflow(integer, &overflow) : -1;
        Py_XDECREF(integer);
        if (numbers[i] < 0 || numbers[i] > INT32_MAX || overflow != 0) {
            return false;
        }
    }
    *device = (DLDevice){(DLDeviceType)numbers[0], (int32_t)numbers[1]};
    return numbers[0] > 0;
}

int dlb_py_refuse_integer(const dlb_py_function *function, const dlb_param *param, PyObject *value, const char *expected)
{
    return !PyErr_Occurred() || dlb_py_switches_off(value, "__index__") ? dlb_py_refuse_type(function, param, value, expected)
                                                                     : dlb_py_name_argument(function->name, param->name);
}

/* ---- Kinds of numbers ---- */

/* Returns the kind that the name of a dtype tells, such as "torch.float32" or "bfloat16". Names of records contain brackets. */
static int kind_of_name(const char *name)
{
    static const struct {
        const char *word;
        int kind;
    } words[] = {{"complex", DLB_PY_COMPLEX}, {"float", DLB_PY_REAL}, {"int", DLB_PY_INTEGER}, {"bool", DLB_PY_BOOL}};

    for (size_t i = 0; i < sizeof words / sizeof words[0] && strpbrk(name, "[({,") == NULL; i++) {
        if (strstr(name, words[i].word) != NULL) {
            return words[i].kind;
        }
    }
    return DLB_PY_NO_NUMBER;
}

/* Returns the kind for a letter as in `dtype.kind` of NumPy. */
static int kind_of_letter(PyObject *letter)
{
    static const char letters[] = "biufc";
    static const int kinds[] = {DLB_PY_BOOL, DLB_PY_INTEGER, DLB_PY_INTEGER, DLB_PY_REAL, DLB_PY_COMPLEX};
    const bool readable = PyUnicode_Check(letter) && PyUnicode_GetLength(letter) == 1;
    const Py_UCS4 character = readable ? PyUnicode_ReadChar(letter, 0) : 0;
    const char *const found = character != 0 && character < 0x80 ? strchr(letters, (int)character) : NULL;

    return found != NULL ? kinds[found - letters] : DLB_PY_NO_NUMBER;
}

/* Returns the kind that the type of a scalar of NumPy tells, such as "numpy.float32"; or DLB_PY_NO_NUMBER, also for some types of NumPy. */
static int kind_of_scalar_type(PyObject *value)
{
    static const struct {
        const char *word;
        size_t length;
        int kind;
    } prefixes[] = {{"float", 5, DLB_PY_REAL}, {"int", 3, DLB_PY_INTEGER}, {"uint", 4, DLB_PY_INTEGER},
                    {"complex", 7, DLB_PY_COMPLEX}, {"bool", 4, DLB_PY_BOOL}};
    PyObject *keeper;
    const char *const name = dlb_py_type_as_str(value, &keeper); /* has the module, except in the limited API */
    int kind = DLB_PY_NO_NUMBER;

    if (name == NULL) {
        PyErr_Clear(); /* not covered: the name is read as an object only in the limited API */
    } else if (strncmp(name, "numpy.", 6) == 0) {
        for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && kind == DLB_PY_NO_NUMBER; i++) {
            kind = strncmp(name + 6, prefixes[i].word, prefixes[i].length) == 0 ? prefixes[i].kind : DLB_PY_NO_NUMBER;
        }
    }
    Py_XDECREF(keeper);
    return kind;
}

/* Returns the kind that the dtype of an object tells, DLB_PY_NO_NUMBER if it has none or an unknown one, or -1 with an exception. */
static int kind_by_dtype(PyObject *value)
{
    PyObject *const dtype = PyObject_GetAttrString(value, "dtype");
    PyObject *const letter = dtype != NULL ? PyObject_GetAttrString(dtype, "kind") : NULL;
    int kind = letter != NULL ? kind_of_letter(letter) : DLB_PY_NO_NUMBER;
    PyObject *name = NULL;

    if (letter == NULL && !dlb_py_may_try_another()) {
        kind = -1;
    } else if (kind == DLB_PY_NO_NUMBER && dtype != NULL) {
        const char *string;

        name = PyObject_Str(dtype);
        string = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        kind = string != NULL ? kind_of_name(string) : dlb_py_may_try_another() ? DLB_PY_NO_NUMBER : -1;
    }
    dlb_py_discard(name);
    dlb_py_discard(letter);
    dlb_py_discard(dtype);
    return kind;
}

/* Returns whether an object has axes: 1 or 0, or -1 with an exception. Arrays with axes have __float__(), too. */
static int has_axes(PyObject *value)
{
    PyObject *const ndim = PyObject_GetAttrString(value, "ndim");
    int overflow = 0;
    bool has;

    if (ndim == NULL) {
        return dlb_py_may_try_another() ? 0 : -1;
    }
    has = !PyLong_Check(ndim) || PyLong_AsLongAndOverflow(ndim, &overflow) != 0;
    dlb_py_discard(ndim);
    return has;
}

/* Returns whether __float__() and __index__() of an object have the same value: 1 or 0, or -1 with an exception. Tensors of some
 * libraries convert themselves to an integer by cutting off the fraction. */
static int is_whole(PyObject *value)
{
    PyObject *const integer = PyNumber_Index(value);
    const bool is_integer = integer != NULL;
    const double whole = is_integer ? PyLong_AsDouble(integer) : 0;
    double number;

    Py_XDECREF(integer);
    if (PyErr_Occurred()) { /* an integer beyond every double is whole */
        return dlb_py_may_try_another() ? is_integer : -1;
    }
    number = PyFloat_AsDouble(value);
    if (PyErr_Occurred()) {
        return dlb_py_may_try_another() ? 1 : -1;
    }
    return number == whole;
}

/* Returns whether the value of an object with __complex__() has an imaginary part: 1 or 0, or -1 with an exception. Real numbers, such as
 * decimal.Decimal, can have this method, too. */
static int has_imaginary_part(PyObject *value)
{
    PyObject *const number = PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, value, NULL);
    bool has;

    if (number == NULL) {
        return dlb_py_may_try_another() ? 0 : -1;
    }
    has = PyComplex_ImagAsDouble(number) != 0;
    Py_DECREF(number);
    return has;
}

/* Returns the kind of an object without a known dtype by its methods and its value, or -1 with an exception. */
static int kind_by_methods(PyObject *value)
{
    const bool converts_to_int = PyIndex_Check(value);
    const int converts_to_float = dlb_py_has(value, "__float__");
    const int converts_to_complex = converts_to_float < 0 ? -1 : dlb_py_has(value, "__complex__");
    int answer;

    if (converts_to_complex < 0) {
        return -1;
    }
    if (converts_to_int) {
        answer = converts_to_float ? is_whole(value) : 1;
        return answer < 0 ? -1 : answer > 0 ? DLB_PY_INTEGER : DLB_PY_REAL;
    }
    if (converts_to_complex) {
        answer = converts_to_float ? has_imaginary_part(value) : 1;
        return answer < 0 ? -1 : answer > 0 ? DLB_PY_COMPLEX : DLB_PY_REAL;
    }
    return converts_to_float ? DLB_PY_REAL : DLB_PY_NO_NUMBER;
}

/* Returns the kind of a number of Python, or DLB_PY_NO_NUMBER. */
static inline int kind_of_builtin(PyObject *value)
{
    return PyFloat_Check(value)     ? DLB_PY_REAL
           : PyBool_Check(value)    ? DLB_PY_BOOL
           : PyLong_Check(value)    ? DLB_PY_INTEGER
           : PyComplex_Check(value) ? DLB_PY_COMPLEX
                                    : DLB_PY_NO_NUMBER;
}

/* Returns whether a value cannot be a number, whatever its attributes are. */
static bool is_other_builtin(PyObject *value)
{
    return value == Py_None || PyUnicode_Check(value) || PyBytes_Check(value) || PyList_Check(value) || PyTuple_Check(value) ||
           PyDict_Check(value) || PyType_Check(value) || PyCapsule_CheckExact(value);
}

int dlb_py_number_kind(PyObject *value)
{
    int kind = kind_of_builtin(value);
    int axes;

    if (kind != DLB_PY_NO_NUMBER || is_other_builtin(value)) {
        return kind;
    }
    kind = kind_of_scalar_type(value);
    if (kind != DLB_PY_NO_NUMBER) {
        return kind;
    }
    if (dlb_py_check_stack() != 0) { /* the attributes and methods may run foreign code */
        return -1;
    }
    kind = PyNumber_Check(value) ? 1 : dlb_py_has(value, "__complex__");
    if (kind <= 0) {
        return kind;
    }
    axes = has_axes(value);
    if (axes != 0) {
        return axes < 0 ? -1 : DLB_PY_NO_NUMBER;
    }
    kind = kind_by_dtype(value);
    return kind != DLB_PY_NO_NUMBER ? kind : kind_by_methods(value);
}

/* Returns whether a value whose __index__() failed is a bool all the same, as NumPy's arrays of rank 0 and dtype bool are. Drops the
 * pending exception then, or if another one replaces it. */
static bool is_bool_still(PyObject *value)
{
    const dlb_py_exception pending = dlb_py_fetch();
    const int kind = dlb_py_number_kind(value);

    if (kind < 0 || kind == DLB_PY_BOOL) {
        dlb_py_forget_exception(&pending);
    } else {
        dlb_py_restore(&pending);
    }
    return kind == DLB_PY_BOOL;
}

static PyObject *truth_of(PyObject *value)
{
    const int truth = PyObject_IsTrue(value);

    return truth >= 0 ? PyBool_FromLong(truth) : NULL;
}

PyObject *dlb_py_as_integer(PyObject *value)
{
    PyObject *integer;

    if (!PyLong_Check(value) && dlb_py_check_stack() != 0) {
        return NULL;
    }
    if (!PyLong_Check(value) && is_of_numpy(value)) { /* its __index__() warns, or is missing */
        return truth_of(value);
    }
    if (!PyIndex_Check(value)) {
        return NULL;
    }
    integer = PyNumber_Index(value);
    return integer == NULL && PyErr_ExceptionMatches(PyExc_TypeError) && is_bool_still(value) ? truth_of(value) : integer;
}

/* Returns whether the conversion of an object to a float would lose an imaginary part: 1 or 0, or -1 with an exception. NumPy's complex64
 * has __float__(), too, and a float or an int has no such part. */
static int is_complex(PyObject *value)
{
    int kind = kind_of_builtin(value);

    if (kind == DLB_PY_NO_NUMBER) {
        kind = kind_of_scalar_type(value);
    }
    if (kind == DLB_PY_NO_NUMBER) {
        kind = dlb_py_check_stack() == 0 ? kind_by_dtype(value) : -1;
    }
    if (kind == DLB_PY_NO_NUMBER) {
        const int converts = dlb_py_has(value, "__complex__");

        return converts <= 0 ? converts : has_imaginary_part(value);
    }
    return kind < 0 ? -1 : kind == DLB_PY_COMPLEX;
}

/* ---- Integers ---- */

static int refuse_range(const dlb_py_function *function, const dlb_param *param, bool below)
{
    const bool is_signed = param->ctype_class == DLB_SIGNED;

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

/* Returns whether an integer of `size` bytes, signed or unsigned by `ctype_class`, can hold `value`. */
static bool integer_fits(int64_t value, size_t size, dlb_ctype_class ctype_class)
{
    const unsigned unused = size < 8 ? (unsigned)(64 - 8 * size) : 0;
    const int64_t maximum = INT64_MAX >> unused;

    if (ctype_class == DLB_SIGNED) {
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
    return (param->ctype_class == DLB_SIGNED ? read_signed : read_unsigned)(function, param, index, place);
}

static int read_integer(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place)
{
    PyObject *index;
    int64_t number;
    int result;

    if (DLB_LIKELY(dlb_py_small_int(value, &number))) {
        if (DLB_UNLIKELY(!integer_fits(number, param->size, param->ctype_class))) {
            return refuse_range(function, param, number < 0);
        }
        dlb_py_store_integer(place, param->size, (uint64_t)number);
        return 0;
    }
    if (PyLong_Check(value)) {
        return read_large(function, param, value, place);
    }
    index = dlb_py_check_stack_of(function) == 0 ? dlb_py_as_integer(value) : NULL;
    if (index == NULL) {
        return dlb_py_refuse_integer(function, param, value, "int");
    }
    result = read_large(function, param, index, place);
    Py_DECREF(index);
    return result;
}

int dlb_py_derive(const dlb_py_function *function, const char *param, int64_t value, void *place, size_t size,
                   dlb_ctype_class ctype_class)
{
    if ((ctype_class == DLB_SIGNED || ctype_class == DLB_UNSIGNED) && !integer_fits(value, size, ctype_class)) {
        (void)dlb_py_raise_message(PyExc_OverflowError, "%s(): '%s' is %s %zu-bit integer, which cannot be %lld", function->name,
                                param, ctype_class == DLB_SIGNED ? "a signed" : "an unsigned", 8 * size, (long long)value);
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
    *number = dlb_py_check_stack_of(function) == 0 ? convert(value) : -1.0;
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
    int loses;

    if (DLB_LIKELY(PyFloat_CheckExact(value))) {
        return store_floating(function, param, PyFloat_AS_DOUBLE(value), place, param->size);
    }
    if (dlb_py_small_int(value, &small)) {
        return store_floating(function, param, (double)small, place, param->size);
    }
    loses = PyNumber_Check(value) ? is_complex(value) : 1;
    if (loses != 0) {
        return loses > 0 ? dlb_py_refuse_type(function, param, value, "real number")
                         : dlb_py_name_argument(function->name, param->name);
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
    int loses;

    if (converts != 0) {
        number = converts > 0 && dlb_py_check_stack_of(function) == 0 ? PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, value, NULL) : NULL;
        if (number == NULL) {
            (void)dlb_py_name_argument(function->name, param->name);
        }
        return number;
    }
    loses = PyNumber_Check(value) ? is_complex(value) : 1; /* a complex dtype, but only __float__() */
    if (loses != 0) {
        (void)(loses > 0 ? dlb_py_refuse_type(function, param, value, "complex number") : dlb_py_name_argument(function->name, param->name));
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

int dlb_py_read_complex(const dlb_py_function *function, int index, PyObject *const *arguments, void *place, size_t size)
{
    const dlb_param *const param = &function->params[index];
    double parts[2];

    if (arguments[index] == NULL) {
        return 0;
    }
    if (read_parts(function, param, arguments[index], parts) != 0 ||
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

    if (param->ctype_class == DLB_FLOATING && size == sizeof number) {
        for (; i < count && read_double_fast(items[i], &number); i++) {
            memcpy(to + (size_t)i * sizeof number, &number, sizeof number);
        }
    } else if (param->ctype_class == DLB_FLOATING && size == sizeof(float)) {
        for (; i < count && read_double_fast(items[i], &number); i++) {
            const float small = (float)number;

            if (isinf(small) && !isinf(number)) {
                break;
            }
            memcpy(to + (size_t)i * sizeof small, &small, sizeof small);
        }
    } else if (param->ctype_class == DLB_SIGNED || param->ctype_class == DLB_UNSIGNED) {
        for (; i < count && dlb_py_small_int(items[i], &integer) && integer_fits(integer, size, param->ctype_class); i++) {
            dlb_py_store_integer(to + (size_t)i * size, size, (uint64_t)integer);
        }
    }
    return i;
}

/* ---- Numbers of any C type class ---- */

static int read_boolean(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place)
{
    const bool is_foreign = !PyBool_Check(value);
    const int truth = is_foreign && dlb_py_check_stack_of(function) != 0 ? -1 : PyObject_IsTrue(value);
    const bool stored = truth > 0;

    if (truth < 0) {
        return dlb_py_switches_off(value, "__bool__") ? dlb_py_refuse_type(function, param, value, "bool")
                                                      : dlb_py_name_argument(function->name, param->name);
    }
    memcpy(place, &stored, sizeof stored);
    return 0;
}

int dlb_py_read_number(const dlb_py_function *function, int index, PyObject *const *arguments, void *place)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = arguments[index];

    if (value == NULL) {
        return 0;
    }
    switch (param->ctype_class) {
    case DLB_SIGNED:
    case DLB_UNSIGNED:
        return read_integer(function, param, value, place);
    case DLB_FLOATING:
        return read_floating(function, param, value, place);
    case DLB_BOOLEAN:
        return read_boolean(function, param, value, place);
    case DLB_STRING:
        return dlb_py_read_string(function, index, arguments, 0, place);
    case DLB_OTHER:
        break;
    }
    return refuse_c_type(function, param);
}

int dlb_py_list_name(PyObject **list, const char *name)
{
    PyObject *const shorter = *list;

    *list = shorter != NULL ? PyUnicode_FromFormat("%U, %s", shorter, name) : PyUnicode_FromString(name);
    Py_XDECREF(shorter);
    return *list != NULL ? 0 : -1;
}

/* ---- Characters and strings ---- */

int dlb_py_read_char(const dlb_py_function *function, int index, PyObject *const *arguments, char *place)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = arguments[index];
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
static int check_string(const dlb_py_function *function, const dlb_param *param, const char *string, Py_ssize_t size)
{
    if (strlen(string) == (size_t)size) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s': embedded null character", function->name, param->name);
    return -1;
}

int dlb_py_read_string(const dlb_py_function *function, int index, PyObject *const *arguments, int optional,
                     const char **place)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = arguments[index];
    const char *string = NULL;
    Py_ssize_t size;

    if (value == NULL) {
        return 0;
    }
    if (!optional || value != Py_None) {
        if (!PyUnicode_Check(value)) {
            return dlb_py_refuse_type(function, param, value, optional ? "str or None" : "str");
        }
        string = PyUnicode_AsUTF8AndSize(value, &size);
        if (string == NULL) {
            return dlb_py_name_argument(function->name, param->name);
        }
        if (check_string(function, param, string, size) != 0) {
            return -1;
        }
    }
    *place = string;
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
        const char *string = NULL;

        complete = i == count || read_item(function, param, PyTuple_GET_ITEM(items, i), i, &string) == 0;
        memcpy(*table + (size_t)i * sizeof string, &string, sizeof string);
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

int dlb_py_read_strings(const dlb_py_function *function, int index, PyObject *const *arguments, int optional, void *place,
                      PyObject **keeper)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = arguments[index];
    PyObject *items;
    char *table;

    *keeper = NULL;
    if (value == NULL || (optional && value == Py_None)) {
        return 0;
    }
    if (!PySequence_Check(value) || PyUnicode_Check(value) || PyBytes_Check(value)) {
        return dlb_py_refuse_type(function, param, value, optional ? "a sequence of str or None" : "a sequence of str");
    }
    items = dlb_py_check_stack_of(function) == 0 ? PySequence_Tuple(value) : NULL;
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

int64_t dlb_py_string_count(const void *strings)
{
    const char *const *const table = strings;
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
    PyObject *const path = dlb_py_check_stack_of(function) == 0 ? PyOS_FSPath(value) : NULL;
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

int dlb_py_read_path(const dlb_py_function *function, int index, PyObject *const *arguments, int optional,
                     const char **place, PyObject **keeper)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = arguments[index];
    PyObject *bytes;
    char *string;
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
    if (PyBytes_AsStringAndSize(bytes, &string, &size) != 0 || check_string(function, param, string, size) != 0) {
        Py_DECREF(bytes);
        return -1;
    }
    *place = string;
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
    return dlb_py_derive(function, param->name, value, place, size, value < 0 ? DLB_SIGNED : DLB_UNSIGNED);
}

int dlb_py_read_enum(const dlb_py_function *function, int index, PyObject *const *arguments, const dlb_py_enum *of,
                     void *place, size_t size)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = arguments[index];
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

/* ---- Storage for params and other values ---- */

void *dlb_py_allocate_values(dlb_py_values *values, size_t size, void (*defaults)(void *values))
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

void dlb_py_free_values(dlb_py_values *values)
{
    PyMem_Free(values->large);
}
