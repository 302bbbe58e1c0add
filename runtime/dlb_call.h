/* SPDX-License-Identifier: MIT-0 */
/* Functions, for a generated NAME_module.c: descriptors of the bound C functions, and what their wrappers call. All functions need the
 * GIL. They report failure as CPython does: NULL or -1 with an exception set. */
#ifndef DLB_CALL_H_
#define DLB_CALL_H_

#include "dlb_module.h"
#include "dlb_array.h"

#include <stdio.h>

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
    DLB_PY_DESCRIBED = 64,       /* other parameters are derived from its shape or strides */
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
    DLB_PY_REFERRED = 32768,
    DLB_PY_AS_GIVEN = 65536, /* of a new output: it is an array of the library of an argument */
    DLB_PY_DECIDES = 131072, /* its library is that of the outputs; without this flag, the library of the first array is */
    DLB_PY_OF_STREAM = 262144, /* the stream of the function depends on the object, which is taken before all arrays */
    DLB_PY_RECORDS = 524288, /* the elements must be records like the one in `require` */
    /* of an array that becomes an object: the library does not store it, so that only the function could write to it */
    DLB_PY_UNSTORED = 1048576
};

/* Flags of an argument whose type is a typedef: of a pointer, which may point to const, or of a struct. */
#define DLB_PY_WRITES_UNLESS_CONST(type) (DLB_TO_CONST_(type) ? 0 : DLB_PY_WRITES)
#define DLB_PY_NUMBERS_IF_CONST(type) (DLB_TO_CONST_(type) || DLB_IS_STRUCT_TYPE(type) ? DLB_PY_NUMBERS : 0)
#define DLB_PY_READS_IF_CONST(type) (DLB_TO_CONST_(type) ? DLB_PY_READS : 0)

enum { DLB_PY_GIVEN_SHAPE = -1 };

/* A param of the factory that makes an object of an argument, and another argument of the call that has its value. */
typedef struct dlb_py_param_source {
    int allocates; /* 0: a param of the importer, for an array; 1: of the allocator, for a new output */
    int param;     /* its index */
    int operand;   /* index of the operand that is the object; -1: the value is in a variable */
    /* of an operand, 0: the object itself; 1 + index: that param, with which the object was made. Else the index in `variables` */
    int at;
} dlb_py_param_source;

/* Describes an argument that is an array, an object or a DLTensor. */
struct dlb_py_operand {
    int param;                /* index of its param; -1: `self` of a method */
    const dlb_type *type;     /* class of the object; NULL: any array, passed as a tensor */
    unsigned flags;           /* bits: DLB_PY_WRITES and so on */
    const dlb_requirements *require; /* further requirements; NULL: none */
    int64_t count;            /* number of elements that it must have; 0: any number */
    /* new output if the argument is missing. 1 + index: with the shape of the operand at that index; DLB_PY_GIVEN_SHAPE: with the shape
     * passed to dlb_py_make_shape(); 0: none */
    int like;
    int source_count;
    const dlb_type *array; /* if `type` is NULL: the type of dlb_array, of new outputs and of kept arrays */
    const struct dlb_py_members *members; /* a tuple, a list or a mapping of these is accepted instead of an object; NULL: none is */
    /* in the order of preference, for params of the factories of `type`. Several objects with a param must agree about it. */
    const dlb_py_param_source *sources;
};

/* The operands of a static dlb_py_function. */
#define DLB_PY_OPERANDS(...) ((const dlb_py_operand[]){__VA_ARGS__})

/* The members for an argument whose type is a typedef: NULL if it is one of a pointer to writable memory. */
#define DLB_PY_MEMBERS_IF_CONST(type, members) (DLB_TO_CONST_(type) || DLB_IS_STRUCT_TYPE(type) ? (members) : NULL)

/* ---- Arrays and objects ---- */

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
    int waiting;    /* 1: to be borrowed after all other arguments are taken; 2: being imported */
    int copied;     /* 1: the memory is a copy of the argument: written back if the function may have written */
    int moved;      /* 1: the call moved the memory of a struct that shows a Python array */
    void *copy;     /* the block of the copy */
    void *table;    /* the block of `rows`, if it has one */
    struct dlb_py_argument *items; /* of a sequence, if the call needs more of its items than their addresses */
    /* of a sequence without `items`: a share of the owner of each item; NULL for a struct that C gets as a copy, and that keeps nothing */
    dlb_owner **shares;
    /* The addresses of variables with params of the factories, and of the first operand also of those on which the stream depends. Set
     * before the arguments are taken. */
    const void *const *variables;
    DLManagedTensorVersioned *versioned;
    DLManagedTensor *legacy;
    Py_buffer buffer; /* `obj` NULL: none */
    DLTensor borrowed;
    int64_t axes[2 * DLB_MAX_NDIM]; /* axes of `borrowed`, if nothing else stores them */
    const dlb_factory *temporary;   /* the factory of the object in `storage` */
    union {
        DLB_ALIGN_16 char bytes[DLB_PY_STORAGE];
        long long integer;
        long double floating;
        void *pointer;
    } storage;
    dlb_view view;
} dlb_py_argument;

