/* SPDX-License-Identifier: MIT-0 */
/* Arrays and objects among the arguments of a call: taken before it.
 *
 * First come those that are not ours, since asking them runs foreign code, which may close an object of ours; then
 * ours, then those that are made because none was given. */
#include "dlb_py_call.h"

/* ---- Objects of ours ---- */

static int refuse_closed(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *object)
{
    if (operand->param < 0) {
        (void)dlb_py_closed(object);
    } else {
        PyErr_Format(PyExc_ValueError, "%s() argument '%s' is closed", function->name,
                     dlb_py_operand_name(function, operand));
    }
    return -1;
}

/* Nobody else may use what the call invalidates. */
static int check_alone(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_py_argument *array)
{
    const int64_t exports = dlb_owner_exports(array->owner);
    const int64_t holders = dlb_owner_holders(array->owner) - 1 - array->shared;

    if ((operand->flags & DLB_PY_INVALIDATES) == 0) {
        return 0;
    }
    if (dlb_owner_is_within(array->owner)) { /* whose memory it is, and who uses that, is not known here */
        PyErr_Format(PyExc_BufferError, "%s() argument '%s': it lives in another object", function->name,
                     dlb_py_operand_name(function, operand));
        return -1;
    }
    if (array->owner->foreign) { /* which the library can neither move nor free */
        PyErr_Format(PyExc_BufferError, "%s() argument '%s': its memory is that of the array that it was made from",
                     function->name, dlb_py_operand_name(function, operand));
        return -1;
    }
    if (exports == 0 && holders == 0) {
        return 0;
    }
    PyErr_Format(PyExc_BufferError, "%s() argument '%s': its memory is in use: %lld exports, %lld objects made of it",
                 function->name, dlb_py_operand_name(function, operand), (long long)exports, (long long)holders);
    return -1;
}

/* The tensor, with its axes, in what lives as long as the argument. */
static const DLTensor *keep_tensor(dlb_py_argument *array, const DLTensor *tensor)
{
    const size_t size = sizeof(int64_t) * (size_t)tensor->ndim;

    array->borrowed = *tensor;
    array->borrowed.shape = memcpy(array->axes, tensor->shape, size);
    array->borrowed.strides = memcpy(array->axes + DLB_MAX_NDIM, tensor->strides, size);
    return &array->borrowed;
}

/* An own object whose memory is shown as a tensor, as that of any producer is. */
static int show_own(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    const dlb_type *const type = array->owner->type;
    dlb_memory memory = {NULL, 0, NULL, NULL};
    dlb_error error;
    dlb_view view;

    if (type->describe == NULL) {
        return dlb_py_refuse_argument(function, operand, array->giver);
    }
    if (dlb_is_special(type) || type->sync != NULL) { /* its data is there while it is exported */
        if (dlb_export(array->owner, &array->versioned, &error) != 0) {
            (void)dlb_py_raise(&error);
            return dlb_py_explain(function, operand, type->name);
        }
        memory.tensor = &array->versioned->dl_tensor;
        memory.flags = array->versioned->flags;
        if (dlb_owner_sync(array->owner, dlb_py_default_stream(memory.tensor->device.device_type), &error) != 0) {
            (void)dlb_py_raise(&error);
            return dlb_py_explain(function, operand, type->name);
        }
    } else {
        if (dlb_owner_view(array->owner, &view, &error) != 0) {
            (void)dlb_py_raise(&error);
            return dlb_py_explain(function, operand, type->name);
        }
        memory.tensor = keep_tensor(array, view.tensor);
        memory.flags = view.flags;
    }
    return dlb_py_show(array, operand, &memory, &error) == 0 ? 0 : dlb_py_refuse(function, operand, &error);
}

