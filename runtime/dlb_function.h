/* SPDX-License-Identifier: MIT-0 */
/* The interface between a generated NAME_module.c and the runtime: descriptors of the bound C functions, and functions for their
 * wrappers. All functions need the GIL. They report failure as CPython does: NULL or -1, with an exception set. */
#ifndef DLB_FUNCTION_H_
#define DLB_FUNCTION_H_

#include "dlb_python.h"

#include "dlb_describe.h"
#include "dlb_py_compat.h"

/* ---- Descriptors ---- */

/* Flags of an operand, or of a result where the comment says so. */
enum {
    DLB_PY_WRITES = 1,   /* the function may change the array: read-only memory is refused */
    DLB_PY_OPTIONAL = 2, /* None is accepted, and passed as NULL */
    DLB_PY_NUMBERS = 4,  /* a sequence of numbers is accepted, and copied */
    /* the call invalidates the object or takes it over: refused while exports of it live */
    DLB_PY_INVALIDATES = 8,
    DLB_PY_ITEMS = 16, /* the argument is a sequence of objects; the function gets an array of pointers */
    /* the result or another object keeps it alive, or the wrapper reads the state that it was made with */
    DLB_PY_KEPT = 32,
    DLB_PY_SHOWN = 64,       /* other parameters are derived from its shape or strides */
    DLB_PY_READS = 128,      /* of a result: C declares it const */
    DLB_PY_BYTES = 256,      /* any buffer is accepted, whatever its elements are: the function gets the bytes */
    DLB_PY_IN_STORAGE = 512, /* of a result: the object lies in storage of dlb_py_storage_for() */
    /* the call makes it keep other objects alive: it must be an object of this runtime, and no array is imported in its place */
    DLB_PY_KEEPS = 1024,
    DLB_PY_SETS = 2048,            /* the function may change the struct: an object that the library returned as const is refused */
    DLB_PY_UNRETURNED = 4096,      /* of items: the wrapper needs their addresses, and nothing else of them */
    DLB_PY_RESTRICT = 8192,        /* a pointer to it is `restrict`: see dlb_py_check_overlap() */
    DLB_PY_RESTRICT_ITEMS = 16384, /* of items: C declares the pointer to each item `restrict`, and writes to the items */
    /* the result may refer to it: an array is imported as an object of this runtime, which the result can keep alive */
    DLB_PY_REFERRED = 32768
};

/* Flags of a pointer whose type is a typedef, which may point to const. */
#define DLB_PY_WRITES_UNLESS_CONST(type) (DLB_TO_CONST_(type) ? 0 : DLB_PY_WRITES)
#define DLB_PY_READS_IF_CONST(type) (DLB_TO_CONST_(type) ? DLB_PY_READS : 0)

enum { DLB_PY_SAID = -1 };

/* Describes an argument that is an array, an object or a DLTensor. */
typedef struct dlb_py_operand {
    int param;                /* index of its param; -1: `self` of a method */
    const dlb_type *type;     /* class of the object; NULL: any array, passed as a tensor */
    unsigned flags;           /* bits: DLB_PY_WRITES and so on */
    const dlb_maker *require; /* further requirements; NULL: none */
    int64_t count;            /* number of elements that it must have; 0: any number */
    /* new output if the argument is missing. 1 + index: with the shape of the operand at that index; DLB_PY_SAID: with the shape passed
     * to dlb_py_make_shape(); 0: none */
    int like;
    const dlb_type *array; /* if `type` is NULL: the type of dlb_array, of new outputs and of kept arrays */
} dlb_py_operand;

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
} dlb_py_function;

/* Initialise a param: a number, a boolean or a const char *; and a param of any other kind. */
#define DLB_PY_PARAM(type, name, required) {name, DLB_KIND_OF(*(type *)0), 0, sizeof(type), (required), NULL, NULL}
#define DLB_PY_OBJECT_PARAM(name, required) {name, DLB_OTHER, 0, 0, (required), NULL, NULL}

