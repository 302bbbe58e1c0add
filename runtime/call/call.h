/* SPDX-License-Identifier: MIT-0 */
/* Takes the arguments of a call (dlb_call.h). */
#ifndef DLB_CALL_CALL_H_
#define DLB_CALL_CALL_H_

#include "dlb_call.h"
#include "../object/object.h"

/* The name of an argument in messages of this runtime. No message of a producer begins with it, so it can be replaced. */
#define DLB_PY_NAMELESS "<argument>"

/* Acquires the memory of `array->source`, which `array` then holds; it is borrowed unless `owned`. `stream`: the stream of the function,
 * or NULL for that of the import. `axes` must live as long as `memory` is used. Returns 0; -1 with an exception; or 1 if the source is
 * not an array. */
DLB_API int dlb_py_acquire(dlb_py_argument *array, const dlb_py_operand *operand, bool owned, const dlb_py_stream *stream,
                           int64_t axes[2 * DLB_MAX_NDIM], dlb_memory *memory);
/* Acquires the bytes of a buffer, the source of `array`, as one axis. If the buffer has gaps, or if several axes are required, the memory has
 * the axes of the buffer, and one more for the bytes of an element. Returns 0, or -1 with an exception. Returns 1 if an array must be
 * acquired instead, because the elements of the buffer are bytes. */
DLB_API int dlb_py_acquire_bytes(dlb_py_argument *array, const dlb_requirements *require, dlb_memory *memory);
/* Acquires the memory of `array->source`, an array of such records: by its array interface, or as a buffer. Returns 0; -1 with an
 * exception, a TypeError if the fields differ; or 1: not an array. */
DLB_API int dlb_py_acquire_records(dlb_py_argument *array, const dlb_record *record, dlb_memory *memory);
/* Returns whether arrays of this type can be borrowed, through their exchange table or as those of NumPy, 1 or 0; or -1 with an exception.
 * The memory is valid until other code runs. */
DLB_API int dlb_py_is_borrowable(PyObject *producer);
/* Returns whether `value` is a numpy.ndarray, and not of a subclass. */
static inline bool dlb_py_is_plain_ndarray(const dlb_py_state *state, PyObject *value)
{
    return (PyObject *)Py_TYPE(value) == state->ndarray_type;
}

/* Asks an argument that C may write to whether it requires grad, since borrowing through the exchange table does not tell. This may run
 * foreign code, so call it before anything is borrowed. Returns 0; 1 if __dlpack__() must be called; or -1 with an exception. */
DLB_API int dlb_py_check_gradient(dlb_py_state *state, PyObject *value);

/* Borrows an array of numpy.ndarray, or of a type that is known to have an exchange table, into `array->borrowed` and `array->flags`.
 * Types that are not known must be looked up before anything is borrowed, since that may run foreign code. `only`: the operand, if the
 * call borrows no other array; then the table may run methods that the type overrides. If it is NULL and C writes,
 * dlb_py_check_gradient() must have been called. Returns 0; -1 with an exception; or 1 if __dlpack__() must be called. */
DLB_INLINE int dlb_py_borrow(dlb_py_state *state, PyObject *value, const dlb_py_operand *only, dlb_py_argument *array)
{
    const dlb_py_producer *info;
    bool enough;

    if (dlb_py_is_plain_ndarray(state, value)) {
        return dlb_py_read_ndarray(state, value, &array->borrowed, &array->flags, array->axes) ? 0 : 1;
    }
    if (only != NULL && DLB_UNLIKELY((only->flags & DLB_PY_WRITES) != 0)) {
        const int gradient = dlb_py_check_gradient(state, value);

        if (gradient != 0) {
            return gradient;
        }
    }
    info = dlb_py_known_producer(state, Py_TYPE(value));
    if (DLB_UNLIKELY(info == NULL || info->api == NULL || info->api->dltensor_from_py_object_no_sync == NULL ||
                     (info->inherited && only == NULL))) {
        return 1;
    }
    enough = !info->dlpack; /* read before the call of the table, which may replace the cached info */
    if (DLB_UNLIKELY(dlb_py_check_stack_at(state, (uintptr_t)array) != 0 ||
                     info->api->dltensor_from_py_object_no_sync(value, &array->borrowed) != 0)) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? 1 : -1;
    }
    array->flags = 0;
    return dlb_py_table_suffices(&array->borrowed) || (enough && array->borrowed.device.device_type != kDLCUDAManaged) ? 0 : 1;
}