/* Takes the operands on the slow path, which does all checks and conversions. On failure nothing is held. Returns 0 or -1. */
DLB_API int dlb_py_take_all(const dlb_py_function *function, PyObject *self, PyObject *const *arguments,
                            dlb_py_argument *arrays);
/* Takes the operands as dlb_py_take_all() does, but tries the fast path first. That path relies on the GIL, which the call must
 * not release. */
DLB_API int dlb_py_take_fast(const dlb_py_function *function, PyObject *self, PyObject *const *arguments,
                                dlb_py_argument *arrays);
/* Takes the only operand of a call from `value`, a foreign array, which is borrowed if possible. */
DLB_API int dlb_py_take_temporary(const dlb_py_function *function, PyObject *self, PyObject *const *arguments, PyObject *value,
                                  dlb_py_argument *array);
/* Releases what a call holds, for dlb_py_finish_call(). */
DLB_API PyObject *dlb_py_release_arguments(const dlb_py_function *function, dlb_py_argument *arrays, PyObject *answer);

/* Returns whether `value` is an object of the operand's class for which the T * suffices. `flags` are the flags of the operand that
 * need no check here. */
static inline DLB_ALWAYS_INLINE int dlb_py_is_ready(const dlb_py_operand *operand, PyObject *value, unsigned flags)
{
    const dlb_py_object *const object = (const dlb_py_object *)value;

    return value != NULL && dlb_py_is_ours(value) && object->type == operand->type && object->object != NULL &&
           (operand->flags & ~flags) == 0 && operand->require == NULL &&
           ((operand->flags & (unsigned)(DLB_PY_WRITES | DLB_PY_SETS)) == 0 || object->writable);
}

/* Takes an object for which the T * suffices. Returns 1; or 0 if `value` needs more checks. */
static inline int dlb_py_take_object(const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array)
{
    if (!dlb_py_is_ready(operand, value, DLB_PY_WRITES | DLB_PY_NUMBERS | DLB_PY_SETS | DLB_PY_RESTRICT | DLB_PY_REFERRED)) {
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

    if ((operand->flags & (unsigned)(DLB_PY_INVALIDATES | DLB_PY_ITEMS | DLB_PY_KEPT | DLB_PY_REFERRED | DLB_PY_RECORDS)) != 0 || operand->count != 0) {
        return 0;
    }
    if (type == NULL) {
        return operand->require != NULL;
    }
    return operand->require == NULL && type->import_fast != NULL && type->importer->box <= DLB_PY_STORAGE;
}

/* Takes all operands of a call. `self` is the object of a method. On failure nothing is held. Returns 0 or -1. */
static inline DLB_ALWAYS_INLINE int dlb_py_take(const dlb_py_function *function, PyObject *self, PyObject *const *arguments,
                                                dlb_py_argument *arrays)
{
    if (function->holds || DLB_PY_FREE_THREADED) {
        return dlb_py_take_all(function, self, arguments, arrays);
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        PyObject *const value = operand->param < 0 ? self : arguments[operand->param];

        if (dlb_py_take_object(operand, value, &arrays[i])) {
            continue;
        }
        return function->operand_count == 1 && value != NULL && value != Py_None && !dlb_py_is_ours(value) &&
                       dlb_py_takes_temporary(operand)
                   ? dlb_py_take_temporary(function, self, arguments, value, arrays)
                   : dlb_py_take_fast(function, self, arguments, arrays);
    }
    return 0;
}

/* Checks that arguments do not overlap in memory if one of a pair is DLB_PY_RESTRICT and the call writes to one of them. A BufferError
 * names the pair. Returns 0 or -1. */
DLB_API int dlb_py_check_overlap(const dlb_py_function *function, dlb_py_argument *arrays);

/* Checks, right after the call, that the struct of the operand at `index` still shows memory of the array that Python passed. If it does
 * not, dlb_py_finish_call() raises a BufferError. `before` and `now` are the addresses of its data before and after the call; both
 * are 0 if unknown. */
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
static inline PyObject *dlb_py_finish_call(const dlb_py_function *function, dlb_py_argument *arrays, PyObject *answer)
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
DLB_API PyObject *dlb_py_argument_object(dlb_py_argument *array);

/* Fills `rows` of the array at `index` with pointers to its rows; NULL for None. Returns 0 or -1. */
DLB_API int dlb_py_list_rows(const dlb_py_function *function, dlb_py_argument *arrays, int index);

/* Lengths, extents and strides of an argument, for the parameters derived from it. NULL counts as an array without elements. */
DLB_API int64_t dlb_py_count(const dlb_py_argument *array);           /* in elements, or in items */
DLB_API int64_t dlb_py_size(const dlb_py_argument *array);            /* bytes from the first element to the last */
DLB_API int64_t dlb_py_extent(const dlb_py_argument *array, int axis); /* in elements; 0 beyond the rank */
DLB_API int64_t dlb_py_stride(const dlb_py_argument *array, int axis); /* in elements; 0 beyond the rank */
DLB_API int64_t dlb_py_byte_stride(const dlb_py_argument *array, int axis); /* in bytes, after dlb_py_check_bytes() */

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
/* Allocate a missing output as the functions above do, if possible by the library of an argument (DLB_PY_AS_GIVEN). */
#define DLB_PY_MAKE_SHAPE_AS_GIVEN(function, given, arrays, index, ...)                                                \
    dlb_py_make_shape_as_given((function), (given), (arrays), (index),                                                 \
                               (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), (const dlb_integer[]){__VA_ARGS__})
DLB_API int dlb_py_make_shape_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index,
                                       int ndim, const dlb_integer *extents);