/* A member of an enumeration, which is a class of the module. */
typedef struct dlb_py_member {
    const char *name;
    int64_t value;
} dlb_py_member;

/* Initialises a dlb_py_member. A value that is not an integer, or exceeds 64 bits, does not compile. */
#define DLB_PY_MEMBER(name, value)                                                                                     \
    {(name), DLB_PROVE_(DLB_WIDEN_(value, 1, 1, 0), is_no_integer) *                                                   \
                 DLB_PROVE_((value) < 1 || (uint64_t)(value) <= INT64_MAX, is_beyond_64_bits) * (int64_t)(value)}

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

/* Sorts the arguments of a call into `given`, for dlb_py_arguments(). Returns 0 or -1. */
DLB_API int dlb_py_sort(const dlb_py_function *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                        PyObject **given);

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

/* ---- Conversions: each stores the argument at `index`, or leaves `place` unchanged if it is missing. They return 0 or -1. ---- */

/* Reads a number, a boolean or a string, as the kind of the param requires. */
DLB_API int dlb_py_read_number(const dlb_py_function *function, int index, PyObject *const *given, void *place);
/* Reads a complex number with two parts of `size` bytes each. */
DLB_API int dlb_py_read_complex(const dlb_py_function *function, int index, PyObject *const *given, void *place,
                                size_t size);
/* Reads a str of one ASCII character. */
DLB_API int dlb_py_read_char(const dlb_py_function *function, int index, PyObject *const *given, char *place);
/* Reads a str as UTF-8, which the str owns. With `optional`, None is stored as NULL. */
DLB_API int dlb_py_read_string(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                             const char **place);
/* Reads a path (os.PathLike, str or bytes) in the encoding of the file system. `*keeper` gets a new reference that keeps the string
 * alive, or NULL. */
DLB_API int dlb_py_read_path(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                             const char **place, PyObject **keeper);
/* Reads a sequence of str as a NULL-terminated table of strings, whose address is stored in the pointer at `place`. `*keeper` gets a
 * new reference that keeps the table alive, or NULL. */
DLB_API int dlb_py_read_strings(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                              void *place, PyObject **keeper);
/* Returns the number of strings in such a table. NULL has none. */
DLB_API int64_t dlb_py_string_count(const void *texts);
/* Reads a member of `of`, its name, or its number. Flags accept any number. Stores an integer of `size` bytes. */
DLB_API int dlb_py_read_enum(const dlb_py_function *function, int index, PyObject *const *given, const dlb_py_enum *of,
                             void *place, size_t size);

/* ---- Arrays and objects ---- */

/* Deallocates the objects of all classes of this runtime. Classes are final, so each has exactly this tp_dealloc. */
DLB_API void dlb_py_dealloc(PyObject *self);
/* Returns whether the object belongs to a class of this runtime. */
static inline int dlb_py_is_ours(PyObject *object)
{
    return dlb_py_dealloc_of(Py_TYPE(object)) == DLB_PY_SLOT(dlb_py_dealloc);
}

enum { DLB_PY_STORAGE = 256, DLB_PY_SHARE = 2 };

/* An operand during a call. Generated code reads the first members. */
typedef struct dlb_py_argument {
    void *object;     /* the T *; for items the T **; for arrays the first element; NULL for None */
    DLTensor *tensor; /* its description; NULL for None, and for an object that was not described */
    uint64_t flags;   /* DLPACK_FLAG_BITMASK_READ_ONLY and so on */
    int64_t count;    /* number of items */
    void *rows;       /* the table that dlb_py_list_rows() fills */
    dlb_owner *owner; /* NULL: the memory is foreign */
    PyObject *source; /* the argument, or the new output made in its place; borrowed */
    /* of the first operand, for all of them. 0: nothing is held, and the members below are not set; DLB_PY_SHARE: a share of the owner
     * of the only operand, and the members below are not set; 1: see below */
    int held;
    /* Resources that the call holds, and releases when it ends. */
    PyObject *made; /* a new Python object, made from the argument or in its place */
    int shared;     /* 1: a share of the owner */
    int waiting;    /* 1: to be borrowed after all other arguments are taken */
    int copied;     /* 1: the memory is a copy of the argument: written back if the function may have written */
    int moved;      /* 1: the call moved the memory of a struct that shows a Python array */
    void *copy;     /* the block of the copy */
    void *table;    /* the block of `rows`, if it has one */
    struct dlb_py_argument *items;
    DLManagedTensorVersioned *versioned;
    DLManagedTensor *legacy;
    Py_buffer buffer; /* `obj` NULL: none */
    DLTensor borrowed;
    int64_t axes[2 * DLB_MAX_NDIM]; /* axes of `borrowed`, if nothing else stores them */
    const dlb_maker *temporary;     /* the factory of the object in `storage` */
    union {
        DLB_ALIGN_16 char bytes[DLB_PY_STORAGE];
        long long integer;
        long double floating;
        void *pointer;
    } storage;
    dlb_view view;
} dlb_py_argument;

