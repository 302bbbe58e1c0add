/* SPDX-License-Identifier: MIT-0 */
/* Declarations for a generated NAME_module.c, beside those for classes (dlb_object.h): arguments that are numbers, strings or enumerations,
 * and the differences between Pythons. All functions need the GIL. They report failure as CPython does: NULL or -1 with an exception
 * set. */
#ifndef DLB_MODULE_H_
#define DLB_MODULE_H_

#include "dlb_object.h"

#include "dlb_emit.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- Differences between Pythons ---- */

#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
#error "the limited API has the buffer protocol since 3.11: compile with -DPy_LIMITED_API=0x030B0000 or later"
#endif

/* ---- A critical section, locked on `object`, for code that two threads without a GIL must not run at once ---- */

#if PY_VERSION_HEX >= 0x030D0000 && !defined(Py_LIMITED_API)
#define DLB_PY_LOCK(object) Py_BEGIN_CRITICAL_SECTION(object)
#define DLB_PY_UNLOCK() Py_END_CRITICAL_SECTION()
#else
#define DLB_PY_LOCK(object) {
#define DLB_PY_UNLOCK() }
#endif

#if defined(Py_GIL_DISABLED)
#define DLB_PY_FREE_THREADED 1
#else
#define DLB_PY_FREE_THREADED 0
#endif

/* ---- Tuples: the limited API has no macros ---- */

#if defined(Py_LIMITED_API)
#define PyTuple_GET_SIZE(tuple) PyTuple_Size(tuple)
#define PyTuple_GET_ITEM(tuple, index) PyTuple_GetItem((tuple), (index))
#define PyTuple_SET_ITEM(tuple, index, item) ((void)PyTuple_SetItem((tuple), (index), (item)))
#endif

/* ---- Lists and tuples ---- */

/* Returns the address of the items of a list or a tuple. It is valid until other code runs, which may change the list. Returns NULL if
 * `value` is neither or is empty, with the limited API, and without a GIL, where the list may change at any time. */
static inline PyObject *const *dlb_py_items_of(PyObject *value, Py_ssize_t *count)
{
#if !defined(Py_LIMITED_API) && !DLB_PY_FREE_THREADED
    if (PyList_CheckExact(value) || PyTuple_CheckExact(value)) {
        *count = Py_SIZE(value);
        return *count > 0 ? PySequence_Fast_ITEMS(value) : NULL;
    }
#endif
    (void)value;
    *count = 0;
    return NULL;
}

/* ---- Strings ---- */

/* Returns whether a str equals this ASCII string. */
static inline bool dlb_py_is_string(PyObject *value, const char *string)
{
#if !defined(Py_LIMITED_API)
    if (PyUnicode_IS_COMPACT_ASCII(value)) { /* true unless the type is a subclass */
        const char *const own = (const char *)PyUnicode_DATA(value);
        Py_ssize_t length = 0;

        while (own[length] == string[length] && string[length] != '\0') {
            length++;
        }
        return own[length] == string[length] && length == PyUnicode_GET_LENGTH(value);
    }
#endif
    return PyUnicode_CompareWithASCIIString(value, string) == 0;
}

/* ---- Numbers ---- */

/* Reads an int of one digit, as most are. Returns false for larger ints, for other types, and with the limited API. */
static inline bool dlb_py_small_int(PyObject *value, int64_t *number)
{
#if defined(Py_LIMITED_API)
    (void)value;
    (void)number;
    return false;
#elif PY_VERSION_HEX >= 0x030C0000
    if (!PyLong_CheckExact(value) || !PyUnstable_Long_IsCompact((PyLongObject *)value)) {
        return false;
    }
    *number = PyUnstable_Long_CompactValue((PyLongObject *)value);
    return true;
#else
    const Py_ssize_t digits = PyLong_CheckExact(value) ? Py_SIZE(value) : 2;

    if (digits < -1 || digits > 1) {
        return false;
    }
    *number = digits == 0 ? 0 : digits * (int64_t)((PyLongObject *)value)->ob_digit[0];
    return true;
#endif
}

#if defined(Py_LIMITED_API)
#define PyFloat_AS_DOUBLE(value) PyFloat_AsDouble(value)
#endif

/* ---- Dicts ---- */

/* Returns the value at `key`, borrowed, after inserting `value` if the key is missing. Atomic without a GIL. The limited API always
 * inserts `value`. */
static inline PyObject *dlb_py_dict_default(PyObject *dict, PyObject *key, PyObject *value)
{
#if defined(Py_LIMITED_API)
    return PyDict_SetItem(dict, key, value) == 0 ? value : NULL;
#else
    return PyDict_SetDefault(dict, key, value);
#endif
}

/* ---- Types ---- */

/* Returns tp_dealloc of a type. */
static inline void *dlb_py_dealloc_of(PyTypeObject *type)
{
#if defined(Py_LIMITED_API)
    return PyType_GetSlot(type, Py_tp_dealloc);
#else
    return (void *)(uintptr_t)type->tp_dealloc;
#endif
}