/* Returns the requirements on the memory of an operand: the importer of its type, or `storage`, filled with the importer and the
 * requirements of the operand. */
DLB_API const dlb_requirements *dlb_py_requirements_of(const dlb_py_operand *operand, dlb_requirements *storage);

/* Returns whether dlb_py_from_dlpack() might import `value`, 1 or 0; or -1 with an exception. */
DLB_API int dlb_py_may_be_array(PyObject *value);
/* Releases everything that an argument and its items hold in Python. */
DLB_API void dlb_py_drop_array(dlb_py_argument *array);

/* Returns the operand of the param at `index`, or NULL if C gets neither an array nor an object for it. */
static inline const dlb_py_operand *dlb_py_operand_of(const dlb_py_function *function, int index)
{
    for (int i = 0; i < function->operand_count; i++) {
        if (function->operands[i].param == index) {
            return &function->operands[i];
        }
    }
    return NULL;
}

/* Returns the name of the class, without the name of its module. */
DLB_API const char *dlb_py_class_name(const dlb_type *type);
/* Returns the name of the parameter of an operand. */
DLB_API const char *dlb_py_operand_name(const dlb_py_function *function, const dlb_py_operand *operand);
/* Raises a TypeError: the operand does not accept `value`. Returns -1. */
DLB_API int dlb_py_refuse_argument(const dlb_py_function *function, const dlb_py_operand *operand,
                                   PyObject *value);
/* Puts function and argument before the message of the pending exception. If the message begins with `name`, they replace it. Returns
 * -1. */
DLB_API int dlb_py_explain(const dlb_py_function *function, const dlb_py_operand *operand,
                           const char *name);
/* Raises `error` with the function and the argument in its message. Returns -1. */
DLB_API int dlb_py_refuse(const dlb_py_function *function, const dlb_py_operand *operand,
                          const dlb_error *error);
/* Converts the operand: shows `memory` in place, or as a copy if that is allowed. Returns 0, or -1 with `error`. */
DLB_API int dlb_py_convert(dlb_py_argument *array, const dlb_py_operand *operand, const dlb_memory *memory,
                        dlb_error *error);

/* Returns whether the operand accepts `value` without a conversion. It does if `value` is of its class. A tensor operand accepts every
 * class of this runtime, but if the operand is kept, only the type of dlb_array. */
static inline bool dlb_py_is_own(const dlb_py_operand *operand, PyObject *value)
{
    const dlb_type *const type = (operand->flags & DLB_PY_KEPT) != 0 ? operand->array : NULL;

    return dlb_py_is_ours(value) && (operand->type != NULL ? dlb_py_data(value)->type == operand->type
                                                           : type == NULL || dlb_py_data(value)->type == type);
}

/* Returns whether the operand accepts the argument without a conversion. False for operands that are sequences of items, bytes or records. */
static inline bool dlb_py_is_own_argument(const dlb_py_operand *operand, PyObject *value)
{
    return (operand->flags & (DLB_PY_ITEMS | DLB_PY_BYTES | DLB_PY_RECORDS)) == 0 && dlb_py_is_own(operand, value);
}

/* Returns whether only an object of the operand's class will do. The library cannot keep, move or free an array that is imported for
 * one call. */
static inline bool dlb_py_takes_objects_only(const dlb_py_operand *operand)
{
    return operand->type != NULL && (operand->type->importer == NULL || (operand->flags & (DLB_PY_INVALIDATES | DLB_PY_KEEPS)) != 0);
}

/* Takes a share of the owner of `object`, so that the object outlives the call. Returns 0, or -1 with a ValueError: it is closed. */
DLB_API int dlb_py_share_own(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array, PyObject *object);
/* Finds the stream on which the function works, before its arrays are taken. Takes the objects first on which it depends. Sets `*found` to
 * `stream`; or to NULL: the spec does not specify it. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_stream_of_call(const dlb_py_function *function, dlb_py_argument *arrays, dlb_py_stream *stream,
                                  const dlb_py_stream **found);
/* Takes `object`, an object of this runtime: `array->source`, or an object that was made from it. Returns 0 or -1. */
DLB_API int dlb_py_take_own(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                            dlb_py_argument *array, PyObject *object);
/* Allocates the new output at `index`, with the shape of the operand that it is `like`, and takes it. Returns 0 or -1. */
DLB_API int dlb_py_make_like(const dlb_py_function *function, dlb_py_argument *arrays, int index);
/* Returns the only dtype that a new output can have, or NULL if there are several. */
DLB_API const DLDataType *dlb_py_only_dtype(const dlb_py_operand *operand);
/* Creates the new output at `index`. `prototype` has its shape, and its dtype unless dlb_py_only_dtype() gives one. Returns 0, or -1
 * with an exception. */