/* Takes the operands on the slow path, which does all checks and conversions. On failure nothing is held. Returns 0 or -1. */
DLB_API int dlb_py_take_all(const dlb_py_function *function, PyObject *self, PyObject *const *given,
                            dlb_py_argument *arrays);
/* Takes the operands as dlb_py_take_all() does, but tries the fast path first. That path relies on the GIL, which the call must
 * not release. */
DLB_API int dlb_py_take_fast(const dlb_py_function *function, PyObject *self, PyObject *const *given,
                                dlb_py_argument *arrays);
/* Takes the only operand of a call from `value`, a foreign array, which is borrowed if possible. */
DLB_API int dlb_py_take_temporary(const dlb_py_function *function, PyObject *self, PyObject *const *given, PyObject *value,
                                  dlb_py_argument *array);
/* Releases what a call holds, for dlb_py_end(). */
DLB_API PyObject *dlb_py_release_arguments(const dlb_py_function *function, dlb_py_argument *arrays, PyObject *answer);

/* Returns whether `value` is an object of the operand's class for which the T * suffices. `flags` are the flags of the operand that
 * need no check here. */
static inline DLB_ALWAYS_INLINE int dlb_py_is_at_hand(const dlb_py_operand *operand, PyObject *value, unsigned flags)
{
    const dlb_py_object *const object = (const dlb_py_object *)value;

    return value != NULL && dlb_py_is_ours(value) && object->type == operand->type && object->object != NULL &&
           (operand->flags & ~flags) == 0 && operand->require == NULL &&
           ((operand->flags & (unsigned)(DLB_PY_WRITES | DLB_PY_SETS)) == 0 || object->writable);
}

/* Takes an object for which the T * suffices. Returns 1; or 0 if `value` needs more checks. */
static inline int dlb_py_take_object(const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array)
{
    if (!dlb_py_is_at_hand(operand, value, DLB_PY_WRITES | DLB_PY_SETS | DLB_PY_RESTRICT | DLB_PY_REFERRED)) {
        return 0;
    }
    array->object = ((const dlb_py_object *)value)->object;
    array->source = value;
    array->held = 0;
    return 1;
}

/* Returns whether the operand accepts arrays that need no release after the call, neither of the array nor of a temporary struct. */
static inline int dlb_py_takes_temporary(const dlb_py_operand *operand)
{
    const dlb_type *const type = operand->type;

    if ((operand->flags & (unsigned)(DLB_PY_INVALIDATES | DLB_PY_ITEMS | DLB_PY_KEPT | DLB_PY_REFERRED)) != 0 || operand->count != 0) {
        return 0;
    }
    if (type == NULL) {
        return operand->require != NULL;
    }
    return operand->require == NULL && type->import_fast != NULL && type->importer->box <= DLB_PY_STORAGE;
}

