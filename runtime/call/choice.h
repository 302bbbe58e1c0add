/* SPDX-License-Identifier: MIT-0 */
/* The choice between several C functions with the same name in Python. */
#ifndef DLB_CALL_CHOICE_H_
#define DLB_CALL_CHOICE_H_

#include "call.h"

/* How well an alternative takes an argument, from the best to the worst. */
enum {
    FIT_EXACT,           /* the class, the dtype or the Python type is the required one */
    FIT_AS_ARRAY,        /* an object of a generated class is used as an array */
    FIT_CAST,            /* the elements of an array are converted */
    FIT_BOOL_LIST,       /* a sequence of bools, and the dtype is bool */
    FIT_PREFERRED_LIST,  /* a sequence of numbers, and the dtype is NumPy's for them */
    FIT_FLOAT64_LIST,    /* a sequence of integers, and the dtype is float64 */
    FIT_OTHER_LIST,      /* a sequence of numbers for another dtype */
    FIT_AS_INTEGER,      /* a bool, or an object with __index__(), for an integer */
    FIT_AS_NUMBER,       /* an int for a float; an object with __float__() */
    FIT_NUMBER_AS_ARRAY, /* a number of NumPy, or an array of rank 0, is used as an array */
    FIT_OUT_OF_RANGE,    /* a number is beyond the range of the C type: the function refuses it */
    FIT_ROUNDED,         /* an integer has too many digits for the floating-point type */
    FIT_UNKNOWN,         /* only the function itself can tell whether it takes the argument */
    FIT_REFUSED,
    FIT_FAILED           /* an exception is pending */
};

/* One call: the alternatives, and the arguments that Python passes. */
typedef struct dlb_py_choice {
    const dlb_py_alternatives *of;
    PyObject *const *args;
    Py_ssize_t nargs;
    PyObject *kwnames;
    Py_ssize_t count; /* of the arguments, with those by keyword */
    dlb_py_described *described;
    bool has_answers; /* whether `described` holds answers of producers, or items */
    bool is_doubtful; /* only the chosen function can tell whether it takes the arguments */
} dlb_py_choice;

/* Returns the position of the argument for a param, or -1 if it is missing. With keywords, their positions must have been stored. */
static inline Py_ssize_t dlb_py_position_of(const dlb_py_choice *call, int index)
{
    if (call->kwnames != NULL) {
        return call->described[index].position;
    }
    return index < call->nargs ? index : -1;
}

/* Returns whether the requirements accept the dtype. */
static inline bool dlb_py_has_dtype(const dlb_requirements *require, DLDataType dtype)
{
    for (size_t i = 0; i < require->dtype_count; i++) {
        if (dlb_same_dtype(require->dtypes[i], dtype)) {
            return true;
        }
    }
    return require->dtype_count == 0;
}

/* Returns whether an array has a required dtype, in the byte order of this machine. */
static inline bool dlb_py_accepts(const dlb_requirements *require, const dlb_py_described *described)
{
    return !described->swapped && dlb_py_has_dtype(require, described->dtype);
}

/* Finds the param of each argument that is passed by keyword, and stores the position of the argument. Returns false if the function has
 * no such param, or has it already. */
DLB_API bool dlb_py_place_keywords(const dlb_py_choice *call, const dlb_py_function *function);
/* Returns the alternative that takes the arguments best, the first of several; or NULL: with an exception if the arguments cannot be
 * read, without one if no alternative takes them. */
DLB_API const dlb_py_alternative *dlb_py_choose(dlb_py_choice *call);
/* Returns the index of the first param whose argument the function refuses, the number of params if it refuses none, or -1 if it takes
 * other numbers of arguments. Stores the positions of the arguments that are passed by keyword. */
DLB_API DLB_COLD int dlb_py_first_refused(dlb_py_choice *call, const dlb_py_function *function);

/* Raises a TypeError: no alternative takes arguments of this number and with these names. */
DLB_API DLB_COLD void dlb_py_refuse_count_of_all(dlb_py_choice *call);
/* Raises the exception of a call that no alternative takes. It is about the argument that the most fitting alternatives refuse, and lists
 * the other signatures. */
DLB_API DLB_COLD void dlb_py_refuse_all(dlb_py_choice *call);
/* Adds the signatures of the other alternatives to the message of the pending exception, which is about an argument of `but`. With an
 * index, omits alternatives that refuse the same argument. An exception of the library stays as it is. */
DLB_API DLB_COLD void dlb_py_name_others(dlb_py_choice *call, const dlb_py_function *but, int index);

#endif
