/* SPDX-License-Identifier: MIT-0 */
/* Differences between versions of CPython, its limited API (3.11 and later), and its build without a GIL. */
#ifndef DLB_PY_COMPAT_H_
#define DLB_PY_COMPAT_H_

#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

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
static inline bool dlb_py_is_string(PyObject *value, const char *text)
{
#if !defined(Py_LIMITED_API)
    if (PyUnicode_IS_COMPACT_ASCII(value)) { /* true unless the type is a subclass */
        const char *const own = (const char *)PyUnicode_DATA(value);
        Py_ssize_t length = 0;

        while (own[length] == text[length] && text[length] != '\0') {
            length++;
        }
        return own[length] == text[length] && length == PyUnicode_GET_LENGTH(value);
    }
#endif
    return PyUnicode_CompareWithASCIIString(value, text) == 0;
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

#endif
