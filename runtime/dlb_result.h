/* SPDX-License-Identifier: MIT-0 */
/* What the functions of generated modules return, as Python objects: the end of dlb_function.h. Unless said otherwise, they return
 * a new reference, or NULL with an exception. */
#ifndef DLB_RESULT_H_
#define DLB_RESULT_H_

#include "dlb_array.h"
#include "dlb_function.h"

/* A number, a boolean or a const char *, as a Python object. */
#define DLB_PY_FROM_INTEGER(value)                                                                                     \
    ((void)DLB_PROVE_(DLB_WIDEN_(value, 1, 1, 0), is_no_integer__say_which_type_it_is),                                \
     DLB_WIDEN_(value, PyLong_FromLongLong, PyLong_FromUnsignedLongLong, PyLong_FromLongLong)(value))
DLB_API PyObject *dlb_py_from_complex(double real, double imaginary);
/* The Python object of an expression whose type the generator does not know: a complex number of C, a struct of its two parts, or a
 * real number. */
#if defined(__GNUC__)
#define DLB_PY_FROM_COMPLEX(...)                                                                                       \
    __extension__({                                                                                                    \
        typedef __typeof__(__VA_ARGS__) dlb_number_;                                                                   \
        const dlb_number_ dlb_value_ = (__VA_ARGS__);                                                                  \
        DLB_ASSERT_(!DLB_IS_STRUCT_(dlb_value_) || DLB_IS_PAIR_(dlb_number_), #__VA_ARGS__ " is not a complex number"); \
        DLB_ASSERT_PARTS_(dlb_number_);                                                                                \
        dlb_py_from_complex(DLB_REAL_PART_(dlb_value_), DLB_IMAGINARY_PART_(dlb_value_));                              \
    })
#else
#define DLB_PY_FROM_COMPLEX(...)                                                                                       \
    dlb_py_from_complex(creal((double complex)(__VA_ARGS__)), cimag((double complex)(__VA_ARGS__)))
#endif
DLB_API PyObject *dlb_py_from_char(char value);
DLB_API PyObject *dlb_py_from_text(const void *value); /* characters, whatever C calls them; NULL is None */
DLB_API PyObject *dlb_py_from_texts(const void *values); /* a list, up to the NULL at the end of the table; NULL is an empty one */
/* Returns a list of the first `count` texts of a table, None for an entry that is NULL. A table that is NULL has no texts. */
DLB_API PyObject *dlb_py_from_counted_texts(const void *values, dlb_integer count);
/* No more than `room` bytes, of which perhaps none is NUL. */
DLB_API PyObject *dlb_py_from_text_within(const void *value, size_t storage);
/* The text of a pointer, or of an array in a struct. */
#if defined(__GNUC__)
#define DLB_PY_TEXT(e)                                                                                                 \
    ((void)DLB_PROVE_(sizeof((e)[0]) == 1, is_no_text),                                                                \
     dlb_py_from_text_within((e), DLB_SAME_TYPE_(e, &(e)[0]) ? SIZE_MAX : sizeof(e)))
#else
#define DLB_PY_TEXT(e) ((void)DLB_PROVE_(sizeof((e)[0]) == 1, is_no_text), dlb_py_from_text(e))
#endif
/* So many bytes, copied. NULL is None. (What is usual is said without the integer as it is in memory.) */
DLB_API PyObject *dlb_py_from_bytes_slow(const void *value, dlb_integer size);
static inline PyObject *dlb_py_from_bytes(const void *value, dlb_integer size)
{
    if (DLB_LIKELY(value != NULL && size.fits == 1 && size.value >= 0 && (uint64_t)size.value <= (uint64_t)PY_SSIZE_T_MAX)) {
        return PyBytes_FromStringAndSize(value, (Py_ssize_t)size.value);
    }
    return dlb_py_from_bytes_slow(value, size);
}
/* The same of an array of `room` bytes. */
DLB_API PyObject *dlb_py_from_bytes_within(const void *value, size_t storage, dlb_integer size);
/* There is no text and are no bytes where there must be: `value`, as the spec has it. NULL: a RuntimeError. */
DLB_API PyObject *dlb_py_missing(const char *function, const char *value);
/* Room for bytes that C fills, zeroed: the memory of a new object, *bytes. NULL: a ValueError naming `param`, or a MemoryError. */
DLB_API void *dlb_py_output_bytes(const dlb_py_function *function, const char *param, dlb_integer size, PyObject **bytes);
/* The first `size` of them, which only the limited API copies. Takes *bytes over, and leaves NULL there. */
DLB_API PyObject *dlb_py_filled(PyObject **bytes, dlb_integer size);
/* Its member; what is none is a combination, of flags, or an int. */
DLB_API PyObject *dlb_py_from_enum(const dlb_py_enum *of, int64_t value);

/* Whether that is an object, of a type that C passes by value: a pointer that is NULL is none. */
#if defined(__GNUC__)
#define DLB_IS_OBJECT(value)                                                                                           \
    (__builtin_choose_expr(DLB_IS_POINTER_TYPE(__typeof__(value)), (value), (const void *)"") != NULL)
/* Whether these variables, of a type that C passes by value, are the same object: pointers that are equal. */
#define DLB_IS_SAME_OBJECT(a, b) (DLB_IS_POINTER_TYPE(__typeof__(a)) && memcmp(&(a), &(b), sizeof(a)) == 0)
#else
#define DLB_IS_OBJECT(value) 1
#define DLB_IS_SAME_OBJECT(a, b) 0
#endif
/* Whether the bytes of two structs are the same, and with them what they have: of zeros, each has nothing. */
static inline int dlb_is_same_struct(const void *a, const void *b, size_t size)
{
    const unsigned char *const bytes = a;
    int has_something = 0;

    for (size_t i = 0; i < size; i++) {
        has_something |= bytes[i];
    }
    return has_something && memcmp(a, b, size) == 0;
}
/* The same of these variables, whatever their type: numbers are the same object if they are equal. */
#if DLB_HAS_GENERIC
#define DLB_IS_SAME_VALUE(a, b)                                                                                        \
    (DLB_SELECT_(a, 1, 1, 0) ? memcmp(&(a), &(b), sizeof(a)) == 0 : dlb_is_same_struct(&(a), &(b), sizeof(a)))
#else
#define DLB_IS_SAME_VALUE(a, b) dlb_is_same_struct(&(a), &(b), sizeof(a))
#endif
/* dlb_new_storage(), with a MemoryError. */
DLB_API void *dlb_py_storage_for(const dlb_type *type, size_t size);
/* An object that the library has made for the caller, who gives it away: as dlb_py_wrap(), but without another reference.
 * On failure it is released. NULL: a RuntimeError, or None. `flags`: DLB_PY_OPTIONAL, DLB_PY_IN_STORAGE, DLB_PY_READS. */
DLB_API PyObject *dlb_py_adopt(const dlb_type *type, void *object, unsigned flags);
/* The same of one that must go before `kept`, which its owner keeps. */
DLB_API PyObject *dlb_py_adopt_keeping(const dlb_type *type, void *object, const dlb_py_argument *kept, unsigned flags);
/* The same of several. */
enum { DLB_PY_MOST_KEPT = 16 };
DLB_API PyObject *dlb_py_adopt_keeping_all(const dlb_type *type, void *object, dlb_py_argument *const *kept, int count,
                                           unsigned flags);
/* The same of one that must go before what `other` must go before: a context that both were made with. */
DLB_API PyObject *dlb_py_adopt_beside(const dlb_type *type, void *object, const dlb_py_argument *other, unsigned flags);
/* Adopts an object that may refer to arguments of the call, those that are DLB_PY_REFERRED: it keeps the array whose memory it shows. If it
 * is the struct that an import made of an array, it is not released. It keeps `count` others besides, at `kept`. */
DLB_API PyObject *dlb_py_adopt_referring(const dlb_type *type, void *object, const dlb_py_function *function,
                                         dlb_py_argument *arrays, dlb_py_argument *const *kept, int count, unsigned flags);
/* The item of a sequence that is this object; NULL: none is. */
DLB_API dlb_py_argument *dlb_py_item(const dlb_py_argument *array, const void *object);
/* From now on `object` keeps these, which C is about to store in it, until it has gone. `by`: the parameter, if each call lets go
 * with dlb_py_forget() of what earlier ones gave; else NULL. Needs the GIL. TypeError, MemoryError. 0 or -1. */
DLB_API int dlb_py_keep(const dlb_py_argument *object, dlb_py_argument *const *kept, int count, const void *by);
DLB_API void dlb_py_forget(const dlb_py_argument *object, const void *by);
/* What an object was made with: the state of its type, of an operand that is DLB_PY_KEPT. */
DLB_API const void *dlb_py_state_of(const dlb_py_argument *array);
/* An object that stays the library's. `within`: what it lives in, which is kept; NULL: it lives for good. With `retain`, a
 * reference of its own is taken. `flags`: DLB_PY_OPTIONAL, DLB_PY_IN_STORAGE, DLB_PY_READS. */
DLB_API PyObject *dlb_py_borrowed_result(const dlb_type *type, void *object, dlb_py_argument *within, unsigned flags);

/* What becomes of a NULL for which there is no object: None, or NULL with an exception. */
DLB_API PyObject *dlb_py_returned_null(const dlb_type *type, int optional);
/* The rank of an array that C returns, for its extents and one of the two below; -1: a ValueError. `most`: there can be. */
DLB_API int dlb_py_rank(const dlb_type *type, dlb_integer ndim, int most);
/* A copy of `data`, elements of that dtype and shape in row-major order, as an object of `type`, that of dlb_array. NULL is an array
 * without elements; of others it is a RuntimeError, or None. */
#define DLB_PY_COPY_ARRAY(type, data, dtype, optional, ...)                                                            \
    dlb_py_copy_array((type), (data), (dtype), (optional),                                                             \
                      (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), (const dlb_integer[]){__VA_ARGS__})
DLB_API PyObject *dlb_py_copy_array(const dlb_type *type, const void *data, DLDataType dtype, int optional, int ndim,
                                    const dlb_integer *extents);
/* Room for so many elements of C's that it fills, each of `size` bytes, zeroed, in an array that will have `ndim` axes. NULL: a
 * ValueError naming `param`, or a MemoryError. */
DLB_API dlb_array *dlb_py_output_array(const dlb_py_function *function, const char *param, DLDataType dtype, int ndim,
                                     dlb_integer count, size_t size);
/* That array, with the elements of this shape at its beginning, as an object of `type`: takes *array over, and leaves NULL there. What
 * has no room there is a ValueError. */
#define DLB_PY_FILLED_ARRAY(type, array, ...)                                                                          \
    dlb_py_filled_array((type), (array), (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)),               \
                        (const dlb_integer[]){__VA_ARGS__})
