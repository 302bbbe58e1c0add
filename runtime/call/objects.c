/* SPDX-License-Identifier: MIT-0 */
/* Takes objects of generated classes as arguments. The stream on which a function works depends on such objects. */

#include "call.h"

/* ---- Objects of generated classes ---- */

/* Sets the ValueError of a closed object. Returns -1. */
static int refuse_closed(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *object)
{
    if (operand->param < 0) {
        (void)dlb_py_closed(object);
    } else {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' is closed", function->name,
                                dlb_py_operand_name(function, operand));
    }
    return -1;
}

/* Refuses memory that the call invalidates, because it is used otherwise. Returns -1 with a BufferError. */
static int refuse_used(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_py_held *held)
{
    const char *const name = dlb_py_operand_name(function, operand);

    if (held->use == DLB_PY_IS_SUBOBJECT) { /* who else uses the memory is unknown here */
        (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s': it belongs to another object or to the library",
                                function->name, name);
    } else if (held->use == DLB_PY_IS_IMPORTED) { /* the library can neither move nor free this memory */
        (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s': its memory belongs to the array that it was made from",
                                function->name, name);
    } else {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s': its memory is in use: %lld exports, %lld objects made of it",
                                function->name, name, (long long)held->exports, (long long)held->holders);
    }
    return -1;
}

int dlb_py_take_external(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    dlb_py_held held;

    array->made = dlb_py_hold_external(operand->type, array->source, (operand->flags & DLB_PY_INVALIDATES) != 0, &held);
    if (array->made != NULL) {
        return 0;
    }
    if (PyErr_Occurred()) {
        return dlb_py_name_argument(function->name, dlb_py_operand_name(function, operand));
    }
    if (held.use == DLB_PY_IS_OTHER) {
        return dlb_py_refuse_argument(function, operand, array->source);
    }
    return held.use == DLB_PY_IS_CLOSED ? refuse_closed(function, operand, array->source) : refuse_used(function, operand, &held);
}

/* Foreign code may close the object before the call ends. Such code can run during deferred destruction, or when the result starts the
 * garbage collector. */
int dlb_py_share_own(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array, PyObject *object)
{
    DLB_PY_LOCK(object);
    array->owner = dlb_py_data(object)->owner;
    if (array->owner != NULL) {
        dlb_owner_keep(array->owner);
        array->shared = 1;
    }
    DLB_PY_UNLOCK();
    return array->owner != NULL ? 0 : refuse_closed(function, operand, object);
}

/* ---- The stream of the call ---- */

/* Takes an object on which the stream depends, as far as the stream needs it: its address, and a share, since code of a producer may close
 * the object. Returns 0, or -1 with an exception. */
static int take_for_stream(const dlb_py_function *function, dlb_py_argument *arrays, int index)
{
    const dlb_py_operand *const operand = &function->operands[index];
    dlb_py_argument *const array = &arrays[index];
    PyObject *object = array->source;
    int result = 1;

    if (object == NULL || array->shared) { /* None; or another array needed the stream before */
        return 0;
    }
    if (!dlb_py_is_own_argument(operand, object)) {
        if (array->made == NULL && operand->members != NULL) {
            result = dlb_py_take_members(function, operand, array);
        }
        if (array->made == NULL && result > 0) {
            result = operand->type->external != NULL ? dlb_py_take_external(function, operand, array)
                                                     : dlb_py_refuse_argument(function, operand, object);
        }
        if (array->made == NULL) {
            return -1;
        }
        object = array->made;
    }
    if (dlb_py_share_own(function, operand, array, object) != 0) {
        return -1;
    }
    array->object = dlb_owner_object(array->owner);
    return 0;
}

