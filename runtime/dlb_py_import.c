/* SPDX-License-Identifier: MIT-0 */
/* The consumer's side of the Python protocol (DLPack: Python specification; array API: from_dlpack). */
#include "dlb_py_internal.h"

#include <stdlib.h>

/* ---- Capsules ---- */

void dlb_py_delete_foreign(void *target)
{
    const dlb_py_foreign *const tensor = target;

    if (tensor->memory != NULL) {
        tensor->memory->let_go(tensor->memory->keeper);
    } else if (tensor->versioned != NULL && tensor->versioned->deleter != NULL) {
        tensor->versioned->deleter(tensor->versioned);
    } else if (tensor->legacy != NULL && tensor->legacy->deleter != NULL) {
        tensor->legacy->deleter(tensor->legacy);
    }
}

static int refuse_capsule(const char *name, PyObject *capsule)
{
    const char *const given = PyCapsule_GetName(capsule);

    if (given != NULL && (strcmp(given, "used_dltensor") == 0 || strcmp(given, "used_dltensor_versioned") == 0)) {
        PyErr_Format(PyExc_ValueError, "%s: this DLPack capsule has been consumed already", name);
    } else if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%s: a capsule named '%.100s' is no DLPack capsule", name,
                     given != NULL ? given : "NULL");
    }
    return -1;
}

/* Takes the tensor out of a capsule. From here on it is ours, and the capsule says so: whatever fails later, exactly one
 * side calls the deleter. 0, or -1 with an exception and an untouched capsule. */
static int consume_unlocked(const char *name, PyObject *capsule, dlb_py_foreign *tensor)
{
    const char *used = "used_dltensor_versioned";

    *tensor = (dlb_py_foreign){NULL, NULL, NULL};
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        tensor->versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    } else if (PyCapsule_IsValid(capsule, "dltensor")) {
        tensor->legacy = PyCapsule_GetPointer(capsule, "dltensor");
        used = "used_dltensor";
    } else {
        return refuse_capsule(name, capsule);
    }
    return PyCapsule_SetName(capsule, used);
}

int dlb_py_consume(const char *name, PyObject *capsule, dlb_py_foreign *tensor)
{
    int result;

    DLB_PY_LOCK(capsule); /* both may hold the same capsule */
    result = consume_unlocked(name, capsule, tensor);
    DLB_PY_UNLOCK();
    return result;
}

/* What is not imported in one step. */
DLB_APART static PyObject *import_closely(dlb_py_state *state, const dlb_type *type, dlb_py_foreign *tensor,
                                          dlb_py_given *given)
{
    dlb_py_draft draft;
    dlb_owner *owner;
    dlb_error error;
    int result;

    if (dlb_py_begin_in(state, &draft, type, NULL) != 0) {
        dlb_py_quietly(dlb_py_delete_foreign, tensor);
        return NULL;
    }
    if (tensor->memory != NULL) {
        result = dlb_import_memory(type, type->importer, tensor->memory, given->params, &owner, &error);
    } else if (tensor->versioned != NULL) {
        result = dlb_import_with(type, tensor->versioned, given->params, &owner, &error);
    } else {
        result = dlb_import_legacy_with(type, tensor->legacy, given->params, &owner, &error);
    }
    if (result != 0) {
        dlb_py_cancel(&draft);
        dlb_py_delete_foreign(tensor);
        return dlb_py_raise(&error);
    }
    if (given->texts != NULL) {
        dlb_py_keep_texts(owner, given->texts);
        given->texts = NULL;
    }
    return dlb_py_finish(&draft, owner);
}

/* An import of a plain type in one step; NULL, without an exception: the memory, still the caller's, must be looked at more
 * closely. */
DLB_APART static PyObject *import_usual(dlb_py_state *state, const dlb_type *type, const dlb_memory *memory)
{
    PyTypeObject *const cls = dlb_py_class_at_hand(state, type);
    dlb_owner *const owner = cls != NULL ? dlb_import_usual(type, memory) : NULL;
    dlb_py_object *self;

    if (DLB_UNLIKELY(owner == NULL)) {
        return NULL;
    }
    self = PyObject_New(dlb_py_object, cls);
    if (DLB_UNLIKELY(self == NULL)) {
        PyErr_Clear(); /* it will be raised again */
        dlb_owner_disown(owner);
        return NULL;
    }
    dlb_py_begin_object(self, state, type, false);
    dlb_py_give_owner(self, type, owner);
    return (PyObject *)self;
}

