/* SPDX-License-Identifier: MIT-0 */
/* Takes all arguments of a call: the slow path, and the fast path. */

#include "call.h"

#include <stdlib.h>

/* ---- One operand, and all operands ---- */

/* Returns whether `object` is this argument, or an item of this argument. */
static bool is_passed_as(const dlb_py_argument *array, PyObject *object)
{
    for (int64_t i = 0; array->items != NULL && i < array->count; i++) {
        if (array->items[i].source == object) {
            return true;
        }
    }
    for (int64_t i = 0; array->shares != NULL && i < array->count; i++) { /* then `made` is the tuple of items */
        if (PyTuple_GET_ITEM(array->made, i) == object) {
            return true;
        }
    }
    return array->source == object;
}

/* Checks that an object whose memory the call takes over or moves is passed only once. Returns 0, or -1 with a BufferError. */
static int check_once(const dlb_py_function *function, const dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];

        if ((operand->flags & DLB_PY_INVALIDATES) == 0 || arrays[i].source == NULL) {
            continue;
        }
        for (int k = 0; k < function->operand_count; k++) {
            if (k != i && is_passed_as(&arrays[k], arrays[i].source)) {
                (void)dlb_py_raise_message(PyExc_BufferError,
                                        "%s() argument '%s' %s the object of argument '%s', which the call takes over or moves: "
                                        "pass another object",
                                        function->name, dlb_py_operand_name(function, &function->operands[k]),
                                        arrays[k].source == arrays[i].source ? "is" : "has", dlb_py_operand_name(function, operand));
                return -1;
            }
        }
    }
    return 0;
}

/* Takes all operands of a call. Returns 0, or -1 with an exception; the caller then releases the arguments that were taken. */
static int take(const dlb_py_function *function, PyObject *self, PyObject *const *arguments, dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        PyObject *const value = operand->param < 0 ? self : arguments[operand->param];

        if (value != Py_None || ((operand->flags & DLB_PY_OPTIONAL) == 0 && operand->like == 0)) {
            arrays[i].source = value;
        }
    }
    if (dlb_py_take_foreign_arguments(function, arrays) != 0 || check_once(function, arrays) != 0) {
        return -1;
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        const bool imported = array->made != NULL && dlb_py_is_ours(array->made); /* otherwise `made` is the tuple of items */
        PyObject *const object = imported ? array->made : array->source;

        if (object != NULL && (imported || dlb_py_is_own_argument(operand, object)) &&
            dlb_py_take_own(function, arrays, operand, array, object) != 0) {
            return -1;
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];

        if (operand->like > 0 && arrays[i].source == NULL &&
            ((operand->flags & DLB_PY_AS_GIVEN) != 0 ? dlb_py_make_like_as_given(function, arguments, arrays, i)
                                                     : dlb_py_make_like(function, arrays, i)) != 0) {
            return -1;
        }
    }
    return 0;
}

int dlb_py_take_all(const dlb_py_function *function, PyObject *self, PyObject *const *arguments, dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        dlb_py_take_nothing_yet(&arrays[i]);
    }
    if (take(function, self, arguments, arrays) == 0) {
        return 0;
    }
    (void)dlb_py_release_arguments(function, arrays, NULL);
    return -1;
}

/* ---- The fast path ---- */

/* The results of dlb_py_borrow(), and of the functions of this file. */
enum { TAKEN = 0, NOT_TAKEN = 1, FAILED = -1 };

/* Sets `array->object` to a temporary struct for the borrowed array, or to its data. Returns false if the slow path must check the
 * array. */
