/* SPDX-License-Identifier: MIT-0 */
/* What a generated NAME_module.c says of attributes that are assigned, of classes that are called, and of special methods. Included by
 * dlb_function.h. */
#ifndef DLB_ASSIGN_H_
#define DLB_ASSIGN_H_

#include "dlb_function.h"

/* ---- Attributes and classes ---- */

/* A function as METH_FASTCALL | METH_KEYWORDS calls it. */
typedef PyObject *dlb_py_fastcall(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* Calls `function` with the value that is assigned to an attribute; an AttributeError where it is deleted. 0 or -1. */
DLB_API int dlb_py_assign(PyObject *self, const char *name, PyObject *value, dlb_py_fastcall *function);
/* The arguments by position of a vectorcall. */
static inline Py_ssize_t dlb_py_nargs(size_t nargsf)
{
    return (Py_ssize_t)(nargsf & SIZE_MAX >> 1);
}

/* Calls `function` with the arguments of a tp_new. */
DLB_API PyObject *dlb_py_construct(dlb_py_fastcall *function, PyTypeObject *cls, PyObject *args, PyObject *kwargs);

/* ---- Special methods: what CPython's slots make of what the functions of a spec answer, which they take over ---- */

/* Of an object that is called. */
DLB_API PyObject *dlb_py_called(dlb_py_fastcall *function, PyObject *self, PyObject *args, PyObject *kwargs);
/* Of `x[index]`, where a sequence is asked. */
DLB_API PyObject *dlb_py_item_at(dlb_py_fastcall *function, PyObject *self, Py_ssize_t index);
/* The length, 0 or 1, or 0 for something done; -1 with an exception. */
DLB_API Py_ssize_t dlb_py_as_length(PyObject *answer);
DLB_API int dlb_py_as_truth(PyObject *answer);
DLB_API int dlb_py_as_done(PyObject *answer);
/* There is no such method. -1: a TypeError. */
DLB_API int dlb_py_does_not(PyObject *self, const char *what);

/* ---- Members that properties set ---- */

/* An integer for a member, whose type only the compiler knows. 0 or -1. */
DLB_API int dlb_py_read_integer(const dlb_py_function *function, int index, PyObject *const *given, dlb_integer *place);

static inline int dlb_is_same_integer(dlb_integer a, dlb_integer b)
{
    return a.value == b.value && a.fits == b.fits;
}

/* Each stores `given` in a member if that can hold it, which `fits` tells then; else the member stays as it was. */

/* (It is read back, since a bit-field does not say what it holds.) */
#define DLB_PY_STORE_INTEGER(fits, place, given)                                                                       \
    do {                                                                                                               \
        const dlb_integer dlb_given_ = (given), dlb_old_ = DLB_INTEGER(place);                                         \
        DLB_NARROWING_BEGIN_(place) = dlb_given_.value;                                                                \
        DLB_NARROWING_END_(fits) = dlb_is_same_integer(DLB_INTEGER(place), dlb_given_);                                \
        if (!(fits)) {                                                                                                 \
            DLB_NARROWING_BEGIN_(place) = dlb_old_.value;                                                              \
            DLB_NARROWING_END_                                                                                         \
        }                                                                                                              \
    } while (0)
/* (Everything holds a truth.) */
#define DLB_PY_STORE_BOOL(fits, place, given)                                                                          \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(place) = (given);                                                                         \
        DLB_NARROWING_END_(fits) = 1;                                                                                  \
    } while (0)
#define DLB_PY_STORE_FLOAT(fits, place, given)                                                                         \
    do {                                                                                                               \
        DLB_ASSERT_(DLB_IS_REAL_(place), #place " is no floating number");                                             \
        (fits) = dlb_py_holds_real((given), sizeof(place));                                                            \
        if (fits) {                                                                                                    \
            (place) = DLB_GENERIC_((place), float: (float)(given), long double: (long double)(given), default: (given)); \
        }                                                                                                              \
    } while (0)
#if defined(__GNUC__)
#define DLB_HOLD_COMPLEX_(place, given, number)                                                                        \
    __builtin_choose_expr(DLB_IS_STRUCT_(place), DLB_PAIR_OF_(place, creal(given), cimag(given)), number)
#else
#define DLB_HOLD_COMPLEX_(place, given, number) (number)
#endif
#define DLB_PY_STORE_COMPLEX(fits, place, given)                                                                       \
    do {                                                                                                               \
        DLB_ASSERT_COMPLEX(__typeof__(place), #place " is no complex number");                                         \
        (fits) = dlb_py_holds_real(creal(given), sizeof(place) / 2) && dlb_py_holds_real(cimag(given), sizeof(place) / 2); \
        if (fits) {                                                                                                    \
            (place) = DLB_HOLD_COMPLEX_(place, given,                                                                  \
                                        DLB_GENERIC_((place), float _Complex: (float _Complex)(given),                 \
                                            long double _Complex: (long double _Complex)(given), default: (given)));   \
        }                                                                                                              \
    } while (0)
/* A floating number of `size` bytes can be that. */
DLB_API int dlb_py_holds_real(double number, size_t size);

/* None, or an OverflowError that `value` does not fit. */
DLB_API PyObject *dlb_py_stored(const dlb_py_function *function, PyObject *value, int fits);

#endif