DLB_API PyObject *dlb_py_filled_array(const dlb_type *type, dlb_array **array, int ndim, const dlb_integer *extents);
/* What a pointer shows, the memory itself, for as long as the object that it lives `within`, or for good. `flags`: as for dlb_py_borrowed_result(). */
#define DLB_PY_BORROWED_ARRAY(type, data, dtype, within, flags, ...)                                                       \
    dlb_py_borrowed_array((type), (data), (dtype), (within), (flags),                                                      \
                      (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), (const dlb_integer[]){__VA_ARGS__})
DLB_API PyObject *dlb_py_borrowed_array(const dlb_type *type, const void *data, DLDataType dtype, dlb_py_argument *within,
                                    unsigned flags, int ndim, const dlb_integer *extents);

/* The tuple of `count` values, all of which it takes over; NULL if one of them is. */
DLB_API PyObject *dlb_py_tuple(PyObject **values, Py_ssize_t count);

/* The call has failed: raises `exception` with `message`; NULL: "NAME() failed", with `call`. */
DLB_API void dlb_py_failed(const dlb_py_function *function, PyObject *exception, const char *call, const char *message);
/* The same of a call that tells by its result what is wrong; that is shown where there is no message. */
DLB_API void dlb_py_failed_with(const dlb_py_function *function, PyObject *exception, const char *call,
                                const char *message, dlb_integer result);
/* The same as an OSError of that number, which chooses the class of a plain one; 0: without. `path` may be NULL. */
DLB_API void dlb_py_failed_system(const dlb_py_function *function, PyObject *exception, int number, const char *call,
                                  const char *message, PyObject *path);

#endif