static inline bool convert_fast(const dlb_py_operand *operand, dlb_py_argument *array)
{
    const dlb_type *const type = operand->type;

    if (type != NULL) {
        const int readonly = (array->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;

        array->object = type->import_fast(&array->borrowed, readonly, &array->storage);
        return array->object != NULL;
    }
    array->object = array->borrowed.data;
    if (!dlb_is_fast(operand->require, &array->borrowed)) {
        return false;
    }
    if ((operand->flags & DLB_PY_WRITES) != 0) {
        dlb_py_own_tensor(array);
    }
    return true;
}

/* Borrows the memory of an exact `bytes`, which is immutable, as one axis of uint8. This test is not in dlb_py_borrow(), where it would
 * slow down arrays. Returns TAKEN or NOT_TAKEN. */
static int borrow_bytes(PyObject *value, dlb_py_argument *array)
{
    char *data;
    Py_ssize_t size;

    if (!PyBytes_CheckExact(value) || PyBytes_AsStringAndSize(value, &data, &size) != 0) {
        return NOT_TAKEN;
    }
    array->axes[0] = size;
    array->axes[DLB_MAX_NDIM] = 1;
    array->borrowed = (DLTensor){data, DLB_CPU, 1, {kDLUInt, 8, 1}, array->axes, array->axes + DLB_MAX_NDIM, 0};
    array->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    return TAKEN;
}

/* Borrows one argument. `exclusive` says that it is the only operand, so that its exchange table may run foreign code. Returns TAKEN,
 * NOT_TAKEN, or FAILED with an exception. */
static inline DLB_ALWAYS_INLINE int borrow(dlb_py_state *state, const dlb_py_operand *operand, PyObject *value, bool exclusive,
                                           dlb_py_argument *array)
{
    const uint64_t refused = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
    const int result = dlb_py_borrow(state, value, exclusive ? operand : NULL, array);

    if (DLB_UNLIKELY(result != TAKEN) && (result == FAILED || borrow_bytes(value, array) != TAKEN)) {
        return result == NOT_TAKEN && dlb_py_copy_sequence(operand, value, array) ? TAKEN : result;
    }
    if ((operand->flags & DLB_PY_WRITES) != 0 && (array->flags & refused) != 0) {
        return NOT_TAKEN;
    }
    array->tensor = &array->borrowed;
    if (!convert_fast(operand, array)) {
        return NOT_TAKEN;
    }
    array->count = 0;
    array->owner = NULL;
    array->source = value;
    array->held = 0;
    return TAKEN;
}

/* Returns the value of an operand, borrowed. A missing argument counts as None. */
static inline PyObject *value_for(const dlb_py_operand *operand, PyObject *self, PyObject *const *arguments)
{
    PyObject *const value = operand->param < 0 ? self : arguments[operand->param];

    return value != NULL ? value : Py_None;
}

/* Allocates the outputs that are declared `like` another operand, after that operand is taken. On failure, releases all arguments and
 * returns FAILED with an exception. */
static int allocate_like_outputs(const dlb_py_function *function, dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        if (function->operands[i].like > 0 && arrays[i].source == NULL && dlb_py_make_like(function, arrays, i) != 0) {
            (void)dlb_py_release_arguments(function, arrays, NULL);
            return FAILED;
        }
    }
    return TAKEN;
}

static bool is_list_operand(const dlb_py_operand *operand, PyObject *value)
{
    return (operand->flags & DLB_PY_UNRETURNED) != 0 && (PyList_CheckExact(value) || PyTuple_CheckExact(value));
}

/* Takes a list of objects, for an operand that needs only their addresses, not objects by value. A short table of addresses lies in the
 * argument's storage. A longer one needs a block, which only the last list may hold. Returns TAKEN or NOT_TAKEN. */
static int take_list(const dlb_py_function *function, int index, PyObject *value, bool last, dlb_py_argument *arrays)
{
    enum { CAPACITY = DLB_PY_STORAGE / sizeof(void *) };
    const unsigned allowed_flags = DLB_PY_WRITES | DLB_PY_NUMBERS | DLB_PY_SETS | DLB_PY_OPTIONAL | DLB_PY_ITEMS | DLB_PY_UNRETURNED;
    const dlb_py_operand *const operand = &function->operands[index];
    dlb_py_argument *const array = &arrays[index];
    Py_ssize_t count;
    PyObject *const *const items = dlb_py_items_of(value, &count);
    void **pointers = (void **)(void *)array->storage.bytes;
    void *block = NULL;

    if (operand->type->value > 0) { /* the table has the objects themselves */
        return NOT_TAKEN;
    }
    if (items == NULL || (operand->count != 0 && count != operand->count) || (count > CAPACITY && !last)) {
        return NOT_TAKEN;
    }
    if (count > CAPACITY) {
        block = malloc((size_t)count * sizeof *pointers);
        if (block == NULL) {
            return NOT_TAKEN;
        }
        pointers = block;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!dlb_py_is_ready(operand, items[i], allowed_flags)) {
            free(block);
            return NOT_TAKEN;
        }
        pointers[i] = ((const dlb_py_object *)items[i])->object;
    }
    dlb_py_take_none(array);
    if (block != NULL) {
        dlb_py_hold_all(function, arrays);
        array->table = block;
    }
    array->object = pointers;
    array->count = count;
    array->source = value;
    return TAKEN;
}

/* Checks whether arrays that C writes to require grad, before any argument is borrowed. Returns TAKEN, NOT_TAKEN, or FAILED with an
 * exception. */
DLB_NOINLINE static int check_gradients(dlb_py_state *state, const dlb_py_function *function, PyObject *self,
                                        PyObject *const *arguments)
{
    int result = TAKEN;

    for (int i = 0; i < function->operand_count && result == TAKEN; i++) {
        const dlb_py_operand *const operand = &function->operands[i];

        if ((operand->flags & DLB_PY_WRITES) != 0 && dlb_py_takes_temporary(operand)) {
            result = dlb_py_check_gradient(state, value_for(operand, self, arguments));
        }
    }
    return result;
}

/* Takes all operands on the fast path. Returns TAKEN, NOT_TAKEN, or FAILED with an exception.
 *
 * An exchange table may run code that frees the memory of a NumPy array, or closes an object. NumPy arrays, objects and lists are
 * therefore taken after all tables. The first loop runs backwards because outputs mostly stand at the end: their gradients must be
 * checked before anything is borrowed. */
