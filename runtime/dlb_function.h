/* SPDX-License-Identifier: MIT-0 */
/* What a generated NAME_module.c says of the C functions that it binds, and what the bodies call. All functions need the GIL
 * and report failure as CPython does: NULL or -1 with an exception set. */
#ifndef DLB_FUNCTION_H_
#define DLB_FUNCTION_H_

#include "dlb_python.h"

#include "dlb_describe.h"
#include "dlb_py_compat.h"

/* ---- Facts ---- */

/* What the function does with an array or object. */
enum {
    DLB_PY_WRITES = 1,      /* it may change it: read-only memory is refused */
    DLB_PY_OPTIONAL = 2,    /* None is NULL */
    DLB_PY_NUMBERS = 4,     /* a sequence of numbers will do, which is copied */
    DLB_PY_INVALIDATES = 8, /* afterwards nothing of the object may be used, or it is the library's: refused while exports live */
    DLB_PY_ITEMS = 16,      /* a sequence of such objects, of which the function gets an array of pointers */
    DLB_PY_KEPT = 32,       /* what is returned keeps it, or another one, or what it was made with is asked for */
    DLB_PY_SHOWN = 64,      /* other parameters say something of its tensor */
    DLB_PY_READS = 128,     /* of a result: C calls it const */
    DLB_PY_BYTES = 256,     /* a buffer will do, whatever its elements are: the function gets their bytes */
    DLB_PY_IN_STORAGE = 512,   /* of a result: the object lies in room of dlb_py_storage_for() */
    DLB_PY_KEEPS = 1024,    /* from now on it keeps others: it is an object of ours, and no array becomes one for the call */
    DLB_PY_SETS = 2048,     /* it may change the struct: what the library has called const is refused */
    DLB_PY_UNRETURNED = 4096, /* of items: nothing but their addresses is asked for */
    DLB_PY_RESTRICT = 8192,   /* a pointer of it is `restrict`: see dlb_py_check_overlap() */
    DLB_PY_RESTRICT_ITEMS = 16384, /* of items: C calls the pointer to each of them `restrict`, and writes to them */
    DLB_PY_REFERRED = 32768 /* what the call returns may refer to it: an array becomes an object of ours, which that can keep */
};

/* Of pointers that have a name of their own, and may point to const. */
#define DLB_PY_WRITES_UNLESS_CONST(type) (DLB_TO_CONST_(type) ? 0 : DLB_PY_WRITES)
#define DLB_PY_READS_IF_CONST(type) (DLB_TO_CONST_(type) ? DLB_PY_READS : 0)

enum { DLB_PY_SAID = -1 };

/* An array, an object, or a DLTensor among the arguments. */
typedef struct dlb_py_operand {
    int param;                /* its index; -1: the object whose method this is */
    const dlb_type *type;     /* whose objects it is; NULL: any array, as a tensor */
    unsigned flags;           /* DLB_PY_WRITES and so on */
    const dlb_maker *require; /* what it must be besides; NULL: nothing */
    int64_t count;            /* elements that it must have; 0: any number */
    int like;                 /* where none is given, a new one is made: 1 and the index of the operand of whose shape it is;
                                 DLB_PY_SAID: of the one that dlb_py_make_shape() hears; 0: none is made */
    const dlb_type *array;    /* where `type` is NULL: that of dlb_array, which is what is made, or kept */
} dlb_py_operand;

typedef struct dlb_py_function {
    const char *name; /* as messages say it: "blur" */
    const dlb_param *params;
    int count;           /* of params */
    int positional;      /* so many of them can be given by position */
    int positional_only; /* so many cannot be given by name */
    const dlb_py_operand *operands;
    int operand_count;
    int holds; /* operands to the end: other code of Python may run before it, without the GIL or in what makes an exception */
} dlb_py_function;

/* A param that is a number, a boolean or a const char *; and one that is anything else. */
#define DLB_PY_PARAM(type, name, required) {name, DLB_KIND_OF(*(type *)0), 0, sizeof(type), (required), NULL, NULL}
#define DLB_PY_OBJECT_PARAM(name, required) {name, DLB_OTHER, 0, 0, (required), NULL, NULL}

/* An enumeration: a class of the module. */
typedef struct dlb_py_member {
    const char *name;
    int64_t value;
} dlb_py_member;

/* One of these; a value that is no integer, or too great, does not compile. */
#define DLB_PY_MEMBER(name, value)                                                                                     \
    {(name), DLB_PROVE_(DLB_WIDEN_(value, 1, 1, 0), is_no_integer) *                                                   \
                 DLB_PROVE_((value) < 1 || (uint64_t)(value) <= INT64_MAX, is_beyond_64_bits) * (int64_t)(value)}