DLB_API int dlb_py_make_output(const dlb_py_function *function, dlb_py_argument *arrays, int index, DLTensor *prototype);
/* Returns what an OSError shows as its filename: a path as it is, and the name or the descriptor of a file object. A new reference, or
 * NULL with an exception that must not be replaced. */
DLB_API PyObject *dlb_py_filename(PyObject *argument);
/* Raise a ValueError for a length or a shape that is negative or too large. The message names the values of C that made it so. `holder`
 * and `unit` are words such as "array" and "elements". Return -1. */
DLB_API int dlb_py_refuse_length(const dlb_py_function *function, const char *param, const char *holder, const char *unit,
                                 const dlb_integer *wrong);
DLB_API int dlb_py_refuse_shape(const dlb_py_function *function, const char *param, int ndim, const dlb_integer *extents);
/* Stores the extents of the new output at `index` in `shape`. Returns 0, or -1 with a ValueError. */
static inline int dlb_py_shape_of_output(const dlb_py_function *function, int index, int ndim, const dlb_integer *extents, int64_t *shape)
{
    for (int axis = 0; axis < ndim; axis++) {
        if (extents[axis].status != DLB_FITS || extents[axis].value < 0) {
            return dlb_py_refuse_shape(function, dlb_py_operand_name(function, &function->operands[index]), ndim, extents);
        }
        shape[axis] = extents[axis].value;
    }
    return 0;
}
/* Allocates the new output at `index` as dlb_py_make_like() does, if possible by the library of an argument. Returns 0 or -1. */
DLB_API int dlb_py_make_like_as_given(const dlb_py_function *function, PyObject *const *given, dlb_py_argument *arrays, int index);
/* Takes `array->source`, a foreign argument: the one of the operand in `arrays`, or an item of it. Unless `owned`, its memory may be
 * freed as soon as other code runs. Returns 0 or -1. */
DLB_API int dlb_py_take_foreign(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, bool owned,
                                dlb_py_argument *array);
/* Takes all foreign arguments. Returns 0 or -1. */
DLB_API int dlb_py_take_foreign_arguments(const dlb_py_function *function, dlb_py_argument *arrays);
/* Takes one item of a sequence, which is released with the sequence. Returns 0 or -1. */
DLB_API int dlb_py_take_item(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                             PyObject *value, dlb_py_argument *array);
/* Takes a sequence of objects. Returns 0 or -1. */
DLB_API int dlb_py_take_items(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                              dlb_py_argument *array);
/* Takes `array->source`, an object of another module: `array->made` stands for it. Returns 0 or -1. */
DLB_API int dlb_py_take_external(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array);
/* Copies a short list or tuple of numbers into the argument itself, if all fit and reading them runs no foreign code. Returns whether
 * it did. */
DLB_API bool dlb_py_copy_sequence(const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array);
/* Makes an object from `array->source`, if it is a tuple, a list or a mapping of members that the operand accepts. Stores a new
 * reference in `array->made`. Returns 0; -1 with an exception; or 1 if the source is something else. */
DLB_API int dlb_py_take_members(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array);
/* Returns whether the value may have the members that the operand accepts: a tuple or a list of as many items, a dict of their names, or
 * another object that is perhaps a mapping. 1 or 0; or -1 with an exception. */
DLB_API int dlb_py_may_have_members(const dlb_py_operand *operand, PyObject *value);
/* Returns the items of a sequence as a tuple, which nobody can change during the call; or NULL with an exception. A new reference. */
DLB_API PyObject *dlb_py_items(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value);
/* Finds the C type class of an element, DLB_OTHER for a complex one. Returns false if Python numbers cannot be converted to the dtype. */
DLB_API bool dlb_py_converts_numbers(DLDataType dtype, dlb_ctype_class *ctype_class);
/* Describe the numbers of an argument, before an alternative is chosen: of a value that is perhaps a number, whose kind is
 * dlb_py_number_kind(), and of one that is perhaps a sequence. If reading the items of the sequence may run foreign code, stores a new tuple
 * of them in `*items`, for the chosen function; else NULL. Return DLB_PY_ONE_NUMBER and so on, or -1 with an exception. */