/* Takes all operands of a call. `self` is the object of a method. On failure nothing is held. Returns 0 or -1. */
static inline DLB_ALWAYS_INLINE int dlb_py_take(const dlb_py_function *function, PyObject *self, PyObject *const *given,
                                                dlb_py_argument *arrays)
{
    if (function->holds || DLB_PY_FREE_THREADED) {
        return dlb_py_take_all(function, self, given, arrays);
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        PyObject *const value = operand->param < 0 ? self : given[operand->param];

        if (dlb_py_take_object(operand, value, &arrays[i])) {
            continue;
        }
        return function->operand_count == 1 && value != NULL && value != Py_None && !dlb_py_is_ours(value) &&
                       dlb_py_takes_temporary(operand)
                   ? dlb_py_take_temporary(function, self, given, value, arrays)
                   : dlb_py_take_fast(function, self, given, arrays);
    }
    return 0;
}

/* Checks that arguments do not overlap in memory if one of a pair is DLB_PY_RESTRICT and the call writes to one of them. A BufferError
 * names the pair. Returns 0 or -1. */
DLB_API int dlb_py_check_overlap(const dlb_py_function *function, dlb_py_argument *arrays);

/* Checks, right after the call, that the struct of the operand at `index` still shows memory of the array that Python passed. If it
 * does not, dlb_py_end() raises a BufferError. `before` and `now` are the addresses of its data before and after the call; both are 0
 * if unknown. */
DLB_API void dlb_py_check_memory(const dlb_py_function *function, dlb_py_argument *arrays, int index, uintptr_t before,
                                 uintptr_t now);

/* Address and number of elements of the array of a struct. */
typedef struct dlb_place {
    uintptr_t data;
    uint64_t count;
} dlb_place;
#define DLB_PLACE(data, count) ((dlb_place){(uintptr_t)(data), (count)})
/* Calls dlb_py_check_memory() only if the struct changed the address or the number of elements. */
static inline void dlb_py_check_place(const dlb_py_function *function, dlb_py_argument *arrays, int index, dlb_place before,
                                      dlb_place now)
{
    if (DLB_UNLIKELY(before.data != now.data || before.count != now.count)) {
        dlb_py_check_memory(function, arrays, index, before.data, now.data);
    }
}

/* Releases all operands. If `answer` is not NULL, writes copies back first. Returns `answer`; or NULL with an exception if a copy could
 * not be written back. */
static inline PyObject *dlb_py_end(const dlb_py_function *function, dlb_py_argument *arrays, PyObject *answer)
{
    return arrays[0].held ? dlb_py_release_arguments(function, arrays, answer) : answer;
}

/* Closes the Python object after the call has released its C object. The dependencies of the object are dropped. */
DLB_API void dlb_py_mark_released(dlb_py_argument *array);
/* Closes the Python object after the library has taken over its C object, which is not released. `recipient` keeps the dependencies
 * alive; NULL: they live forever. */
DLB_API void dlb_py_transfer_dependencies(dlb_py_argument *array, const dlb_py_argument *recipient);
/* Detach the owner, as dlb_py_transfer_dependencies() does, if the recipient is still to be made. The second function transfers the
 * dependencies of `owner` to it. `recipient` may be NULL. */
DLB_API dlb_owner *dlb_py_detach_owner(dlb_py_argument *array);
DLB_API void dlb_py_transfer_to_result(dlb_owner *owner, PyObject *recipient);

/* Returns the argument as a Python object, or the new output made in its place. A new reference. */
DLB_API PyObject *dlb_py_give(dlb_py_argument *array);

/* Fills `rows` of the array at `index` with pointers to its rows; NULL for None. Returns 0 or -1. */
DLB_API int dlb_py_list_rows(const dlb_py_function *function, dlb_py_argument *arrays, int index);

/* Lengths, extents and strides of an argument, for the parameters derived from it. NULL counts as an array without elements. */
DLB_API int64_t dlb_py_count(const dlb_py_argument *array);           /* in elements, or in items */
DLB_API int64_t dlb_py_size(const dlb_py_argument *array);            /* bytes from the first element to the last */
DLB_API int64_t dlb_py_extent(const dlb_py_argument *array, int axis); /* in elements; 0 beyond the rank */
DLB_API int64_t dlb_py_stride(const dlb_py_argument *array, int axis); /* in elements; 0 beyond the rank */
DLB_API int64_t dlb_py_byte_stride(const dlb_py_argument *array, int axis); /* in bytes, after dlb_py_check_bytes() */