static int take_on_fast_path(dlb_py_state *state, const dlb_py_function *function, PyObject *self, PyObject *const *arguments,
                             dlb_py_argument *arrays)
{
    int ndarrays = 0;
    int own_objects = 0;
    int lists = 0;
    bool has_new_outputs = false;
    bool checked = false;

    for (int i = function->operand_count - 1; i >= 0; i--) {
        const dlb_py_operand *const operand = &function->operands[i];
        PyObject *const value = value_for(operand, self, arguments);

        if (dlb_py_is_ours(value)) {
            own_objects++;
        } else if (is_list_operand(operand, value)) {
            lists++;
        } else if (value == Py_None) {
            if ((operand->flags & DLB_PY_OPTIONAL) == 0 && operand->like == 0) {
                return NOT_TAKEN;
            }
            dlb_py_take_none(&arrays[i]);
            has_new_outputs = has_new_outputs || operand->like > 0;
        } else if (!dlb_py_takes_temporary(operand)) {
            if (!dlb_py_copy_sequence(operand, value, &arrays[i])) {
                return NOT_TAKEN;
            }
        } else if (dlb_py_is_plain_ndarray(state, value)) {
            ndarrays++;
        } else if (DLB_UNLIKELY((operand->flags & DLB_PY_WRITES) != 0 && !checked)) {
            const int result = check_gradients(state, function, self, arguments);

            if (result != TAKEN) {
                return result;
            }
            checked = true;
            ndarrays = own_objects = lists = 0;
            i = function->operand_count; /* borrow the arguments again: the gradient check ran foreign code */
        } else {
            const int result = borrow(state, operand, value, false, &arrays[i]);

            if (result != TAKEN) {
                return result;
            }
        }
    }
    for (int i = 0; ndarrays > 0 && i < function->operand_count; i++) {
        PyObject *const value = value_for(&function->operands[i], self, arguments);

        if (dlb_py_is_plain_ndarray(state, value)) {
            ndarrays--;
            if (borrow(state, &function->operands[i], value, false, &arrays[i]) != TAKEN) {
                return NOT_TAKEN;
            }
        }
    }
    for (int i = 0; own_objects > 0 && i < function->operand_count; i++) {
        PyObject *const value = value_for(&function->operands[i], self, arguments);

        if (dlb_py_is_ours(value)) {
            own_objects--;
            if (!dlb_py_take_object(&function->operands[i], value, &arrays[i])) {
                return NOT_TAKEN;
            }
        }
    }
    for (int i = 0; lists > 0 && i < function->operand_count; i++) {
        PyObject *const value = value_for(&function->operands[i], self, arguments);

        if (is_list_operand(&function->operands[i], value)) {
            lists--;
            if (has_new_outputs || take_list(function, i, value, lists == 0, arrays) != TAKEN) {
                return NOT_TAKEN;
            }
        }
    }
    return has_new_outputs ? allocate_like_outputs(function, arrays) : TAKEN;
}

/* Takes an object of the operand's class that the result keeps alive, with a share of its owner. Returns false if the slow path must
 * take it. */
static bool take_kept(const dlb_py_operand *operand, PyObject *value, dlb_py_argument *array)
{
    if (!dlb_py_is_ready(operand, value, DLB_PY_WRITES | DLB_PY_NUMBERS | DLB_PY_SETS | DLB_PY_KEPT | DLB_PY_REFERRED)) {
        return false;
    }
    dlb_py_take_none(array);
    array->object = dlb_py_data(value)->object;
    array->source = value;
    array->owner = dlb_py_data(value)->owner;
    array->held = DLB_PY_SHARE;
    dlb_owner_keep(array->owner);
    return true;
}

int dlb_py_take_fast(const dlb_py_function *function, PyObject *self, PyObject *const *arguments,
                        dlb_py_argument *arrays)
{
    dlb_py_state *const state = dlb_py_imported_state();
    int result;

    if (function->operand_count == 1 && (function->operands[0].flags & DLB_PY_KEPT) != 0 &&
        take_kept(&function->operands[0], value_for(&function->operands[0], self, arguments), arrays)) {
        return 0;
    }
    result = state != NULL ? take_on_fast_path(state, function, self, arguments, arrays) : FAILED;
    if (DLB_LIKELY(result == TAKEN)) {
        return 0;
    }
    return result == FAILED ? -1 : dlb_py_take_all(function, self, arguments, arrays);
}

int dlb_py_take_temporary(const dlb_py_function *function, PyObject *self, PyObject *const *arguments, PyObject *value,
                          dlb_py_argument *array)
{
    dlb_py_state *const state = dlb_py_imported_state();
    const int result = state != NULL ? borrow(state, &function->operands[0], value, true, array) : FAILED;

    if (DLB_LIKELY(result == TAKEN)) {
        return 0;
    }
    return result == FAILED ? -1 : dlb_py_take_all(function, self, arguments, array);
}