/* Which class of the standard library's `enum` it is one of. Flags may be combined. */
typedef enum dlb_py_enum_base { DLB_PY_INT_ENUM, DLB_PY_INT_FLAG } dlb_py_enum_base;

typedef struct dlb_py_enum {
    const char *name;
    dlb_py_enum_base base;
    const dlb_py_member *members;
    size_t count;
} dlb_py_enum;

/* ---- Arguments ---- */

DLB_API int dlb_py_sort(const dlb_py_function *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                        PyObject **given);

/* The arguments of a call in the order of `function->params`, NULL where none was given: `args` as they are, or sorted into
 * `room` of `function->count` places. Says what is missing, too much or unknown, in CPython's words; runs no foreign code. NULL
 * with an exception. */
static inline PyObject *const *dlb_py_arguments(const dlb_py_function *function, PyObject *const *args,
                                                Py_ssize_t nargs, PyObject *kwnames, PyObject **storage)
{
    if (DLB_LIKELY(kwnames == NULL && nargs == function->count && function->positional == function->count)) {
        return nargs > 0 ? args : storage; /* of none, there may be no address */
    }
    return dlb_py_sort(function, args, nargs, kwnames, storage) == 0 ? storage : NULL;
}

/* Each stores the argument at `index`, or leaves `place` alone where none was given. 0 or -1. */

/* A number, a boolean or a text that must be one, as its param says. */
DLB_API int dlb_py_read_number(const dlb_py_function *function, int index, PyObject *const *given, void *place);
/* A complex number, of twice `size` bytes. */
DLB_API int dlb_py_read_complex(const dlb_py_function *function, int index, PyObject *const *given, void *place,
                                size_t size);
/* A str of one ASCII character. */
DLB_API int dlb_py_read_char(const dlb_py_function *function, int index, PyObject *const *given, char *place);
/* A str as UTF-8, that of the object; None if that is allowed. */
DLB_API int dlb_py_read_text(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                             const char **place);
/* A path (os.PathLike, str or bytes) as the file system has it; `*keeper` is a new reference that keeps it, or NULL. */
DLB_API int dlb_py_read_path(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                             const char **place, PyObject **keeper);
/* A sequence of str as a table of such, with NULL at its end, whose address goes to the pointer at `place`; `*keeper` as above. */
DLB_API int dlb_py_read_texts(const dlb_py_function *function, int index, PyObject *const *given, int optional,
                              void *place, PyObject **keeper);
/* How many there are; none in NULL. */
DLB_API int64_t dlb_py_text_count(const void *texts);
/* A member of `of`, the name of one, or its number; of flags any number. Stored as an integer of `size`
 * bytes. */
DLB_API int dlb_py_read_enum(const dlb_py_function *function, int index, PyObject *const *given, const dlb_py_enum *of,
                             void *place, size_t size);

/* ---- Arrays and objects ---- */

/* How objects of ours end. Classes are final, so they have exactly this. */
DLB_API void dlb_py_dealloc(PyObject *self);
static inline int dlb_py_is_ours(PyObject *object)
{
    return dlb_py_dealloc_of(Py_TYPE(object)) == DLB_PY_SLOT(dlb_py_dealloc);
}

enum { DLB_PY_STORAGE = 256, DLB_PY_SHARE = 2 };

/* One of them, for the time of the call. Generated code reads the first members. */
typedef struct dlb_py_argument {
    void *object;     /* the T *, for items the T **, for arrays the first element; NULL for None */
    DLTensor *tensor; /* what it shows, in `view`; NULL for None, and for objects that nobody has looked at */
    uint64_t flags;   /* DLPACK_FLAG_BITMASK_READ_ONLY and so on */
    int64_t count;    /* of items */
    void *rows;       /* the table of dlb_py_list_rows() */
    dlb_owner *owner; /* NULL: memory of somebody else */
    PyObject *source;  /* the argument, or the object that was made where there was none; borrowed */
    int held;         /* 0: there is nothing to be given back, for all arguments of the call, and no more is known of them;
                         DLB_PY_SHARE: a share of the owner, by the only operand, and no more is known of it either */
    /* What is to be given back. */
    PyObject *made; /* a Python object that was made of the argument, or instead of it */
    int shared;     /* a share of the owner */
    int waiting;    /* to be borrowed, once all others are taken */
    int copied;     /* the memory is not the giver's: where it may have been written, it is copied back */
    int moved;      /* the call has moved the memory of a struct that shows an array of Python's */
    void *copy;     /* its block */
    void *table;    /* that of `rows`, where it is a block of its own */
    struct dlb_py_argument *items;
    DLManagedTensorVersioned *versioned;
    DLManagedTensor *legacy;
    Py_buffer buffer; /* `obj` NULL: none */
    DLTensor borrowed;
    int64_t axes[2 * DLB_MAX_NDIM]; /* those of `borrowed`, where nobody else keeps them */
    const dlb_maker *temporary; /* how the object, which lies in `room`, was made */
    union {
        DLB_ALIGN_16 char bytes[DLB_PY_STORAGE];
        long long integer;
        long double floating;
        void *pointer;
    } storage;
    dlb_view view;
} dlb_py_argument;

