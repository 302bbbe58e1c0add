/* SPDX-License-Identifier: MIT-0 */
/* Functions with which a generated NAME_module.c implements assignable attributes, calls of classes, and special methods. Included by
 * dlb_function.h. */
#ifndef DLB_ASSIGN_H_
#define DLB_ASSIGN_H_

#include "dlb_function.h"

/* ---- Attributes and classes ---- */

/* A function with the flags METH_FASTCALL | METH_KEYWORDS. */
typedef PyObject *dlb_py_fastcall(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* Calls `function` with the value that is assigned to an attribute. Deleting the attribute is an AttributeError. Returns 0 or -1. */
DLB_API int dlb_py_assign(PyObject *self, const char *name, PyObject *value, dlb_py_fastcall *function);
/* Returns the number of positional arguments of a vectorcall. */
static inline Py_ssize_t dlb_py_nargs(size_t nargsf)
{
    return (Py_ssize_t)(nargsf & SIZE_MAX >> 1);
}

/* Calls `function` with the arguments of a tp_new. */
DLB_API PyObject *dlb_py_construct(dlb_py_fastcall *function, PyTypeObject *cls, PyObject *args, PyObject *kwargs);

/* ---- Special methods: adapters from functions of a spec to the slots of CPython. They take over the reference `answer`. ---- */

/* Implements tp_call: calls `function` with the arguments. */
DLB_API PyObject *dlb_py_called(dlb_py_fastcall *function, PyObject *self, PyObject *args, PyObject *kwargs);
/* Implements sq_item, `x[index]` of sequences. */
DLB_API PyObject *dlb_py_item_at(dlb_py_fastcall *function, PyObject *self, Py_ssize_t index);
/* Return the length; the truth, 0 or 1; or 0 for an operation without a result. -1 with an exception. */
DLB_API Py_ssize_t dlb_py_as_length(PyObject *answer);
DLB_API int dlb_py_as_truth(PyObject *answer);
DLB_API int dlb_py_as_done(PyObject *answer);
/* Raises a TypeError: the object does not support the operation `what`. Returns -1. */
DLB_API int dlb_py_does_not(PyObject *self, const char *what);

/* ---- Members that properties set ---- */

/* Reads an integer for a member whose type only the C compiler knows. Returns 0 or -1. */
DLB_API int dlb_py_read_integer(const dlb_py_function *function, int index, PyObject *const *given, dlb_integer *place);

/* Returns whether both integers are equal. */
static inline int dlb_is_same_integer(dlb_integer a, dlb_integer b)
{
    return a.value == b.value && a.fits == b.fits;
}

/* Each macro stores `given` in a member if the member can hold it, and then sets `fits` to 1. Else it sets `fits` to 0, and the member
 * keeps its value. */

/* Stores an integer. (It is read back, since C gives no way to ask for the width of a bit-field.) */
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
/* Stores a boolean, which every member can hold. */
#define DLB_PY_STORE_BOOL(fits, place, given)                                                                          \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(place) = (given);                                                                         \
        DLB_NARROWING_END_(fits) = 1;                                                                                  \
    } while (0)
#define DLB_PY_STORE_FLOAT(fits, place, given)                                                                         \
    do {                                                                                                               \
        DLB_ASSERT_(DLB_IS_REAL_(place), #place " is not a floating-point number");                                             \
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
        DLB_ASSERT_COMPLEX(__typeof__(place), #place " is not a complex number");                                         \
        (fits) = dlb_py_holds_real(creal(given), sizeof(place) / 2) && dlb_py_holds_real(cimag(given), sizeof(place) / 2); \
        if (fits) {                                                                                                    \
            (place) = DLB_HOLD_COMPLEX_(place, given,                                                                  \
                                        DLB_GENERIC_((place), float _Complex: (float _Complex)(given),                 \
                                            long double _Complex: (long double _Complex)(given), default: (given)));   \
        }                                                                                                              \
    } while (0)
/* Returns whether a floating-point number of `size` bytes can hold `number`. */
DLB_API int dlb_py_holds_real(double number, size_t size);

/* Returns None if `fits`, else raises an OverflowError that names `value`. */
DLB_API PyObject *dlb_py_stored(const dlb_py_function *function, PyObject *value, int fits);

#endif
