/* SPDX-License-Identifier: MIT-0 */
/* Arrays for the time of a call (dlb_function.h): what the files of calls share. */
#ifndef DLB_PY_CALL_H_
#define DLB_PY_CALL_H_

#include "dlb_py_internal.h"

/* The name in messages of ours about an argument: what the producer says does not begin with it. */
#define DLB_PY_NAMELESS "<argument>"

/* The memory behind `producer`, which `array` then holds; it is borrowed unless `owned`. `written`: C may write to it. `axes` must
 * live as long as `memory` is used. 0, -1 with an exception, or 1: it is no array. */
DLB_API int dlb_py_obtain(dlb_py_argument *array, PyObject *producer, bool owned, bool written,
                          int64_t axes[2 * DLB_MAX_NDIM], dlb_memory *memory);
/* Takes the bytes of a buffer, the giver of `array`, as one axis; or with `by_rows` as the axes of the buffer and one more, for the
 * bytes of an element. 0, -1 with an exception, or 1: ask for an array instead, since the buffer has gaps or has bytes already. */
DLB_API int dlb_py_obtain_bytes(dlb_py_argument *array, bool by_rows, dlb_memory *memory);
/* Arrays of its type are lent, by a table of its own or as those of NumPy: the memory is there until other code runs. */
DLB_API bool dlb_py_is_borrowable(PyObject *producer);
/* An array of numpy.ndarray itself. */
static inline bool dlb_py_is_plain_ndarray(const dlb_py_state *state, PyObject *value)
{
    return (PyObject *)Py_TYPE(value) == state->ndarray_type;
}

/* Asks an argument that C would write to whether it requires grad: what its table lends does not say so. This may run code of others, so
 * it comes before anything is lent to the call. Returns 0, 1 where the argument must be asked by __dlpack__(), or -1 with an exception. */
DLB_API int dlb_py_check_gradient(dlb_py_state *state, PyObject *value);

/* What is lent, in `array->borrowed` and `array->flags`: an array of numpy.ndarray, or of a type that is known to have a table. Looking
 * at types that are not known runs code of theirs, before anything is lent. `only` is the operand that takes it, where no other array is
 * lent to the call: then a table may run what the type overrides. Else it is NULL, and dlb_py_check_gradient() has been called if C
 * writes. 0, -1 with an exception, or 1: it must be asked. */
static inline int dlb_py_borrow(dlb_py_state *state, PyObject *value, const dlb_py_operand *only, dlb_py_argument *array)
{
    const dlb_py_producer *kind;
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
    kind = dlb_py_known_producer(state, Py_TYPE(value));
    if (DLB_UNLIKELY(kind == NULL || kind->api == NULL || kind->api->dltensor_from_py_object_no_sync == NULL ||
                     (kind->inherited && only == NULL))) {
        return 1;
    }
    enough = !kind->dlpack; /* what is known may be another type's once its table has been asked */
    if (DLB_UNLIKELY(kind->api->dltensor_from_py_object_no_sync(value, &array->borrowed) != 0)) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? 1 : -1;
    }
    array->flags = 0;
    return enough || dlb_py_says_enough(&array->borrowed) ? 0 : 1;
}

/* What the memory must be so that it can be shown as the operand says: the importer of its type, or `room`, filled with that and what the
 * operand requires besides. */
DLB_API const dlb_maker *dlb_py_demand_of(const dlb_py_operand *operand, dlb_maker *storage);

/* false: nothing that dlb_py_from_dlpack() could import. */
DLB_API bool dlb_py_may_be_array(PyObject *value);
/* Lets go of all that it holds in Python, and its items do. */
DLB_API void dlb_py_drop_array(dlb_py_argument *array);

/* The parameter of an operand. */
DLB_API const char *dlb_py_operand_name(const dlb_py_function *function, const dlb_py_operand *operand);
/* A TypeError: `value` is not what the operand takes. -1. */
DLB_API int dlb_py_refuse_argument(const dlb_py_function *function, const dlb_py_operand *operand,
                                   PyObject *value);
/* Puts function and argument before the message of the pending exception, in the place of `name` if the message begins with that.
 * -1. */
DLB_API int dlb_py_explain(const dlb_py_function *function, const dlb_py_operand *operand,
                           const char *name);
/* Raises `error` so. -1. */
DLB_API int dlb_py_refuse(const dlb_py_function *function, const dlb_py_operand *operand,
                          const dlb_error *error);