DLB_API int dlb_py_describe_number(PyObject *value, int kind, dlb_py_numbers *numbers);
DLB_API int dlb_py_describe_sequence(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value,
                                     dlb_py_numbers *numbers, PyObject **items);
/* Takes a sequence of numbers, and copies them. Returns 0 or -1. */
DLB_API int dlb_py_take_numbers(const dlb_py_function *function, const dlb_py_operand *operand,
                                dlb_py_argument *array);

/* Makes a new owner read-only if it shows the memory of a read-only owner that it keeps alive: `kept`, or a dependency of it. */
DLB_API void dlb_py_inherit_readonly(dlb_owner *owner, dlb_owner *kept);
/* Makes a Python object of a result, and takes over the share of `owner`. If `owner` is NULL, raises `error`, unless an exception is
 * pending. `flags`: DLB_PY_READS. NULL with an exception. */
DLB_API PyObject *dlb_py_convert_owner(const dlb_type *type, dlb_owner *owner, unsigned flags, const dlb_error *error);

/* Returns whether an argument to which results may refer has dependencies, such as the array that it was imported from. If none has, a
 * result refers only to an argument that is the same object. */
DLB_API bool dlb_py_any_has_dependencies(const dlb_py_function *function, dlb_py_argument *arrays);

/* Takes `array->source`, as dlb_py_take_foreign() does. */
typedef int dlb_py_take_array(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, bool owned,
                              dlb_py_argument *array);
/* Find the params of the importer, for the array `value`, and of the allocator, for a new output, among the other arguments. `take`
 * imports another argument that is a param. Return 0, or -1 with an exception. Call dlb_py_free_params() in both cases. */
DLB_API int dlb_py_params_of_import(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                                    PyObject *value, dlb_py_take_array *take, dlb_py_params *params);
DLB_API int dlb_py_params_of_output(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                                    dlb_py_params *params);

/* Copies `array->tensor`, with its axes, into the argument: C may change it. */
DLB_API void dlb_py_own_tensor(dlb_py_argument *array);

/* Takes a missing argument, which holds nothing. */
static inline void dlb_py_take_none(dlb_py_argument *array)
{
    array->object = NULL;
    array->tensor = NULL;
    array->flags = 0;
    array->count = 0;
    array->owner = NULL;
    array->source = NULL;
    array->held = 0;
}

/* Clears the resources that an argument holds, before it acquires any. */
static inline void dlb_py_hold_nothing_yet(dlb_py_argument *array)
{
    array->held = 1;
    array->made = NULL;
    array->shared = 0;
    array->waiting = 0;
    array->copied = 0;
    array->moved = 0;
    array->copy = NULL;
    array->table = NULL;
    array->items = NULL;
    array->shares = NULL;
    array->versioned = NULL;
    array->legacy = NULL;
    array->buffer.obj = NULL;
    array->temporary = NULL;
}

/* Returns the owner of the argument, also if it was taken on the fast path. NULL for None, and for a borrowed array. `held`: the member
 * of the first argument of the call. */
static inline dlb_owner *dlb_py_owner_of(const dlb_py_argument *array, int held)
{
    if (held == DLB_PY_SHARE || (held && array->shared)) {
        return array->owner;
    }
    return array->source != NULL && dlb_py_is_ours(array->source) && !(held && array->temporary != NULL)
               ? dlb_py_data(array->source)->owner
               : NULL;
}

/* Marks the arguments as holding resources. The members of arguments from the fast path are not set, so this clears them; a share of
 * the only operand stays. */
static inline void dlb_py_hold_all(const dlb_py_function *function, dlb_py_argument *arrays)
{
    const int known = arrays[0].held;

    for (int i = 0; known != 1 && i < function->operand_count; i++) {
        dlb_py_hold_nothing_yet(&arrays[i]);
        arrays[i].shared = known == DLB_PY_SHARE;
    }
}

/* Initialises an argument on the slow path: missing so far, and holding nothing. */
static inline void dlb_py_take_nothing_yet(dlb_py_argument *array)
{
    dlb_py_take_none(array);
    dlb_py_hold_nothing_yet(array);
}

#endif