int dlb_py_stream_of_call(const dlb_py_function *function, dlb_py_argument *arrays, dlb_py_stream *stream, const dlb_py_stream **found)
{
    *found = NULL;
    if (DLB_LIKELY(function->stream == NULL)) {
        return 0;
    }
    for (int i = 0; i < function->operand_count; i++) {
        if ((function->operands[i].flags & DLB_PY_OF_STREAM) != 0 && take_for_stream(function, arrays, i) != 0) {
            return -1;
        }
    }
    *stream = (dlb_py_stream){function->stream(arrays), true};
    *found = stream;
    return 0;
}

/* ---- Memory of objects ---- */

/* Checks that no export and no other holder uses memory that the call invalidates, then prepares the owner for a move. The module of an
 * external class has checked that already. Returns 0, or -1 with a BufferError. */
static int check_exclusive(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_py_argument *array)
{
    dlb_py_held held;

    if ((operand->flags & DLB_PY_INVALIDATES) == 0 || operand->type->external != NULL) {
        return 0;
    }
    dlb_py_find_use(array->owner, array->shared, &held);
    if (held.use != DLB_PY_IS_FREE) {
        return refuse_used(function, operand, &held);
    }
    dlb_owner_mark_moved(array->owner);
    return 0;
}

/* Copies the tensor, its shape and its strides into `array`, because the caller's view ends before the call does. Returns the copy. */
static const DLTensor *copy_tensor(dlb_py_argument *array, const DLTensor *tensor)
{
    const size_t size = sizeof(int64_t) * (size_t)tensor->ndim;

    array->borrowed = *tensor;
    array->borrowed.shape = memcpy(array->axes, tensor->shape, size);
    array->borrowed.strides = memcpy(array->axes + DLB_MAX_NDIM, tensor->strides, size);
    return &array->borrowed;
}

