/* SPDX-License-Identifier: MIT-0 */
/* Functions that convert the results of bound C functions to Python objects. Included by dlb_function.h. Unless a comment says
 * otherwise, they return a new reference, or NULL with an exception. */
#ifndef DLB_RESULT_H_
#define DLB_RESULT_H_

#include "dlb_array.h"
#include "dlb_function.h"

/* Converts an integer of any C type to an int. */
#define DLB_PY_FROM_INTEGER(value)                                                                                     \
    ((void)DLB_PROVE_(DLB_WIDEN_(value, 1, 1, 0), is_no_integer__say_which_type_it_is),                                \
     DLB_WIDEN_(value, PyLong_FromLongLong, PyLong_FromUnsignedLongLong, PyLong_FromLongLong)(value))
/* Converts two parts to a complex. */
DLB_API PyObject *dlb_py_from_complex(double real, double imaginary);
/* Converts an expression to a complex, if the generator does not know its type: a complex number of C, a struct of its two parts, or a
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
/* Converts a character to a str of one character. */
DLB_API PyObject *dlb_py_from_char(char value);
/* Converts a string of any character type of one byte to a str. NULL becomes None. */
DLB_API PyObject *dlb_py_from_string(const void *value);
/* Converts a NULL-terminated table of strings to a list. NULL becomes an empty list. */
DLB_API PyObject *dlb_py_from_strings(const void *values);
/* Converts the first `count` strings of a table to a list, with None for each entry that is NULL. A table that is NULL has no strings. */
DLB_API PyObject *dlb_py_from_counted_strings(const void *values, dlb_integer count);
/* Converts a string in an array of `storage` bytes to a str. The array need not contain a NUL. */
DLB_API PyObject *dlb_py_from_string_within(const void *value, size_t storage);
/* Converts the string of a pointer, or of an array in a struct, to a str. */
#if defined(__GNUC__)
#define DLB_PY_STRING(e)                                                                                                 \
    ((void)DLB_PROVE_(sizeof((e)[0]) == 1, is_not_a_string),                                                                \
     dlb_py_from_string_within((e), DLB_SAME_TYPE_(e, &(e)[0]) ? SIZE_MAX : sizeof(e)))
#else
#define DLB_PY_STRING(e) ((void)DLB_PROVE_(sizeof((e)[0]) == 1, is_not_a_string), dlb_py_from_string(e))
#endif
/* Copies `size` bytes to a bytes object. NULL becomes None. (The fast path keeps the dlb_integer in registers.) */
DLB_API PyObject *dlb_py_from_bytes_slow(const void *value, dlb_integer size);
static inline PyObject *dlb_py_from_bytes(const void *value, dlb_integer size)
{
    if (DLB_LIKELY(value != NULL && size.fits == 1 && size.value >= 0 && (uint64_t)size.value <= (uint64_t)PY_SSIZE_T_MAX)) {
        return PyBytes_FromStringAndSize(value, (Py_ssize_t)size.value);
    }
    return dlb_py_from_bytes_slow(value, size);
}
/* Copies `size` bytes of an array of `storage` bytes. A larger size is an error. */
DLB_API PyObject *dlb_py_from_bytes_within(const void *value, size_t storage, dlb_integer size);
/* Raises a RuntimeError: the library returned NULL for the string or bytes `value`, as the spec names it. Always returns NULL. */
DLB_API PyObject *dlb_py_missing(const char *function, const char *value);
/* Allocates `size` zeroed bytes that C fills. They are the memory of a new object, which is stored in *bytes. Returns NULL with a
 * ValueError that names `param`, or a MemoryError. */
DLB_API void *dlb_py_output_bytes(const dlb_py_function *function, const char *param, dlb_integer size, PyObject **bytes);
/* Returns the first `size` bytes of that object. Only the limited API copies them. Takes over *bytes, and sets it to NULL. */
DLB_API PyObject *dlb_py_filled(PyObject **bytes, dlb_integer size);
/* Converts a value to a member of the enumeration. Other values of flags become a combination, and other values become an int. */
DLB_API PyObject *dlb_py_from_enum(const dlb_py_enum *of, int64_t value);