DLB_API int dlb_py_take_all(const dlb_py_function *function, PyObject *self, PyObject *const *given,
                            dlb_py_argument *arrays);
/* The same, with a quick way for what is usual, where the GIL stays; */
DLB_API int dlb_py_take_quickly(const dlb_py_function *function, PyObject *self, PyObject *const *given,
                                dlb_py_argument *arrays);
/* and for the only operand of a call, which takes what is lent, and gets a `value` that is not ours. */
DLB_API int dlb_py_take_temporary(const dlb_py_function *function, PyObject *self, PyObject *const *given, PyObject *value,
                             dlb_py_argument *array);
DLB_API PyObject *dlb_py_end_all(const dlb_py_function *function, dlb_py_argument *arrays, PyObject *answer);

/* An object of the operand's class, of which the call needs what those flags ask for, and nothing else but the T *. */
static inline DLB_ALWAYS_INLINE int dlb_py_is_at_hand(const dlb_py_operand *operand, PyObject *value, unsigned flags)
{
    const dlb_py_object *const object = (const dlb_py_object *)value;

    return value != NULL && dlb_py_is_ours(value) && object->type == operand->type && object->object != NULL &&
           (operand->flags & ~flags) == 0 && operand->require == NULL &&
           ((operand->flags & (unsigned)(DLB_PY_WRITES | DLB_PY_SETS)) == 0 || object->writable);
}

/* Takes one that nothing else asks for. */
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

/* Whether the operand takes arrays that need no end: not even the object around them. */
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

/* Takes all operands of a call: `self` is the object of a method. On failure nothing is held. 0 or -1. */
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
                   : dlb_py_take_quickly(function, self, given, arrays);
    }
    return 0;
}

/* Compares the memory of those arguments that must not overlap: one of two is DLB_PY_RESTRICT, and the call writes to one of them. A
 * BufferError names two that overlap. 0 or -1. */
DLB_API int dlb_py_check_overlap(const dlb_py_function *function, dlb_py_argument *arrays);

/* Checks, right after the call, that the struct of the operand at `index` still shows memory of the array that Python gave for it. If it
 * does not, dlb_py_end() raises a BufferError. `before`, `now`: its data before and after the call; both 0: they are not known. */
DLB_API void dlb_py_check_memory(const dlb_py_function *function, dlb_py_argument *arrays, int index, uintptr_t before,
                                 uintptr_t now);

/* Where the array of a struct is, and how many elements it has. */
typedef struct dlb_place {
    uintptr_t data;
    uint64_t count;
} dlb_place;
#define DLB_PLACE(data, count) ((dlb_place){(uintptr_t)(data), (count)})
/* Checks it only if the struct changed where its array is. */
static inline void dlb_py_check_place(const dlb_py_function *function, dlb_py_argument *arrays, int index, dlb_place before,
                                      dlb_place now)
{
    if (DLB_UNLIKELY(before.data != now.data || before.count != now.count)) {
        dlb_py_check_memory(function, arrays, index, before.data, now.data);
    }
}

/* Gives all of them back. With an `answer`, copies are written back first; returns it. */
static inline PyObject *dlb_py_end(const dlb_py_function *function, dlb_py_argument *arrays, PyObject *answer)
{
    return arrays[0].held ? dlb_py_end_all(function, arrays, answer) : answer;
}

/* The call has ended the object as its release would have: Python's is closed, and lets go of what it kept. */
DLB_API void dlb_py_ended(dlb_py_argument *array);
/* The library has taken the object: Python's is closed, nobody releases it, and `recipient` keeps what it kept (NULL: for ever). */
DLB_API void dlb_py_transfer_dependencies(dlb_py_argument *array, const dlb_py_argument *recipient);
/* The same where the recipient is still to be made: what the object leaves goes to dlb_py_transfer_to_result(), which knows it, or NULL. */
DLB_API dlb_owner *dlb_py_detach_owner(dlb_py_argument *array);
DLB_API void dlb_py_transfer_to_result(dlb_owner *left, PyObject *recipient);