/* An object of the operand's class, of which more is to be known than its address. */
static int look_at(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    const bool writes = (operand->flags & DLB_PY_WRITES) != 0;
    const dlb_maker *const require = operand->require;
    dlb_error error;
    int readonly;

    if (dlb_owner_view(array->owner, &array->view, &error) != 0) {
        (void)dlb_py_raise(&error);
        return dlb_py_explain(function, operand, array->owner->type->name);
    }
    array->view.name = "";
    array->tensor = array->view.tensor;
    array->flags = array->view.flags;
    readonly = (array->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    if (writes && readonly) {
        (void)dlb_fail(&error, DLB_BUFFER_ERROR, ": the object is read-only, and must be writable");
        return dlb_py_refuse(function, operand, &error);
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
    if (require->copy == DLB_COPY_NEVER || !dlb_can_lend(operand->type) ||
        (operand->flags & (DLB_PY_KEPT | DLB_PY_INVALIDATES)) != 0) { /* which want the object itself */
        return dlb_py_refuse(function, operand, &error);
    }
    return show_own(function, operand, array);
}

/* `array->giver`, or what was made of it, is an object of ours. It is shared: looking at others may finish what waits for this
 * thread, and the result may start the collector; either may close it. */
static int take_own(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array,
                    PyObject *object)
{
    DLB_PY_LOCK(object);
    array->owner = dlb_py_data(object)->owner;
    if (array->owner != NULL) {
        dlb_owner_keep(array->owner);
        array->shared = 1;
    }
    DLB_PY_UNLOCK();
    if (array->owner == NULL) {
        return refuse_closed(function, operand, object);
    }
    if (operand->type == NULL) {
        return show_own(function, operand, array);
    }
    array->object = dlb_owner_object(array->owner);
    if (((operand->flags & (DLB_PY_WRITES | DLB_PY_SHOWN)) != 0 || operand->require != NULL) &&
        operand->type->describe != NULL && look_at(function, operand, array) != 0) {
        return -1;
    }
    return check_alone(function, operand, array);
}

/* ---- What is not ours ---- */

/* Whether the operand takes it as it is: an object of its class or, as a tensor, of any class of ours. */
static bool is_own(const dlb_py_operand *operand, PyObject *value)
{
    return dlb_py_is_ours(value) && (operand->type == NULL || dlb_py_data(value)->type == operand->type);
}

/* The array must outlive the call, or the library must be told when it ends: it becomes an object of Python. */
static int import_object(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    if (!dlb_py_may_be_array(array->giver)) {
        return dlb_py_refuse_argument(function, operand, array->giver);
    }
    array->made = dlb_py_class_from_dlpack(operand->type, array->giver);
    return array->made != NULL ? 0 : dlb_py_explain(function, operand, operand->type->name);
}

/* What the function writes may go to a copy, and is to be written back to what the argument shows. */
static bool may_write_back(const dlb_py_operand *operand)
{
    const dlb_maker *const importer = operand->type != NULL ? operand->type->importer : NULL;

    return (operand->flags & DLB_PY_WRITES) != 0 && ((importer != NULL && importer->copy != DLB_COPY_NEVER) ||
                                                    (operand->require != NULL && operand->require->copy != DLB_COPY_NEVER));
}

/* What is only lent may be gone: other code of Python runs before the call or during it, or the argument is to be looked at
 * once more after it. */
static bool must_own(const dlb_py_function *function, const dlb_py_operand *operand)
{
    return function->releases || DLB_PY_FREE_THREADED || (operand->flags & DLB_PY_ITEMS) != 0 ||
           may_write_back(operand);
}

static bool must_import(const dlb_py_operand *operand)
{
    return operand->type != NULL && ((operand->flags & DLB_PY_KEPT) != 0 || !dlb_can_lend(operand->type) ||
                                     operand->type->importer->box > DLB_PY_ROOM);
}

static bool is_lent(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    return !must_own(function, operand) && !must_import(operand) && dlb_py_lends(value);
}

static int show(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_memory *memory,
                dlb_py_argument *array)
{
    dlb_error error;

    return dlb_py_show(array, operand, memory, &error) == 0 ? 0 : dlb_py_refuse(function, operand, &error);
}

static int take_foreign(const dlb_py_function *function, const dlb_py_operand *operand, bool owned, dlb_py_argument *array)
{
    dlb_memory memory;
    int result;

    if (operand->type != NULL && (operand->type->importer == NULL || (operand->flags & DLB_PY_INVALIDATES) != 0)) {
        return dlb_py_refuse_argument(function, operand, array->giver);
    }
    if (must_import(operand)) {
        return import_object(function, operand, array);
    }
    result = dlb_py_obtain(array, array->giver, owned, array->axes, &memory);
    if (result < 0) {
        return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    if (result > 0) {
        if ((operand->flags & DLB_PY_NUMBERS) == 0 || !PySequence_Check(array->giver) ||
            PyUnicode_Check(array->giver)) {
            return dlb_py_refuse_argument(function, operand, array->giver);
        }
        result = dlb_py_take_numbers(function, operand, array);
        return result == 0 ? 0 : dlb_py_explain(function, operand, DLB_PY_NAMELESS);
    }
    return show(function, operand, &memory, array);
}

/* ---- What is made, because none was given ---- */

static int make_like(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_py_argument *like,
                     dlb_py_argument *array)
{
    const dlb_type *const type = operand->type;
    dlb_py_draft draft;
    dlb_owner *owner;
    dlb_error error;

    if (like->tensor == NULL) { /* None */
        return dlb_py_refuse_argument(function, operand, Py_None);
    }
    if (dlb_py_begin(&draft, type, NULL) != 0) {
        return -1;
    }
    if (dlb_allocate(type, like->tensor, &owner, &error) != 0) {
        dlb_py_cancel(&draft);
        (void)dlb_py_raise(&error);
        return dlb_py_explain(function, operand, type->name);
    }
    array->made = dlb_py_finish(&draft, owner);
    array->giver = array->made;
    return take_own(function, operand, array, array->made);
}

/* ---- One operand, all of them ---- */

static void clear(dlb_py_argument *array)
{
    dlb_py_take_none(array);
    array->held = 1;
    array->made = NULL;
    array->shared = 0;
    array->waiting = 0;
    array->copied = 0;
    array->copy = NULL;
    array->items = NULL;
    array->versioned = NULL;
    array->legacy = NULL;
    array->buffer.obj = NULL;
    array->lent = NULL;
}

int dlb_py_take_item(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value,
                     dlb_py_argument *array)
{
    clear(array);
    array->giver = value;
    if (!is_own(operand, value) && take_foreign(function, operand, must_own(function, operand), array) != 0) {
        return -1;
    }
    if (array->object != NULL || array->tensor != NULL) {
        return 0;
    }
    return take_own(function, operand, array, array->made != NULL ? array->made : value);
}

/* Whether the argument is an object of ours, not a sequence of such. */
static bool is_own_argument(const dlb_py_operand *operand, PyObject *value)
{
    return (operand->flags & DLB_PY_ITEMS) == 0 && is_own(operand, value);
}

/* Borrows what waits for it. One that must be asked instead may end what the others lend: then they are borrowed again. */
static int borrow_all(const dlb_py_function *function, dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        int result;

        if (!array->waiting) {
            continue;
        }
        result = dlb_py_borrow(array, array->giver);
        if (result < 0) {
            return dlb_py_explain(function, operand, DLB_PY_NAMELESS);
        }
        if (result > 0) {
            array->waiting = 0;
            if (take_foreign(function, operand, true, array) != 0) {
                return -1;
            }
            i = -1;
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_memory memory = {&arrays[i].borrowed, arrays[i].flags, NULL, NULL};

        if (arrays[i].waiting && show(function, &function->operands[i], &memory, &arrays[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Takes what is not ours. Asking for one may run code that ends what another one has lent: what is lent comes last. */
static int take_others(const dlb_py_function *function, dlb_py_argument *arrays)
{
    int waiting = 0;

    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        int result = 0;

        if (array->giver == NULL || is_own_argument(operand, array->giver)) {
            continue;
        }
        if ((operand->flags & DLB_PY_ITEMS) != 0) {
            result = dlb_py_take_items(function, operand, array);
        } else if (function->operand_count > 1 && is_lent(function, operand, array->giver)) {
            array->waiting = 1;
            waiting = 1;
        } else {
            result = take_foreign(function, operand, function->operand_count > 1 || must_own(function, operand), array);
        }
        if (result != 0) {
            return -1;
        }
    }
    return waiting ? borrow_all(function, arrays) : 0;
}

/* What the call invalidates is not given to it a second time. */
static int check_once(const dlb_py_function *function, const dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        for (int j = 0; (function->operands[i].flags & DLB_PY_INVALIDATES) != 0 && j < function->operand_count; j++) {
            if (i != j && arrays[i].giver != NULL && arrays[i].giver == arrays[j].giver) {
                PyErr_Format(PyExc_BufferError, "%s() argument '%s': its memory is in use: it is given as '%s' too",
                             function->name, dlb_py_operand_name(function, &function->operands[i]),
                             dlb_py_operand_name(function, &function->operands[j]));
                return -1;
            }
        }
    }
    return 0;
}

static int take(const dlb_py_function *function, PyObject *self, PyObject *const *given, dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        PyObject *const value = operand->param < 0 ? self : given[operand->param];

        if (value != Py_None || ((operand->flags & DLB_PY_OPTIONAL) == 0 && operand->like == 0)) {
            arrays[i].giver = value;
        }
    }
    if (take_others(function, arrays) != 0) {
        return -1;
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];
        dlb_py_argument *const array = &arrays[i];
        PyObject *const object = array->made != NULL ? array->made : array->giver;

        if (object != NULL && is_own_argument(operand, object) && take_own(function, operand, array, object) != 0) {
            return -1;
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        const dlb_py_operand *const operand = &function->operands[i];

        if (operand->like > 0 && arrays[i].giver == NULL &&
            make_like(function, operand, &arrays[operand->like - 1], &arrays[i]) != 0) {
            return -1;
        }
    }
    return check_once(function, arrays);
}

int dlb_py_take_all(const dlb_py_function *function, PyObject *self, PyObject *const *given, dlb_py_argument *arrays)
{
    for (int i = 0; i < function->operand_count; i++) {
        clear(&arrays[i]);
    }
    if (take(function, self, given, arrays) == 0) {
        return 0;
    }
    (void)dlb_py_end_all(function, arrays, NULL);
    return -1;
}