/* Makes the data of an object ready for the stream of the function, or for the default stream. Returns 0, or -1 with an exception. */
static int sync_for_call(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                         const dlb_py_argument *array, DLDevice device)
{
    const dlb_py_stream *stream;
    dlb_py_stream storage;
    intptr_t number;
    dlb_error error;

    if (dlb_py_stream_of_call(function, arrays, &storage, &stream) != 0) {
        return -1;
    }
    if (dlb_py_stream_on(DLB_PY_NAMELESS, device.device_type, stream, &number) != 0) {
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    if (number != -1 && dlb_owner_sync(array->owner, number, &error) != 0) {
        (void)dlb_py_raise(&error);
        return dlb_py_explain(function, operand, array->owner->type->name);
    }
    return 0;
}

/* Converts an object of a generated class to the operand by its memory, like an array of any other producer. Returns 0, or -1 with an
 * exception. */
static int convert_own_object(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                              dlb_py_argument *array)
{
    const dlb_type *const type = array->owner->type;
    dlb_memory memory = {.tensor = NULL};
    dlb_error error;
    dlb_view view;

    if (type->describe == NULL) {
        return dlb_py_refuse_argument(function, operand, array->source);
    }
    if (operand->type == NULL && (operand->require == NULL || operand->require->dtype_count == 0) &&
        dlb_py_check_no_records(array->owner) != 0) { /* C that takes any dtype would get opaque handles */
        return dlb_py_explain(function, operand, type->name);
    }
    if (dlb_has_hooks(type) || type->sync != NULL) { /* the data exists only while the object is exported */
        if (dlb_export(array->owner, &array->versioned, &error) != 0) {
            (void)dlb_py_raise(&error);
            return dlb_py_explain(function, operand, type->name);
        }
        memory.tensor = &array->versioned->dl_tensor;
        memory.flags = array->versioned->flags;
        if (sync_for_call(function, arrays, operand, array, memory.tensor->device) != 0) {
            return -1;
        }
    } else {
        if (dlb_owner_view(array->owner, &view, &error) != 0) {
            (void)dlb_py_raise(&error);
            return dlb_py_explain(function, operand, type->name);
        }
        memory.tensor = copy_tensor(array, view.tensor);
        memory.flags = view.flags;
    }
    return dlb_py_convert(array, operand, &memory, &error) == 0 ? 0 : dlb_py_refuse(function, operand, &error);
}

/* Returns whether a call may get an object that cannot be described now, because the call may put the object into a valid state. The
 * operand must require nothing, and the object must be writable. */
static bool may_be_undescribed(const dlb_py_operand *operand, const dlb_owner *owner, const dlb_error *error)
{
    return error->status == DLB_BUFFER_ERROR && operand->require == NULL && (operand->flags & DLB_PY_DESCRIBED) == 0 &&
           (owner->flags & DLPACK_FLAG_BITMASK_READ_ONLY) == 0;
}

static int refuse_readonly(const dlb_py_function *function, const dlb_py_operand *operand)
{
    dlb_error error;

    (void)dlb_fail(&error, DLB_BUFFER_ERROR, ": the object is read-only, and must be writable");
    return dlb_py_refuse(function, operand, &error);
}

/* Describes an object of the operand's class, and checks the requirements on its tensor. Falls back to a copy where the operand allows
 * one. Returns 0, or -1 with an exception. */
static int describe_and_check(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand,
                              dlb_py_argument *array)
{
    const bool writes = (operand->flags & DLB_PY_WRITES) != 0;
    const dlb_requirements *const require = operand->require;
    dlb_error error;
    int readonly;

    if (dlb_owner_view(array->owner, &array->view, &error) != 0) {
        if (may_be_undescribed(operand, array->owner, &error)) {
            return 0;
        }
        (void)dlb_py_raise(&error);
        return dlb_py_explain(function, operand, array->owner->type->name);
    }
    array->view.name = "";
    array->tensor = array->view.tensor;
    array->flags = array->view.flags;
    readonly = (array->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    if (writes && readonly) {
        return refuse_readonly(function, operand);
    }
    if (require == NULL) {
        return 0;
    }
    if (dlb_check_request(require, array->tensor, "", &error) != 0) {
        return dlb_py_refuse(function, operand, &error);
    }
    dlb_normalise_strides(array->tensor, require->order);
    if (dlb_check_layout(require, array->tensor, readonly, "", &error) == 0) {
        return 0;
    }
    if (require->copy == DLB_COPY_NEVER || !dlb_can_be_temporary(operand->type) ||
        (operand->flags & (DLB_PY_KEPT | DLB_PY_INVALIDATES)) != 0) { /* these flags need the object itself, not a copy */
        return dlb_py_refuse(function, operand, &error);
    }
    return convert_own_object(function, arrays, operand, array);
}

/* Returns whether the call would change a const struct. An imported struct in its own storage is never const: only its data may be
 * read-only. */
static bool is_const(const dlb_py_operand *operand, const dlb_owner *owner)
{
    const unsigned changes = operand->type->describe == NULL ? DLB_PY_WRITES | DLB_PY_SETS : DLB_PY_SETS;
    const bool stored = dlb_owner_is_imported(owner) && operand->type->importer != NULL && operand->type->importer->box > 0;

    const bool readonly = owner->constness != DLB_NOT_CONST || (owner->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;

    return (operand->flags & changes) != 0 && readonly && !stored;
}

int dlb_py_take_own(const dlb_py_function *function, dlb_py_argument *arrays, const dlb_py_operand *operand, dlb_py_argument *array,
                    PyObject *object)
{
    if (!array->shared && dlb_py_share_own(function, operand, array, object) != 0) { /* else the stream depends on the object */
        return -1;
    }
    if (operand->type == NULL) {
        return convert_own_object(function, arrays, operand, array);
    }
    array->object = dlb_owner_object(array->owner);
    if (is_const(operand, array->owner)) {
        return refuse_readonly(function, operand);
    }
    if (((operand->flags & (DLB_PY_WRITES | DLB_PY_DESCRIBED)) != 0 || operand->require != NULL) &&
        operand->type->describe != NULL && describe_and_check(function, arrays, operand, array) != 0) {
        return -1;
    }
    DLB_CHECK(dlb_checked_passed(function, operand, array->owner));
    return check_exclusive(function, operand, array);
}