/* Executes place = value. An OverflowError names `param` if the value does not fit. Returns 0 or -1. */
#define DLB_PY_MEASURE(function, param, place, value)                                                                  \
    dlb_py_measure((function), (param), (value), &(place), sizeof(place), DLB_KIND_OF(place))
/* Stores `value` in an integer of `size` bytes at `place`, for DLB_PY_MEASURE(). */
DLB_API int dlb_py_measure(const dlb_py_function *function, const char *param, int64_t value, void *place, size_t size,
                           dlb_kind kind);

/* Operators of C on lengths. An overflow, a division by 0, and a product of two negative factors give no length. */
DLB_API dlb_integer dlb_plus(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_minus(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_times(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_over(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_modulo(dlb_integer a, dlb_integer b);

/* Check that the array has these extents. A ValueError names `param` if it has not. Returns 0 or -1. */
#define DLB_PY_CHECK_SHAPE(function, array, param, ...)                                                                \
    dlb_py_check_shape((function), (array), (param), (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), \
                       (const dlb_integer[]){__VA_ARGS__})
DLB_API int dlb_py_check_shape(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                               int ndim, const dlb_integer *extents);
/* Check the extents of the operand at `index` as dlb_py_check_shape() does; a missing one is allocated with these extents, and taken. */
#define DLB_PY_MAKE_SHAPE(function, arrays, index, ...)                                                                \
    dlb_py_make_shape((function), (arrays), (index), (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), \
                      (const dlb_integer[]){__VA_ARGS__})
DLB_API int dlb_py_make_shape(const dlb_py_function *function, dlb_py_argument *arrays, int index, int ndim,
                              const dlb_integer *extents);
/* Checks the number of elements of the operand at `index`; a missing one is allocated with one axis. Returns 0 or -1. */
DLB_API int dlb_py_make_count(const dlb_py_function *function, dlb_py_argument *arrays, int index, dlb_integer count);
/* Checks that the array does not run backwards along the axis; else a BufferError. Returns 0 or -1. */
DLB_API int dlb_py_check_forward(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                                 int axis);
/* Checks that the stride of the axis is a whole number of bytes; else a ValueError. Returns 0 or -1. */
DLB_API int dlb_py_check_bytes(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                               int axis);
/* Checks that the `length` of an argument is at least `least`. Returns 0 or -1. */
DLB_API int dlb_py_check_least(const dlb_py_function *function, const char *param, int64_t length, int64_t least);
/* Checks that the array has `count` elements, or items. NULL has none to check. Returns 0 or -1. */
DLB_API int dlb_py_check_count(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                               dlb_integer count);
/* Check that the array has the element of `size` bytes that C reads at `index`; that the string has the character, or the '\0' behind
 * the last one; and that the table has the string. Return 0 or -1. */
DLB_API int dlb_py_check_element(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                                 size_t size, dlb_integer index);
DLB_API int dlb_py_check_letter(const dlb_py_function *function, const char *text, const char *param, dlb_integer index);
DLB_API int dlb_py_check_string(const dlb_py_function *function, const void *texts, const char *param, dlb_integer index);
/* Checks that the table has `count` strings. NULL is accepted. Returns 0 or -1. */
DLB_API int dlb_py_check_strings(const dlb_py_function *function, const void *texts, const char *param, dlb_integer count);

/* ---- The module ---- */

/* Makes the class of an enumeration, and adds it to the module. Returns 0 or -1. */
DLB_API int dlb_py_add_enum(PyObject *module, const dlb_py_enum *of);
/* Adds `value` to the module, and takes over its reference. Fails if `value` is NULL. */
DLB_API int dlb_py_add_constant(PyObject *module, const char *name, PyObject *value);

#include "dlb_assign.h"
#include "dlb_result.h"

#endif