/* Whether an expression is an object, if C passes its type by value. A pointer that is NULL is not an object. */
#if defined(__GNUC__)
#define DLB_IS_OBJECT(value)                                                                                           \
    (__builtin_choose_expr(DLB_IS_POINTER_TYPE(__typeof__(value)), (value), (const void *)"") != NULL)
/* Whether two variables are the same object, if C passes their type by value: pointers that are equal. */
#define DLB_IS_SAME_OBJECT(a, b) (DLB_IS_POINTER_TYPE(__typeof__(a)) && memcmp(&(a), &(b), sizeof(a)) == 0)
#else
#define DLB_IS_OBJECT(value) 1
#define DLB_IS_SAME_OBJECT(a, b) 0
#endif
/* Returns whether two structs have equal bytes, and thus the same contents. Structs of zeros have no contents, and are not the same. */
static inline int dlb_is_same_struct(const void *a, const void *b, size_t size)
{
    const unsigned char *const bytes = a;
    int has_something = 0;

    for (size_t i = 0; i < size; i++) {
        has_something |= bytes[i];
    }
    return has_something && memcmp(a, b, size) == 0;
}
/* Whether two variables of any type have the same value. Integers have it if they are equal, zeros included. */
#if DLB_HAS_GENERIC
#define DLB_IS_SAME_VALUE(a, b)                                                                                        \
    (DLB_SELECT_(a, 1, 1, 0) ? memcmp(&(a), &(b), sizeof(a)) == 0 : dlb_is_same_struct(&(a), &(b), sizeof(a)))
#else
#define DLB_IS_SAME_VALUE(a, b) dlb_is_same_struct(&(a), &(b), sizeof(a))
#endif
/* Allocates storage as dlb_new_storage() does. NULL with a MemoryError. */
DLB_API void *dlb_py_storage_for(const dlb_type *type, size_t size);
/* Makes a Python object of an object that the library made for the caller, and takes over its reference. On failure the object is
 * released. A NULL `object` becomes None with DLB_PY_OPTIONAL, else a RuntimeError. `flags`: DLB_PY_OPTIONAL, DLB_PY_IN_STORAGE,
 * DLB_PY_READS. */
DLB_API PyObject *dlb_py_adopt(const dlb_type *type, void *object, unsigned flags);
/* Adopts an object that must be destroyed before `kept`, which its owner keeps alive. */
DLB_API PyObject *dlb_py_adopt_keeping(const dlb_type *type, void *object, const dlb_py_argument *kept, unsigned flags);
/* Adopts an object that must be destroyed before the `count` objects at `kept`. */
enum { DLB_PY_MOST_KEPT = 16 };
DLB_API PyObject *dlb_py_adopt_keeping_all(const dlb_type *type, void *object, dlb_py_argument *const *kept, int count,
                                           unsigned flags);
/* Adopts an object that must be destroyed before the dependencies of `other`, for example a context with which both were made. */
DLB_API PyObject *dlb_py_adopt_beside(const dlb_type *type, void *object, const dlb_py_argument *other, unsigned flags);
/* Adopts an object that may refer to the arguments of the call that are DLB_PY_REFERRED. It keeps the array alive whose memory it
 * shows. If it is the struct that an import made from an array, it is not released. It also keeps the `count` objects at `kept` alive. */
DLB_API PyObject *dlb_py_adopt_referring(const dlb_type *type, void *object, const dlb_py_function *function,
                                         dlb_py_argument *arrays, dlb_py_argument *const *kept, int count, unsigned flags);
/* Returns the item of a sequence whose C object is `object`; NULL if there is none. */
DLB_API dlb_py_argument *dlb_py_item(const dlb_py_argument *array, const void *object);
/* Makes `object` keep the objects at `kept` alive until it is destroyed, because C is about to store them in it. `by` identifies the
 * setter, if each call replaces the dependencies of earlier calls with dlb_py_forget(); else NULL. Needs the GIL. Returns 0, or -1 with
 * a TypeError or a MemoryError. */