PyObject *dlb_py_import(dlb_py_state *state, const dlb_type *type, dlb_py_foreign *tensor, dlb_py_given *given)
{
    PyObject *made = NULL;

    if (type->import_usual == NULL) {
        return import_closely(state, type, tensor, given);
    }
    if (tensor->memory != NULL) {
        made = import_usual(state, type, tensor->memory);
    } else if (tensor->legacy != NULL) {
        made = import_usual(state, type,
                            &(dlb_memory){&tensor->legacy->dl_tensor, 0, tensor->legacy, dlb_end_legacy});
    } else if (tensor->versioned->version.major == DLB_VERSION_MAJOR) { /* else nothing more may be read */
        made = import_usual(state, type,
                            &(dlb_memory){&tensor->versioned->dl_tensor, tensor->versioned->flags, tensor->versioned,
                                          dlb_end_versioned});
    }
    return DLB_LIKELY(made != NULL) ? made : import_closely(state, type, tensor, given);
}

/* ---- Asking the producer ---- */

static bool mentions(const char *message, const char *part)
{
    return message != NULL && strstr(message, part) != NULL;
}

/* The pending exception is a TypeError about the arguments of the call: the producer does not know `max_version`. (One
 * raised by the producer's own code must reach the caller, and nothing else tells them apart.) */
static bool about_arguments(void)
{
    static const char *const signs[] = {"max_version", "takes no keyword arguments", "takes no arguments",
                                        "positional argument", "incompatible function arguments"};
    PyObject *type;
    PyObject *value;
    PyObject *traceback;
    PyObject *text;
    const char *message;
    bool result = false;

    if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
        return false;
    }
    PyErr_Fetch(&type, &value, &traceback);
    text = value != NULL ? PyObject_Str(value) : NULL;
    message = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        result = result || mentions(message, signs[i]);
    }
    Py_XDECREF(text);
    PyErr_Restore(type, value, traceback); /* what failed meanwhile is dropped with it */
    return result;
}

/* x.__dlpack__(), with or without max_version=(1, 3). */
static PyObject *call(const dlb_py_state *state, PyObject *producer, bool keyword)
{
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030C0000
    PyObject *const method = PyObject_GetAttr(producer, state->names[DLB_PY_DLPACK]);
    PyObject *result;

    if (method == NULL) {
        return NULL;
    }
    result = PyObject_Call(method, state->no_arguments, keyword ? state->ask_keywords : NULL);
    Py_DECREF(method);
    return result;
#else
    PyObject *const args[2] = {producer, state->ask_version};

    return PyObject_VectorcallMethod(state->names[DLB_PY_DLPACK], args, 1, keyword ? state->ask_names : NULL);
#endif
}

/* The traceback may hold a foreign capsule, which must not end with another exception pending. */
static void drop_exception(PyObject *type, PyObject *value, PyObject *traceback)
{
    PyObject *const held[] = {type, value, traceback};

    for (size_t i = 0; i < 3; i++) {
        if (held[i] != NULL) {
            dlb_py_quietly(dlb_py_decref, held[i]);
        }
    }
}

/* x.__dlpack__(max_version=(1, 3)), and without the keyword for producers that do not know it; if that fails for its
 * arguments as well, the first exception tells more. */