/* The array as an object of Python: that which was given, or was made where none was. A new reference. */
DLB_API PyObject *dlb_py_give(dlb_py_argument *array);

/* Fills `rows` of the array at `index` with pointers to its rows; NULL for None. 0 or -1. */
DLB_API int dlb_py_list_rows(const dlb_py_function *function, dlb_py_argument *arrays, int index);

/* What parameters beside an array say of it. NULL is an array of no elements. */
DLB_API int64_t dlb_py_count(const dlb_py_argument *array);           /* elements, or items */
DLB_API int64_t dlb_py_size(const dlb_py_argument *array);            /* bytes from the first element to the last */
DLB_API int64_t dlb_py_extent(const dlb_py_argument *array, int axis); /* 0 beyond the rank */
DLB_API int64_t dlb_py_stride(const dlb_py_argument *array, int axis); /* elements; 0 beyond the rank */
DLB_API int64_t dlb_py_byte_stride(const dlb_py_argument *array, int axis); /* once dlb_py_check_bytes() has held */

/* place = value; an OverflowError naming `param` where it does not fit. 0 or -1. */
#define DLB_PY_MEASURE(function, param, place, value)                                                                  \
    dlb_py_measure((function), (param), (value), &(place), sizeof(place), DLB_KIND_OF(place))
DLB_API int dlb_py_measure(const dlb_py_function *function, const char *param, int64_t value, void *place, size_t size,
                           dlb_kind kind);

/* The operators of C on lengths. What overflows, divides by 0 or has two negative factors is no length. */
DLB_API dlb_integer dlb_plus(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_minus(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_times(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_over(dlb_integer a, dlb_integer b);
DLB_API dlb_integer dlb_modulo(dlb_integer a, dlb_integer b);

/* The array has these extents, or so many elements, or its `length` is not less than this; else a ValueError naming
   `param`. 0 or -1. */
#define DLB_PY_CHECK_SHAPE(function, array, param, ...)                                                                \
    dlb_py_check_shape((function), (array), (param), (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), \
                       (const dlb_integer[]){__VA_ARGS__})
DLB_API int dlb_py_check_shape(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                               int ndim, const dlb_integer *extents);
/* The same of one that is made, and taken, where none was given: the operand at `index`. */
#define DLB_PY_MAKE_SHAPE(function, arrays, index, ...)                                                                \
    dlb_py_make_shape((function), (arrays), (index), (int)(sizeof((dlb_integer[]){__VA_ARGS__}) / sizeof(dlb_integer)), \
                      (const dlb_integer[]){__VA_ARGS__})
DLB_API int dlb_py_make_shape(const dlb_py_function *function, dlb_py_argument *arrays, int index, int ndim,
                              const dlb_integer *extents);
DLB_API int dlb_py_make_count(const dlb_py_function *function, dlb_py_argument *arrays, int index, dlb_integer count);
DLB_API int dlb_py_check_forward(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                                 int axis); /* of several strides, one that is not negative */
DLB_API int dlb_py_check_bytes(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                               int axis); /* the stride is a number of bytes */
DLB_API int dlb_py_check_least(const dlb_py_function *function, const char *param, int64_t length, int64_t least);
DLB_API int dlb_py_check_count(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                               dlb_integer count);
/* C text reads that element, of so many bytes; that letter, or the '\0' behind the last one. */
DLB_API int dlb_py_check_element(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                                 size_t size, dlb_integer index);
DLB_API int dlb_py_check_letter(const dlb_py_function *function, const char *text, const char *param, dlb_integer index);
DLB_API int dlb_py_check_text(const dlb_py_function *function, const void *texts, const char *param, dlb_integer index);
/* There must be so many texts; NULL is none that could be counted. */
DLB_API int dlb_py_check_texts(const dlb_py_function *function, const void *texts, const char *param, dlb_integer count);

/* ---- The module ---- */

DLB_API int dlb_py_add_enum(PyObject *module, const dlb_py_enum *of);
/* Adds `value`, which it takes over; NULL fails. */
DLB_API int dlb_py_add_constant(PyObject *module, const char *name, PyObject *value);

#include "dlb_assign.h"
#include "dlb_result.h"

#endif