DLB_API int dlb_py_make_count_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index,
                                       dlb_integer count);
/* Returns the output at `index` (DLB_PY_AS_GIVEN): the argument, or the new output. A new reference, or NULL with an exception. */
DLB_API PyObject *dlb_py_output_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index);
/* Ends the call as dlb_py_finish_call() does, and converts the new arrays in `answer`, a value or a tuple, to arrays of the library of an
 * argument. The new arrays are objects of `type`. An array that the library cannot show stays as it is. Takes over `answer`. */
DLB_API PyObject *dlb_py_finish_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays,
                                         const dlb_type *type, PyObject *answer);
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
DLB_API int dlb_py_check_letter(const dlb_py_function *function, const char *string, const char *param, dlb_integer index);
DLB_API int dlb_py_check_string(const dlb_py_function *function, const void *strings, const char *param, dlb_integer index);
/* Checks that the table has `count` strings. NULL is accepted. Returns 0 or -1. */
DLB_API int dlb_py_check_strings(const dlb_py_function *function, const void *strings, const char *param, dlb_integer count);

/* ---- Attributes and classes ---- */

/* A function with the flags METH_FASTCALL | METH_KEYWORDS. */
typedef PyObject *dlb_py_fastcall(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* ---- Several C functions with one name in Python ---- */

typedef struct dlb_py_alternative {
    dlb_py_fastcall *call;
    const dlb_py_function *function;
} dlb_py_alternative;

typedef struct dlb_py_alternatives {
    const char *name;
    const dlb_py_alternative *alternatives;
    int count; /* of the alternatives */
    int most;  /* the largest number of params of an alternative */
} dlb_py_alternatives;

/* Whether the numbers of an argument are known. */
enum {
    DLB_PY_NOT_READ,
    DLB_PY_ONE_NUMBER,
    DLB_PY_NOT_ONE_NUMBER, /* perhaps a sequence of numbers */
    DLB_PY_SEQUENCE,       /* of numbers */
    DLB_PY_UNREADABLE,     /* a sequence that raises an exception */
    DLB_PY_OTHER_VALUE     /* neither a number nor a sequence of numbers */
};

/* The C types that cannot hold all numbers of an argument. */
enum {
    DLB_PY_LOST_IN_INTEGERS = 1, /* an integer is beyond int64 and uint64 */
    DLB_PY_LOST_IN_FLOAT32 = 2,  /* the type would round an integer */
    DLB_PY_LOST_IN_FLOAT64 = 4,
    DLB_PY_BEYOND_FLOAT32 = 8 /* a number is infinite in float32 */
};

/* The numbers of an argument during the choice. */
typedef struct dlb_py_numbers {
    int kind;        /* the most general kind: DLB_PY_BOOL and so on */
    unsigned losses; /* bits: DLB_PY_LOST_IN_INTEGERS and so on */
    int64_t least;   /* the smallest integer, if that is negative; else 0 */
    uint64_t most;   /* the largest integer, if that is positive; else 0 */
} dlb_py_numbers;

enum { DLB_PY_NOT_DESCRIBED, DLB_PY_ARRAY, DLB_PY_NO_ARRAY, DLB_PY_UNKNOWN_ARRAY };

/* An argument during the choice, or an item of a list of arrays. */
typedef struct dlb_py_described {
    int8_t state;         /* DLB_PY_NOT_DESCRIBED and so on */
    int8_t numbers_state; /* DLB_PY_NOT_READ and so on */
    bool has_items;       /* `items` and `answer` are set: it is a list with arrays */
    bool has_streams;     /* the array, or one in the list, of another library is on a device with streams */
    int32_t ndim;
    DLDataType dtype;
    bool swapped;    /* the elements have the other byte order */
    bool is_managed; /* in memory that the CPU and a GPU share */
    /* for the chosen function instead of the argument: the tensor that the producer handed out, or the items of a sequence. NULL: the
     * argument itself */
    PyObject *answer;
    Py_ssize_t position; /* of the argument for the param with this index, if some are passed by keyword; -1: missing */
    dlb_py_numbers numbers;
    struct dlb_py_described *items;
} dlb_py_described;

/* Calls the alternative that takes the arguments, by their number, classes, dtypes and ranks. Of several it calls the one with the best
 * fit, or the first of these. Asks each producer at most once. `described` has `of->most` entries, which need no values. Returns the
 * result of the alternative, or NULL with an exception. */
DLB_API PyObject *dlb_py_call_alternative(const dlb_py_alternatives *of, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames, dlb_py_described *described);

/* Calls `function` with the value that is assigned to an attribute. Deleting the attribute is an AttributeError. Returns 0 or -1. */
DLB_API int dlb_py_assign(PyObject *self, const char *name, PyObject *value, dlb_py_fastcall *function);
/* Returns the number of positional arguments of a vectorcall. */
static inline Py_ssize_t dlb_py_nargs(size_t nargsf)
{
    return (Py_ssize_t)(nargsf & SIZE_MAX >> 1);
}

/* Calls `function` with the arguments of a tp_new. */
DLB_API PyObject *dlb_py_construct(dlb_py_fastcall *function, PyTypeObject *cls, PyObject *args, PyObject *kwargs);

/* Defines the functions that CPython calls for `Name(...)`: `make` with a tuple and a dict, `call` as a vectorcall. `constructor` is the
 * function behind both, which has the arguments of METH_FASTCALL | METH_KEYWORDS. */
#define DLB_PY_DEFINE_NEW(make, call, constructor)                                                                     \
    static PyObject *make(PyTypeObject *dlb_cls_, PyObject *dlb_args_, PyObject *dlb_kwargs_)                          \
    {                                                                                                                  \
        return dlb_py_construct(constructor, dlb_cls_, dlb_args_, dlb_kwargs_);                                        \
    }                                                                                                                  \
                                                                                                                       \
    static PyObject *call(PyObject *dlb_cls_, PyObject *const *dlb_args_, size_t dlb_nargsf_, PyObject *dlb_kwnames_)  \
    {                                                                                                                  \
        return constructor(dlb_cls_, dlb_args_, dlb_py_nargs(dlb_nargsf_), dlb_kwnames_);                              \
    }

/* ---- Special methods: adapters from functions of a spec to the slots of CPython. They take over the reference `answer`. ---- */

/* Implements tp_call: calls `function` with the arguments. */
DLB_API PyObject *dlb_py_call_object(dlb_py_fastcall *function, PyObject *self, PyObject *args, PyObject *kwargs);
/* Implements sq_item, `x[index]` of sequences. */
DLB_API PyObject *dlb_py_item_at(dlb_py_fastcall *function, PyObject *self, Py_ssize_t index);
/* Return the length; the truth, 0 or 1; or 0 for an operation without a result. -1 with an exception. */
DLB_API Py_ssize_t dlb_py_as_length(PyObject *answer);
DLB_API int dlb_py_as_bool(PyObject *answer);
DLB_API int dlb_py_as_nothing(PyObject *answer);
/* Raises a TypeError: the object does not support the operation `what`. Returns -1. */
DLB_API int dlb_py_unsupported(PyObject *self, const char *what);

/* ---- Members that properties set ---- */

/* Reads an integer for a member whose type only the C compiler knows. Returns 0 or -1. */
DLB_API int dlb_py_read_integer(const dlb_py_function *function, int index, PyObject *const *arguments, dlb_integer *place);

/* Returns whether both integers are equal. */
static inline int dlb_is_same_integer(dlb_integer a, dlb_integer b)
{
    return a.value == b.value && a.status == b.status;
}

/* Returns whether a floating-point number of `size` bytes can hold `number`. */
DLB_API int dlb_py_holds_real(double number, size_t size);

/* Returns None if `fits`, else raises an OverflowError that names `value`. */
DLB_API PyObject *dlb_py_stored(const dlb_py_function *function, PyObject *value, int fits);

/* ---- Files ---- */

/* An argument that C gets as a FILE *: a path, which is opened for the call, or a file object of Python. */
typedef struct dlb_py_file {
    PyObject *argument; /* borrowed; NULL: it is missing, or None */
    const char *path;   /* in the encoding of the file system; NULL: the argument is a file object */
    PyObject *keeper;   /* keeps `path` alive, or NULL */
    int descriptor;     /* a duplicate of the descriptor of the file object, until `stream` owns it; -1: there is none */
    int64_t position;   /* of the file object, in bytes; -1: it has none */
    int64_t offset;     /* of the descriptor, when the file object was flushed */
    FILE *stream;       /* NULL: it is not open */
} dlb_py_file;
#define DLB_PY_NO_FILE {NULL, NULL, NULL, -1, -1, -1, NULL}

/* Reads a path, or an object with fileno() whose buffer is flushed first. Opens nothing. With `optional`, None is accepted. Returns 0
 * or -1. */
DLB_API int dlb_py_read_file(const dlb_py_function *function, int index, PyObject *const *arguments, int optional,
                             dlb_py_file *file);
/* Opens the file, and stores the stream in `*stream`, which stays unchanged if the argument is missing or None. A path is opened with
 * the `mode` of fopen(), without the GIL. Of a file object, `mode` only selects whether C reads or writes, from the position of the object
 * on. Returns 0 or -1. */
DLB_API int dlb_py_open_file(const dlb_py_function *function, int index, const char *mode, dlb_py_file *file, FILE **stream);
/* Closes the stream of a call that has ended with `*answer`; NULL: with an exception, which stays. A file object stays open, at the place
 * where C has stopped. If closing fails, drops the answer, sets it to NULL and raises an OSError with the name of the file. Other
 * threads and foreign code can run. */
DLB_API void dlb_py_close_file(dlb_py_file *file, PyObject **answer);
/* Closes the file if it is still open, without an exception, and releases what dlb_py_read_file() holds. */
DLB_API void dlb_py_release_file(dlb_py_file *file);

/* ---- Structs that Python makes ---- */

/* Describes a class whose objects Python makes: structs of zeros, of which Python sets members. */
typedef struct dlb_py_members {
    const dlb_type *type;
    size_t size; /* of the struct, in bytes */
    /* gives the members of the new struct other initial values; returns 0 or -1; NULL: they are zeros */
    int (*init)(void *object, dlb_error *error);
    const dlb_py_function *function; /* the constructor, whose params are the members */
    dlb_py_fastcall *const *setters; /* of each member, in the same order */
} dlb_py_members;

/* The number of members in a table of params, which ends with one that has no name. */
#define DLB_PY_MEMBER_COUNT(params) ((int)(sizeof(params) / sizeof(params)[0]) - 1)
/* Implements the constructor: makes a struct, and sets the members that are passed. NULL with an exception. */
DLB_API PyObject *dlb_py_new_struct(const dlb_py_members *members, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* ---- Results ---- */

/* Converts two parts to a complex. */
DLB_API PyObject *dlb_py_from_complex(double real, double imaginary);
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
/* Copies `size` bytes to a bytes object. NULL becomes None. (The fast path keeps the dlb_integer in registers.) */
DLB_API PyObject *dlb_py_from_bytes_slow(const void *value, dlb_integer size);
static inline PyObject *dlb_py_from_bytes(const void *value, dlb_integer size)
{
    DLB_CHECK(dlb_checked_bytes(value, value != NULL && size.status == DLB_FITS && size.value > 0 ? (size_t)size.value : 0));
    if (DLB_LIKELY(value != NULL && size.status == DLB_FITS && size.value >= 0 && (uint64_t)size.value <= (uint64_t)PY_SSIZE_T_MAX)) {
        return PyBytes_FromStringAndSize(value, (Py_ssize_t)size.value);
    }
    return dlb_py_from_bytes_slow(value, size);
}
/* Copies `size` bytes of an array of `storage` bytes. A larger size is an error. */
DLB_API PyObject *dlb_py_from_bytes_within(const void *value, size_t storage, dlb_integer size);
/* Raises a RuntimeError: the library returned NULL for the string or bytes `value`, as the spec names it. Always returns NULL. */
DLB_API PyObject *dlb_py_refuse_null(const char *function, const char *value);
/* Allocates `size` zeroed bytes that C fills. They are the memory of a new object, which is stored in *bytes. Returns NULL with a
 * ValueError that names `param`, or a MemoryError. */
DLB_API void *dlb_py_output_bytes(const dlb_py_function *function, const char *param, dlb_integer size, PyObject **bytes);
/* Returns the first `size` bytes of that object. Only the limited API copies them. Takes over *bytes, and sets it to NULL. */
DLB_API PyObject *dlb_py_take_bytes(PyObject **bytes, dlb_integer size);

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
/* ---- Typedefs that are a struct or a pointer to it: without a way to tell, they are taken for pointers ---- */

#if defined(__GNUC__)
/* The argument of such a type, for the object at this address. */
#define DLB_PY_OBJECT_AS(type, object) __builtin_choose_expr(DLB_IS_STRUCT_TYPE(type), *(type *)(object), (object))
/* The pointer in a variable; NULL for a struct. */
#define DLB_PY_POINTER_OF(variable)                                                                                    \
    __builtin_choose_expr(DLB_IS_POINTER_TYPE(__typeof__(variable)), (variable), (void *)0)
/* Copies a struct to its storage, and returns the storage. (clang warns about a memcpy() of the size of a pointer.) */
static inline void *dlb_py_copy_struct(void *storage, const void *value, size_t size)
{
    return memcpy(storage, value, size);
}
/* The address of the object in a variable: its pointer, or `storage`, to which a struct is copied. */
#define DLB_PY_OBJECT_OF(variable, storage)                                                                            \
    __builtin_choose_expr(DLB_IS_STRUCT_TYPE(__typeof__(variable)),                                                    \
                          dlb_py_copy_struct((storage), &(variable), sizeof(variable)), (variable))
/* The value of a variable as the type of its class: a pointer loses `const`. */
#define DLB_PY_VALUE_AS(type, variable)                                                                                \
    __builtin_choose_expr(DLB_IS_POINTER_TYPE(__typeof__(variable)), (void *)(uintptr_t)DLB_PY_POINTER_OF(variable), (variable))
#else
#define DLB_PY_VALUE_AS(type, variable) ((type)(uintptr_t)(variable))
#define DLB_PY_OBJECT_AS(type, object) (object)
#define DLB_PY_POINTER_OF(variable) (variable)
#define DLB_PY_OBJECT_OF(variable, storage) (variable)
#endif
/* Storage for a struct of the type, as dlb_py_storage_for() allocates it; NULL if the type is a pointer. */
#define DLB_PY_STORAGE_IF_STRUCT(type, of) (DLB_IS_STRUCT_TYPE(type) ? dlb_py_storage_for((of), sizeof(type)) : NULL)
#define DLB_PY_IN_STORAGE_IF_STRUCT(type) (DLB_IS_STRUCT_TYPE(type) ? DLB_PY_IN_STORAGE : 0)

/* Returns whether all bytes of a value are 0. */
static inline int dlb_is_zero(const void *value, size_t size)
{
    const unsigned char *const bytes = value;
    int has_something = 0;

    for (size_t i = 0; i < size; i++) {
        has_something |= bytes[i];
    }
    return !has_something;
}
/* Returns whether two structs have equal bytes, and thus the same contents. Structs of zeros have no contents, and are not the same. */
static inline int dlb_is_same_struct(const void *a, const void *b, size_t size)
{
    return !dlb_is_zero(a, size) && memcmp(a, b, size) == 0;
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
/* Flags of a list of results. */
enum {
    DLB_PY_ZEROS = 1 << 28,   /* an object by value is a number, and 0 is an object as well */
    DLB_PY_UNIQUE = 1 << 29,  /* an object has one owner: equal pointers, or equal bytes, are one object */
    DLB_PY_BORROWED = 1 << 30 /* the objects belong to the library */
};
/* DLB_PY_ZEROS if an object by value is a number. */
#if DLB_HAS_GENERIC
#define DLB_PY_ZEROS_IF_NUMBER(value) DLB_SELECT_(value, DLB_PY_ZEROS, DLB_PY_ZEROS, 0)
#else
#define DLB_PY_ZEROS_IF_NUMBER(value) 0
#endif

/* An argument that C can return as an object. */
typedef struct dlb_py_returnable {
    dlb_py_argument *argument;
    enum { DLB_PY_OBJECT_ITSELF, DLB_PY_EACH_ITEM, DLB_PY_PARAM } part; /* the part of the argument that C can return */
    int is_same;       /* 1: Python gets the argument itself; 0: a view of another class, which keeps the argument alive */
    const void *param; /* the address of the variable with the param of the argument */
} dlb_py_returnable;

/* Objects that C has returned before, in the same call: a table, or one variable. */
typedef struct dlb_py_earlier {
    const void *objects;
    dlb_integer count;
    size_t capacity;
    int is_list;
    PyObject *made; /* the list or the object that Python gets; NULL: making it has failed, and the objects are released */
} dlb_py_earlier;

/* A table of pointers that C has returned, or of the objects of a type by value. It is not freed. */
typedef struct dlb_py_table {
    const dlb_type *type;
    const void *objects;
    dlb_integer count;
    size_t capacity; /* the number of objects for which the table has space; SIZE_MAX: it is memory of the library */
    unsigned flags;  /* DLB_PY_BORROWED, DLB_PY_UNIQUE, DLB_PY_ZEROS, DLB_PY_READS */
    /* The objects keep these alive. With DLB_PY_BORROWED they belong to the object at `kept`, or to the library. */
    dlb_py_argument *const *kept;
    int kept_count;
    const dlb_py_returnable *returnable;
    int returnable_count;
    const dlb_py_earlier *earlier;
    int earlier_count;
    /* The objects may refer to the arguments of this call that are DLB_PY_REFERRED: see dlb_py_adopt_referring(). NULL: none may. */
    const dlb_py_function *function;
    dlb_py_argument *arrays;
} dlb_py_table;

/* Makes a list of the objects, and adopts them. With DLB_PY_UNIQUE, an argument, and an object that stands in an earlier place, is the same
 * Python object. On failure all objects are released, also those in a table of the caller that is too small. */
DLB_API PyObject *dlb_py_from_objects(const dlb_py_table *table);
/* Finds the Python object of the pointer or the struct at `object` among those that the call has returned before. Returns 1, and stores a
 * new reference in `*made`; NULL if that result has failed. Returns 0 if there is none. `flags`: DLB_PY_ZEROS. */
DLB_API int dlb_py_is_earlier(const dlb_type *type, const void *object, unsigned flags, const dlb_py_earlier *earlier, int count,
                              PyObject **made);
/* Returns the item of a sequence whose C object is `object`; NULL if there is none. */
DLB_API dlb_py_argument *dlb_py_item(const dlb_py_argument *array, const void *object);
/* Returns the item of a sequence of objects by value with the same bytes; NULL if there is none, and for a struct of zeros. `flags`:
 * DLB_PY_ZEROS. */
#define DLB_PY_ITEM_BY_VALUE(array, value) dlb_py_item_by_value((array), &(value), sizeof(value), DLB_PY_ZEROS_IF_NUMBER(value))
DLB_API dlb_py_argument *dlb_py_item_by_value(const dlb_py_argument *array, const void *value, size_t size, unsigned flags);
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

/* Declares the fields of the elements of a new array, whose class is that of dlb_array. `made` may be NULL or None. Returns `made`. */
DLB_API PyObject *dlb_py_with_record(PyObject *made, const dlb_record *record);

/* Returns a tuple of `count` values, and takes over all their references. NULL if one of the values is NULL. */
DLB_API PyObject *dlb_py_tuple(PyObject **values, Py_ssize_t count);

/* Raises `exception` with `message` after a failed call. If `message` is NULL, the message is "NAME() failed", with `call`. The message
 * ends with those of the `arguments` that are strings, numbers or files; `arguments` may be NULL. */
DLB_API void dlb_py_failed(const dlb_py_function *function, PyObject *const *arguments, PyObject *exception, const char *call,
                           const char *message);
/* Raises as dlb_py_failed() does. If `message` is NULL, the message shows the `result` of the call. */
DLB_API void dlb_py_failed_with(const dlb_py_function *function, PyObject *const *arguments, PyObject *exception, const char *call,
                                const char *message, dlb_integer result);
/* Raises an OSError with this error number, which also selects the subclass if `exception` is OSError itself; 0: no number. `path`, which
 * may be NULL, becomes its filename. */
DLB_API void dlb_py_failed_system(const dlb_py_function *function, PyObject *const *arguments, PyObject *exception, int number,
                                  const char *call, const char *message, PyObject *path);

/* ---- Macros whose arguments are C code of the spec ---- */

/* See dlb_assert.h. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

/* Converts an integer of any C type to an int. */
#define DLB_PY_FROM_INTEGER(value)                                                                                     \
    ((void)DLB_PROVE_(DLB_WIDEN_(value, 1, 1, 0), is_no_integer__say_which_type_it_is),                                \
     DLB_WIDEN_(value, PyLong_FromLongLong, PyLong_FromUnsignedLongLong, PyLong_FromLongLong)(value))
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
/* Converts the string of a pointer, or of an array in a struct, to a str. */
#if defined(__GNUC__)
#define DLB_PY_STRING(e)                                                                                               \
    ((void)DLB_PROVE_(sizeof((e)[0]) == 1, is_not_a_string),                                                           \
     dlb_py_from_string_within((e), DLB_SAME_TYPE_(e, &(e)[0]) ? SIZE_MAX : sizeof(e)))
#else
#define DLB_PY_STRING(e) ((void)DLB_PROVE_(sizeof((e)[0]) == 1, is_not_a_string), dlb_py_from_string(e))
#endif

/* Each macro stores `new_value` in a member if the member can hold it, and then sets `fits` to 1. Else it sets `fits` to 0, and the member
 * keeps its value. */

/* Stores an integer. (It is read back, since C gives no way to ask for the width of a bit-field.) */
#define DLB_PY_STORE_INTEGER(fits, place, new_value)                                                                   \
    do {                                                                                                               \
        const dlb_integer dlb_value_ = (new_value), dlb_old_ = DLB_INTEGER(place);                                     \
        DLB_NARROWING_BEGIN_(place) = dlb_value_.value;                                                                \
        DLB_NARROWING_END_(fits) = dlb_is_same_integer(DLB_INTEGER(place), dlb_value_);                                \
        if (!(fits)) {                                                                                                 \
            DLB_NARROWING_BEGIN_(place) = dlb_old_.value;                                                              \
            DLB_NARROWING_END_                                                                                         \
        }                                                                                                              \
    } while (0)
/* Stores a boolean, which every member can hold. */
#define DLB_PY_STORE_BOOL(fits, place, new_value)                                                                      \
    do {                                                                                                               \
        DLB_NARROWING_BEGIN_(place) = (new_value);                                                                     \
        DLB_NARROWING_END_(fits) = 1;                                                                                  \
    } while (0)
#define DLB_PY_STORE_FLOAT(fits, place, new_value)                                                                     \
    do {                                                                                                               \
        DLB_ASSERT_(DLB_IS_REAL_(place), #place " is not a floating-point number");                                    \
        (fits) = dlb_py_holds_real((new_value), sizeof(place));                                                        \
        if (fits) {                                                                                                    \
            (place) = DLB_GENERIC_((place), float: (float)(new_value), long double: (long double)(new_value), default: (new_value)); \
        }                                                                                                              \
    } while (0)
#if defined(__GNUC__)
#define DLB_HOLD_COMPLEX_(place, new_value, number)                                                                    \
    __builtin_choose_expr(DLB_IS_STRUCT_(place), DLB_PAIR_OF_(place, creal(new_value), cimag(new_value)), number)
#else
#define DLB_HOLD_COMPLEX_(place, new_value, number) (number)
#endif
#define DLB_PY_STORE_COMPLEX(fits, place, new_value)                                                                   \
    do {                                                                                                               \
        DLB_ASSERT_COMPLEX(__typeof__(place), #place " is not a complex number");                                      \
        (fits) = dlb_py_holds_real(creal(new_value), sizeof(place) / 2) && dlb_py_holds_real(cimag(new_value), sizeof(place) / 2); \
        if (fits) {                                                                                                    \
            (place) = DLB_HOLD_COMPLEX_(place, new_value,                                                              \
                                        DLB_GENERIC_((place), float _Complex: (float _Complex)(new_value),             \
                                            long double _Complex: (long double _Complex)(new_value), default: (new_value))); \
        }                                                                                                              \
    } while (0)

/* ---- Hooks of a checked build (dlb_platform.h) ---- */

#if defined(DLB_CHECKED) /* a call begins when a wrapper takes its arguments */
#define dlb_py_take(function, self, arguments, arrays)                                                                 \
    (dlb_checked_take((function), __func__, __builtin_frame_address(0)),                                               \
     dlb_checked_taken((function), dlb_py_take_all((function), (self), (arguments), (arrays))))
#define dlb_py_finish_call(function, arrays, answer)                                                                   \
    ((PyObject *)dlb_checked_leave((function), dlb_py_finish_call((function), (arrays), (answer))))
#if !defined(DLB_CALL_CALL_H_) /* not where the functions are defined */
#define dlb_py_output_as_given(function, given, arrays, index)                                                         \
    (dlb_checked_show_result((function), &(arrays)[index]), dlb_py_output_as_given((function), (given), (arrays), (index)))
#define dlb_py_check_overlap(function, arrays)                                                                         \
    (dlb_checked_show_sources(function), dlb_checked_show_shadows((function), dlb_py_check_overlap((function), (arrays))))
#endif
#endif

#endif