/* Returns whether reading an attribute runs no foreign code, unless the type defines that attribute itself. */
static inline bool dlb_py_has_plain_attributes(PyTypeObject *type)
{
#if defined(Py_LIMITED_API)
    return PyType_GetSlot(type, Py_tp_getattro) == (void *)(uintptr_t)PyObject_GenericGetAttr;
#else
    return type->tp_getattro == PyObject_GenericGetAttr;
#endif
}

/* Returns the name of the type of `object`, for messages. A new reference, or NULL with an exception. */
static inline PyObject *dlb_py_type_name(PyObject *object)
{
#if defined(Py_LIMITED_API)
    return PyType_GetName(Py_TYPE(object));
#else
    return PyUnicode_FromString(Py_TYPE(object)->tp_name);
#endif
}

/* Returns the name of the type of `object` as a C string. `*keeper` gets a new reference that keeps it alive, or NULL. NULL with an
 * exception. */
static inline const char *dlb_py_type_as_str(PyObject *object, PyObject **keeper)
{
#if defined(Py_LIMITED_API)
    *keeper = PyType_GetName(Py_TYPE(object));
    return *keeper != NULL ? PyUnicode_AsUTF8AndSize(*keeper, NULL) : NULL;
#else
    *keeper = NULL;
    return Py_TYPE(object)->tp_name;
#endif
}

/* Sets an attribute of an immutable class, which setattr() refuses. The limited API has only this way, which fails an assertion in
 * debug builds. */
static inline int dlb_py_set_in_type(PyTypeObject *type, PyObject *key, PyObject *value)
{
#if defined(Py_LIMITED_API)
    return PyObject_GenericSetAttr((PyObject *)type, key, value);
#else
    return PyDict_SetItem(type->tp_dict, key, value);
#endif
}

/* 1 if a remembered type must be kept alive, because a new type at its address could not be told from it. The limited API has no type
 * versions. Before 3.11, versions start again after sys._clear_type_cache(). */
#if defined(Py_LIMITED_API) || PY_VERSION_HEX < 0x030B0000
#define DLB_PY_TYPES_ARE_KEPT 1
#else
#define DLB_PY_TYPES_ARE_KEPT 0
#endif

/* Returns the version of a type: changing the type changes it, and no two living types share it. 0: the type has none. Always 1 with
 * the limited API. */
static inline unsigned int dlb_py_type_version(PyTypeObject *type)
{
#if defined(Py_LIMITED_API)
    (void)type;
    return 1;
#elif defined(Py_GIL_DISABLED)
    return __atomic_load_n(&type->tp_version_tag, __ATOMIC_ACQUIRE);
#elif PY_VERSION_HEX >= 0x030C0000
    return type->tp_version_tag;
#else
    return (type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG) != 0 ? type->tp_version_tag : 0;
#endif
}

/* ---- Functions, as far as their names and parameters tell ---- */

typedef struct dlb_py_operand dlb_py_operand;
struct dlb_py_argument;

/* Describes a bound C function. */
typedef struct dlb_py_function {
    const char *name; /* as in messages: "blur" */
    const dlb_param *params;
    int count;           /* of params */
    int positional;      /* number of params that can be passed by position */
    int positional_only; /* number of params that cannot be passed by name */
    const dlb_py_operand *operands;
    int operand_count;
    /* 1: hold the operands until the wrapper ends. Other Python code may run before, because the call releases the GIL, or while an
     * exception is made. */
    int holds;
    /* Returns the handle of the stream on which the function works; NULL: the spec does not specify it. */
    intptr_t (*stream)(const struct dlb_py_argument *arrays);
} dlb_py_function;

/* Initialise a param: a number, a boolean or a const char *; and a param of any other type. */
#define DLB_PY_PARAM(type, name, required) {name, DLB_CTYPE_CLASS_OF(*(type *)0), 0, sizeof(type), (required), NULL, NULL}
#define DLB_PY_OBJECT_PARAM(name, required) {name, DLB_OTHER, 0, 0, (required), NULL, NULL}
/* The params of a static dlb_py_function. */
#define DLB_PY_PARAMS(...) ((const dlb_param[]){__VA_ARGS__})

/* A member of an enumeration, which is a class of the module. */
typedef struct dlb_py_member {
    const char *name;
    int64_t value;
} dlb_py_member;

/* The base class in the standard module `enum`. Flags can be combined. */
typedef enum dlb_py_enum_base { DLB_PY_INT_ENUM, DLB_PY_INT_FLAG } dlb_py_enum_base;

/* Describes an enumeration. */
typedef struct dlb_py_enum {
    const char *name;
    dlb_py_enum_base base;
    const dlb_py_member *members;
    size_t count;
} dlb_py_enum;

/* ---- Arguments ---- */

/* Sorts the arguments of a call into `arguments`, for dlb_py_arguments(). Returns 0 or -1. */
DLB_API int dlb_py_sort(const dlb_py_function *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                        PyObject **arguments);

/* Returns the arguments of a call in the order of `function->params`, with NULL for each missing one. The result is `args` itself, or
 * `storage` with `function->count` sorted entries. Missing, surplus and unknown arguments are a TypeError with the words of CPython.
 * Runs no foreign code. NULL with an exception. */