DLB_API int dlb_py_keep(const dlb_py_argument *object, dlb_py_argument *const *kept, int count, const void *by);
/* Removes the dependencies of `object` that the setter `by` has added. Needs the GIL. */
DLB_API void dlb_py_forget(const dlb_py_argument *object, const void *by);
/* Returns the state of the object, which it was made with. The operand must be DLB_PY_KEPT. */
DLB_API const void *dlb_py_state_of(const dlb_py_argument *array);
/* Makes a Python object of an object that belongs to the library. `within`: the object whose subobject it is, which is kept alive;
 * NULL: it lives forever. If the type has `retain`, the owner takes a reference of its own. `flags`: DLB_PY_OPTIONAL,
 * DLB_PY_IN_STORAGE, DLB_PY_READS. */
DLB_API PyObject *dlb_py_borrowed_result(const dlb_type *type, void *object, dlb_py_argument *within, unsigned flags);

/* Converts a NULL that the library returned: None with `optional`, else NULL with an exception. */
DLB_API PyObject *dlb_py_returned_null(const dlb_type *type, int optional);
/* Checks the rank of an array that C returns, before its extents are read. `most`: the number of extents there are. Returns the rank,
 * or -1 with a ValueError. */
DLB_API int dlb_py_rank(const dlb_type *type, dlb_integer ndim, int most);
/* Copies `data` to a new object of `type`, the type of dlb_array. `data` has elements of `dtype` in row-major order. NULL is accepted
 * for an array without elements. Otherwise it is None with `optional`, else a RuntimeError. */
#define DLB_PY_COPY_ARRAY(type, data, dtype, optional, ...)                                                            \
    dlb_py_copy_array((type), (data), (dtype), (optional),                                                             \
                      (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), (const dlb_integer[]){__VA_ARGS__})
DLB_API PyObject *dlb_py_copy_array(const dlb_type *type, const void *data, DLDataType dtype, int optional, int ndim,
                                    const dlb_integer *extents);
/* Allocates an array with `count` zeroed elements of `size` bytes, which C fills. The array will have `ndim` axes. Returns NULL with a
 * ValueError that names `param`, or a MemoryError. */
DLB_API dlb_array *dlb_py_output_array(const dlb_py_function *function, const char *param, DLDataType dtype, int ndim,
                                       dlb_integer count, size_t size);
/* Makes an object of `type` of that array, with the elements of these extents at its beginning. Takes over *array, and sets it to NULL.
 * Extents that exceed its capacity are a ValueError. */
#define DLB_PY_FILLED_ARRAY(type, array, ...)                                                                          \
    dlb_py_filled_array((type), (array), (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)),            \
                        (const dlb_integer[]){__VA_ARGS__})
DLB_API PyObject *dlb_py_filled_array(const dlb_type *type, dlb_array **array, int ndim, const dlb_integer *extents);
/* Makes an object that shows memory of the library, without a copy. `within`: the object whose memory it is, which is kept alive; NULL:
 * the memory lives forever. `flags`: see dlb_py_borrowed_result(). */
#define DLB_PY_BORROWED_ARRAY(type, data, dtype, within, flags, ...)                                                   \
    dlb_py_borrowed_array((type), (data), (dtype), (within), (flags),                                                  \
                      (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), (const dlb_integer[]){__VA_ARGS__})
DLB_API PyObject *dlb_py_borrowed_array(const dlb_type *type, const void *data, DLDataType dtype, dlb_py_argument *within,
                                        unsigned flags, int ndim, const dlb_integer *extents);

/* Returns a tuple of `count` values, and takes over all their references. NULL if one of the values is NULL. */
DLB_API PyObject *dlb_py_tuple(PyObject **values, Py_ssize_t count);

/* Raises `exception` with `message` after a failed call. If `message` is NULL, the message is "NAME() failed", with `call`. */
DLB_API void dlb_py_failed(const dlb_py_function *function, PyObject *exception, const char *call, const char *message);
/* Raises as dlb_py_failed() does. If `message` is NULL, the message shows the `result` of the call. */
DLB_API void dlb_py_failed_with(const dlb_py_function *function, PyObject *exception, const char *call,
                                const char *message, dlb_integer result);
/* Raises an OSError with this error number, which also selects the subclass if `exception` is OSError itself; 0: no number. `path` may
 * be NULL. */
DLB_API void dlb_py_failed_system(const dlb_py_function *function, PyObject *exception, int number, const char *call,
                                  const char *message, PyObject *path);

#endif