static PyObject *ask(const dlb_py_state *state, PyObject *producer)
{
    PyObject *capsule = call(state, producer, true);
    PyObject *type;
    PyObject *value;
    PyObject *traceback;

    if (capsule != NULL || !about_arguments()) {
        return capsule;
    }
    PyErr_Fetch(&type, &value, &traceback);
    capsule = call(state, producer, false);
    if (capsule == NULL && about_arguments()) {
        PyErr_Clear(); /* its traceback may hold a foreign capsule, which must not end with the other one pending */
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    drop_exception(type, value, traceback);
    return capsule;
}

bool dlb_py_lacks_dlpack(const dlb_py_state *state, PyObject *producer)
{
    PyObject *type;
    PyObject *value;
    PyObject *traceback;

    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return false;
    }
    PyErr_Fetch(&type, &value, &traceback);
    if (PyObject_HasAttr(producer, state->names[DLB_PY_DLPACK])) {
        PyErr_Restore(type, value, traceback);
        return false;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return true;
}

static void refuse_answer(const char *name, PyObject *producer, PyObject *answer)
{
    PyObject *const of = dlb_py_type_name(producer);
    PyObject *const returned = dlb_py_type_name(answer);

    if (of != NULL && returned != NULL) {
        PyErr_Format(PyExc_TypeError, "%s: __dlpack__() of '%U' returned '%U', not a capsule", name, of, returned);
    }
    Py_XDECREF(of);
    Py_XDECREF(returned);
}

int dlb_py_ask(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor)
{
    PyObject *const capsule = ask(state, producer);
    int consumed;

    if (capsule == NULL) {
        return -1;
    }
    if (!PyCapsule_CheckExact(capsule)) {
        refuse_answer(name, producer, capsule);
        dlb_py_quietly(dlb_py_decref, capsule); /* it may hold one */
        return -1;
    }
    consumed = dlb_py_consume(name, capsule, tensor);
    dlb_py_quietly(dlb_py_decref, capsule); /* its destructor is foreign */
    return consumed;
}

static PyObject *from_call(dlb_py_state *state, const dlb_type *type, PyObject *producer, dlb_py_given *given)
{
    dlb_py_foreign tensor;

    if (dlb_py_ask(state, type->name, producer, &tensor) != 0) {
        if (dlb_py_lacks_dlpack(state, producer)) {
            (void)dlb_py_wrong_type("%s: from_dlpack() takes an object with __dlpack__() or a buffer, not '%U'",
                                    type->name, producer);
        }
        return NULL;
    }
    return dlb_py_import(state, type, &tensor, given);
}

int dlb_py_ask_table(const dlb_py_kind *kind, const char *name, PyObject *producer, dlb_py_foreign *tensor)
{
    *tensor = (dlb_py_foreign){NULL, NULL, NULL};
    if (kind->api->managed_tensor_from_py_object_no_sync(producer, &tensor->versioned) != 0 ||
        tensor->versioned == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_RuntimeError, "%s: the exchange table of %R failed without an exception", name,
                         (PyObject *)Py_TYPE(producer));
        }
        return -1;
    }
    if (kind->dlpack && tensor->versioned->version.major == DLB_VERSION_MAJOR && /* else nothing more may be read */
        !dlb_py_says_enough(&tensor->versioned->dl_tensor)) {
        dlb_py_delete_foreign(tensor);
        return 1;
    }
    return 0;
}

static PyObject *from_table(dlb_py_state *state, const dlb_type *type, PyObject *producer,
                            const dlb_py_kind *kind, dlb_py_given *given)
{
    dlb_py_foreign tensor;
    const int result = dlb_py_ask_table(kind, type->name, producer, &tensor);

    if (result < 0) {
        return NULL;
    }
    return result == 0 ? dlb_py_import(state, type, &tensor, given) : from_call(state, type, producer, given);
}

/* An array of numpy.ndarray itself, which is kept as the tensor of its __dlpack__() would keep it. `*read`: its struct says all;
 * not so what an array shows that came in by DLPack, perhaps from memory of the host that is a device's. */
static PyObject *from_ndarray(dlb_py_state *state, const dlb_type *type, PyObject *producer, dlb_py_given *given,
                              bool *read)
{
    int64_t axes[2 * DLB_MAX_NDIM];
    DLTensor tensor;
    dlb_memory memory = {&tensor, 0, NULL, dlb_py_guard_let_go};
    dlb_py_foreign from = {NULL, NULL, &memory};

    *read = !DLB_PY_FREE_THREADED && dlb_py_read_ndarray(state, producer, &tensor, &memory.flags, axes) &&
            (PyObject *)Py_TYPE(producer) == state->ndarray_type && !dlb_py_is_ndarray_of_capsule(state, producer);
    if (!*read) {
        return NULL;
    }
    memory.keeper = dlb_py_guard_new(state, producer);
    return memory.keeper != NULL ? dlb_py_import(state, type, &from, given) : NULL;
}