static inline PyObject *const *dlb_py_arguments(const dlb_py_function *function, PyObject *const *args,
                                                Py_ssize_t nargs, PyObject *kwnames, PyObject **storage)
{
    if (DLB_LIKELY(kwnames == NULL && nargs == function->count && function->positional == function->count)) {
        return nargs > 0 ? args : storage; /* without arguments, `args` may be NULL */
    }
    return dlb_py_sort(function, args, nargs, kwnames, storage) == 0 ? storage : NULL;
}

#if defined(DLB_CHECKED) /* a call begins when a wrapper sorts its arguments */
#define dlb_py_arguments(function, args, nargs, kwnames, storage)                                                      \
    (dlb_checked_enter((function), __func__, __builtin_frame_address(0)), dlb_py_arguments((function), (args), (nargs), (kwnames), (storage)))
#endif

/* ---- Conversions: each stores the argument at `index`, or leaves `place` unchanged if it is missing. They return 0 or -1. ---- */

/* Reads a number, a boolean or a string, as the type of the param requires. */
DLB_API int dlb_py_read_number(const dlb_py_function *function, int index, PyObject *const *arguments, void *place);
/* Reads a complex number with two parts of `size` bytes each. */
DLB_API int dlb_py_read_complex(const dlb_py_function *function, int index, PyObject *const *arguments, void *place,
                                size_t size);
/* Reads a str of one ASCII character. */
DLB_API int dlb_py_read_char(const dlb_py_function *function, int index, PyObject *const *arguments, char *place);
/* Reads a str as UTF-8, which the str owns. With `optional`, None is stored as NULL. */
DLB_API int dlb_py_read_string(const dlb_py_function *function, int index, PyObject *const *arguments, int optional,
                             const char **place);
/* Reads a path (os.PathLike, str or bytes) in the encoding of the file system. `*keeper` gets a new reference that keeps the string
 * alive, or NULL. */
DLB_API int dlb_py_read_path(const dlb_py_function *function, int index, PyObject *const *arguments, int optional,
                             const char **place, PyObject **keeper);
/* Reads a sequence of str as a NULL-terminated table of strings, whose address is stored in the pointer at `place`. `*keeper` gets a
 * new reference that keeps the table alive, or NULL. */
DLB_API int dlb_py_read_strings(const dlb_py_function *function, int index, PyObject *const *arguments, int optional,
                              void *place, PyObject **keeper);
/* Returns the number of strings in such a table. NULL has none. */
DLB_API int64_t dlb_py_string_count(const void *strings);
/* Reads a member of `of`, its name, or its number. Flags accept any number. Stores an integer of `size` bytes. */
DLB_API int dlb_py_read_enum(const dlb_py_function *function, int index, PyObject *const *arguments, const dlb_py_enum *of,
                             void *place, size_t size);

/* Executes place = value. An OverflowError names `param` if the value does not fit. Returns 0 or -1. */
#define DLB_PY_DERIVE(function, param, place, value)                                                                   \
    dlb_py_derive((function), (param), (value), &(place), sizeof(place), DLB_CTYPE_CLASS_OF(place))
/* Stores `value` in an integer of `size` bytes at `place`, for DLB_PY_DERIVE(). */
DLB_API int dlb_py_derive(const dlb_py_function *function, const char *param, int64_t value, void *place, size_t size,
                           dlb_ctype_class ctype_class);

/* ---- The module ---- */

/* Makes the class of an enumeration, and adds it to the module. Returns 0 or -1. */
DLB_API int dlb_py_add_enum(PyObject *module, const dlb_py_enum *of);
/* Converts a value to a member of the enumeration. Other values of flags become a combination, and other values become an int. */
DLB_API PyObject *dlb_py_from_enum(const dlb_py_enum *of, int64_t value);
/* Adds `value` to the module, and takes over its reference. Fails if `value` is NULL. */
DLB_API int dlb_py_add_constant(PyObject *module, const char *name, PyObject *value);

/* Deallocates the objects of all classes of this runtime. Classes are final, so each has exactly this tp_dealloc. */
DLB_API void dlb_py_dealloc(PyObject *self);
/* Returns whether the object belongs to a class of this runtime. */
static inline int dlb_py_is_ours(PyObject *object)
{
    return dlb_py_dealloc_of(Py_TYPE(object)) == DLB_PY_SLOT(dlb_py_dealloc);
}

/* ---- Macros whose arguments are C code of the spec ---- */

/* See dlb_assert.h. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

/* Initialises a dlb_py_member. A value that is not an integer, or exceeds 64 bits, does not compile. */
#define DLB_PY_MEMBER(name, value)                                                                                     \
    {(name), DLB_PROVE_(DLB_WIDEN_(value, 1, 1, 0), is_no_integer) *                                                   \
                 DLB_PROVE_((value) < 1 || (uint64_t)(value) <= INT64_MAX, is_beyond_64_bits) * (int64_t)(value)}

#endif