/* Shows `memory` to the operand: in place, or as a copy where that is allowed. 0, or -1 with `error`. */
DLB_API int dlb_py_show(dlb_py_argument *array, const dlb_py_operand *operand, const dlb_memory *memory,
                        dlb_error *error);

/* Whether the operand takes it as it is: an object of its class or, as a tensor, of any class of ours, but what is kept is one that
 * shows its memory for as long as it lives. */
static inline bool dlb_py_is_own(const dlb_py_operand *operand, PyObject *value)
{
    const dlb_type *const type = (operand->flags & DLB_PY_KEPT) != 0 ? operand->array : NULL;

    return dlb_py_is_ours(value) && (operand->type != NULL ? dlb_py_data(value)->type == operand->type
                                                           : type == NULL || dlb_py_data(value)->type == type);
}

/* The same of an argument, not of a sequence of such. */
static inline bool dlb_py_is_own_argument(const dlb_py_operand *operand, PyObject *value)
{
    return (operand->flags & (DLB_PY_ITEMS | DLB_PY_BYTES)) == 0 && dlb_py_is_own(operand, value);
}

/* Takes `object`, an object of ours: `array->giver`, or what was made of it. */
DLB_API int dlb_py_take_own(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array,
                            PyObject *object);
/* Makes the array or object at `index`, of the shape of the one that it is like, and takes it. */
DLB_API int dlb_py_make_like(const dlb_py_function *function, dlb_py_argument *arrays, int index);
/* Takes `array->giver`, which is not ours; what is not `owned` may be gone as soon as other code runs. */
DLB_API int dlb_py_take_foreign(const dlb_py_function *function, const dlb_py_operand *operand, bool owned,
                                dlb_py_argument *array);
/* All arguments that are not ours. */
DLB_API int dlb_py_take_others(const dlb_py_function *function, dlb_py_argument *arrays);
/* One item of a sequence, as dlb_py_take() does with an argument; it is ended with the sequence. */
DLB_API int dlb_py_take_item(const dlb_py_function *function, const dlb_py_operand *operand,
                             PyObject *value, dlb_py_argument *array);
/* A sequence of such items. */
DLB_API int dlb_py_take_items(const dlb_py_function *function, const dlb_py_operand *operand,
                              dlb_py_argument *array);
/* A short list or tuple of numbers, copied to the argument itself if nothing is wrong with them and no code of others reads them:
 * whether it was. */
DLB_API bool dlb_py_copy_sequence(const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array);
/* A sequence of numbers, copied. */
DLB_API int dlb_py_take_numbers(const dlb_py_function *function, const dlb_py_operand *operand,
                                dlb_py_argument *array);

/* Makes an object of Python that has the share of `owner`, of a result; NULL: raises `error`, unless an exception is pending. `flags`:
 * DLB_PY_READS. NULL with an exception. */
DLB_API PyObject *dlb_py_show_owner(const dlb_type *type, dlb_owner *owner, unsigned flags, const dlb_error *error);

/* Makes `array->tensor`, with its axes, the argument's own: the function may change it. */
DLB_API void dlb_py_own_tensor(dlb_py_argument *array);

/* Nothing was given, and nothing is held. */
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

/* Before something is taken that is to be given back. */
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
    array->versioned = NULL;
    array->legacy = NULL;
    array->buffer.obj = NULL;
    array->temporary = NULL;
}

/* Returns the owner of the object that is the argument, also of one that was taken quickly; NULL: None, or an array that is lent. `held` is
 * that of the first argument of the call. */
static inline dlb_owner *dlb_py_owner_of(const dlb_py_argument *array, int held)
{
    if (held == DLB_PY_SHARE || (held && array->shared)) {
        return array->owner;
    }
    return array->source != NULL && dlb_py_is_ours(array->source) && !(held && array->temporary != NULL)
               ? dlb_py_data(array->source)->owner
               : NULL;
}

/* From now on there is something to be given back: which of arguments that were taken quickly is not known, but for a share. */
static inline void dlb_py_hold_all(const dlb_py_function *function, dlb_py_argument *arrays)
{
    const int known = arrays[0].held;

    for (int i = 0; known != 1 && i < function->operand_count; i++) {
        dlb_py_hold_nothing_yet(&arrays[i]);
        arrays[i].shared = known == DLB_PY_SHARE;
    }
}

static inline void dlb_py_take_nothing_yet(dlb_py_argument *array)
{
    dlb_py_take_none(array);
    dlb_py_hold_nothing_yet(array);
}

#endif