/* Another object of ours, of which other exports live, or which is not described in one step. */
DLB_APART static PyObject *from_own_closely(const dlb_type *type, PyObject *producer, dlb_py_given *given)
{
    dlb_py_foreign tensor = {NULL, NULL, NULL};
    dlb_owner *const owner = dlb_py_enter(producer);
    dlb_error error;

    if (owner == NULL) {
        return NULL;
    }
    if (dlb_export(owner, &tensor.versioned, &error) != 0) {
        return dlb_py_raise(&error);
    }
    return dlb_py_import(dlb_py_data(producer)->state, type, &tensor, given);
}

/* Another object of ours, for whose data nobody must wait. Its owner is kept as by an export in its slot, but for the managed
 * tensor, which nobody would see. */
static PyObject *from_own(const dlb_type *type, PyObject *producer, dlb_py_given *given)
{
    dlb_owner *const owner = dlb_py_data(producer)->owner;
    DLTensor *slot;
    dlb_memory memory;
    int flags;

    if (DLB_UNLIKELY(DLB_PY_FREE_THREADED || owner == NULL)) {
        return from_own_closely(type, producer, given);
    }
    slot = &owner->slot.versioned.dl_tensor;
    flags = dlb_describe_alone(owner, slot);
    if (DLB_UNLIKELY(flags < 0)) {
        return from_own_closely(type, producer, given);
    }
    memory = (dlb_memory){slot, (uint64_t)flags | owner->flags, owner, dlb_owner_end_export};
    return dlb_py_import(dlb_py_data(producer)->state, type, &(dlb_py_foreign){NULL, NULL, &memory}, given);
}

static PyObject *from_producer(const dlb_type *type, PyObject *producer, dlb_py_given *given)
{
    dlb_py_foreign tensor;
    dlb_py_state *state;
    dlb_py_kind kind;
    PyObject *made;
    bool read;

    if (dlb_py_is_ours(producer) && !dlb_py_data(producer)->shares) {
        return from_own(type, producer, given);
    }
    state = dlb_py_get_state();
    if (state == NULL) {
        return NULL;
    }
    if (PyCapsule_CheckExact(producer)) {
        return dlb_py_consume(type->name, producer, &tensor) == 0 ? dlb_py_import(state, type, &tensor, given) : NULL;
    }
    if (dlb_py_kind_of(state, Py_TYPE(producer), &kind) != 0) {
        return NULL;
    }
    if (kind.api != NULL && kind.api->managed_tensor_from_py_object_no_sync != NULL) {
        return from_table(state, type, producer, &kind, given);
    }
    if (kind.ndarray) {
        made = from_ndarray(state, type, producer, given, &read);
        if (read) {
            return made;
        }
    }
    if (!kind.dlpack && PyObject_CheckBuffer(producer)) {
        return dlb_py_from_buffer(state, type, producer, given);
    }
    return from_call(state, type, producer, given);
}

PyObject *dlb_py_from_dlpack(const dlb_type *type, PyObject *producer)
{
    dlb_py_given given = {NULL, NULL};

    return from_producer(type, producer, &given);
}

PyObject *dlb_py_from_dlpack_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const dlb_py_call call = {"from_dlpack", args, nargs, kwnames, true};
    const dlb_maker *const maker = type->importer;
    PyObject *result = NULL;
    dlb_py_given given = {NULL, NULL};
    dlb_py_values values;
    void *params;

    if (nargs != 1) {
        PyErr_Format(PyExc_TypeError, "from_dlpack() takes exactly 1 positional argument (%zd given)", nargs);
        return NULL;
    }
    params = dlb_py_room(&values, maker->params_size, maker->defaults);
    if (params != NULL && dlb_py_parse(&call, maker->params, maker->param_count, params) == 0 &&
        dlb_py_copy_texts(maker->params, maker->param_count, params, &given.texts) == 0) {
        given.params = params;
        result = from_producer(type, args[0], &given);
        free(given.texts);
    }
    dlb_py_room_end(&values);
    return result;
}
