/* SPDX-License-Identifier: MIT-0 */
/* Calls of producers for their arrays, by __dlpack__() or by the exchange table, and the capsules that __dlpack__() returns (DLPack:
 * Python specification). */
#include "dlb_py_internal.h"

/* ---- Capsules ---- */

void dlb_py_delete_foreign(const dlb_py_foreign *tensor)
{
    if (tensor->versioned != NULL) {
        dlb_py_end_versioned(tensor->versioned);
    } else if (tensor->legacy != NULL) {
        dlb_py_end_legacy(tensor->legacy);
    }
}

/* Deletes a dlb_py_foreign; a callback of dlb_py_quietly(). */
static void delete_foreign(void *target)
{
    dlb_py_delete_foreign(target);
}

/* Raises a ValueError for a consumed capsule, or a TypeError for a capsule without a DLPack tensor. Returns -1. */
static int refuse_capsule(const char *name, PyObject *capsule)
{
    const char *const given = PyCapsule_GetName(capsule);

    if (given != NULL && (strcmp(given, "used_dltensor") == 0 || strcmp(given, "used_dltensor_versioned") == 0)) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: this DLPack capsule has been consumed already", name);
    } else if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%s: a capsule named '%.100s' is not a DLPack capsule", name,
                     given != NULL ? given : "NULL");
    }
    return -1;
}

/* Takes the tensor out of a capsule, and renames the capsule as consumed. Returns 0, or -1 with an exception and an unchanged capsule.
 * After success the caller owns the tensor, so exactly one side calls the deleter, even if a later step fails. */
static int consume_unlocked(const char *name, PyObject *capsule, dlb_py_foreign *tensor)
{
    const char *used = "used_dltensor_versioned";

    *tensor = (dlb_py_foreign){NULL, NULL, NULL, false};
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

    DLB_PY_LOCK(capsule); /* two threads may consume the same capsule */
    result = consume_unlocked(name, capsule, tensor);
    DLB_PY_UNLOCK();
    return result;
}

/* ---- Producers ---- */

static bool message_contains(const char *message, const char *part)
{
    return message != NULL && strstr(message, part) != NULL;
}

/* Returns whether the pending exception is a TypeError about the arguments of the call, so that the producer does not know
 * `max_version`. Only the message tells it from a TypeError of the producer's own code, which must reach the caller. */
static bool about_arguments(void)
{
    static const char *const signs[] = {"max_version", "takes no keyword arguments", "takes no arguments",
                                        "takes at most 0 keyword arguments", "did not match C++ signature",
                                        "positional argument", "incompatible function arguments"};
    dlb_py_exception pending;
    PyObject *text;
    const char *message;
    bool result = false;

    if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
        return false;
    }
    pending = dlb_py_fetch();
    text = pending.value != NULL ? PyObject_Str(pending.value) : NULL;
    message = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        result = result || message_contains(message, signs[i]);
    }
    Py_XDECREF(text);
    dlb_py_restore(&pending);
    return result;
}

/* Calls producer.__dlpack__(), with max_version=(1, 3) if `keyword`. Returns a new reference, or NULL with an exception. */
static PyObject *call_once(const dlb_py_state *state, PyObject *producer, bool keyword)
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

/* Calls producer.__dlpack__(max_version=(1, 3)), and again without the keyword if the producer does not know it. If the second call
 * fails for its arguments as well, the first exception is raised, since it is more specific. Returns a new reference, or NULL. */
static PyObject *call_dlpack(const dlb_py_state *state, PyObject *producer)
{
    PyObject *capsule = call_once(state, producer, true);
    dlb_py_exception first;

    if (capsule != NULL || !about_arguments()) {
        return capsule;
    }
    first = dlb_py_fetch();
    capsule = call_once(state, producer, false);
    if (capsule == NULL && about_arguments()) {
        dlb_py_restore(&first);
        return NULL;
    }
    dlb_py_forget_exception(&first);
    return capsule;
}

bool dlb_py_has_dlpack(const dlb_py_state *state, PyObject *object)
{
    PyObject *const method = PyObject_GetAttr(object, state->names[DLB_PY_DLPACK]);
    const bool has = method != NULL && method != Py_None;

    PyErr_Clear();
    Py_XDECREF(method);
    return has;
}

/* Returns whether the attribute __dlpack__ of the object is None. The attribute of its type can differ. */
static bool has_none(const dlb_py_state *state, PyObject *producer)
{
    PyObject *const method = PyObject_GetAttr(producer, state->names[DLB_PY_DLPACK]);
    const bool none = method == Py_None;

    PyErr_Clear();
    Py_XDECREF(method);
    return none;
}

bool dlb_py_lacks_dlpack(const dlb_py_state *state, PyObject *producer)
{
    const bool called = PyErr_ExceptionMatches(PyExc_TypeError); /* a call of None raises a TypeError */
    dlb_py_exception pending;

    if (!called && !PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return false;
    }
    pending = dlb_py_fetch();
    if (called ? !has_none(state, producer)
               : dlb_py_has_dlpack(state, (PyObject *)Py_TYPE(producer)) || /* a property raised the AttributeError */
                 dlb_py_has_dlpack(state, producer)) {
        dlb_py_restore(&pending);
        return false;
    }
    dlb_py_forget_exception(&pending);
    return true;
}

/* Raises a TypeError: __dlpack__() of `producer` returned `answer`, which is not a capsule. */
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

/* Sets `*readonly` for a legacy tensor, since the struct before DLPack 1.0 has no flag for it. A buffer of the producer decides, if it
 * shows the same memory. The second request is without a format, since some dtypes have none. Memory counts as read-only if the producer
 * supports buffers but refuses both requests, or if it supports Arrow. Returns 0, or -1 with an exception that must reach the caller. */
static int find_readonly(PyObject *producer, const DLTensor *tensor, bool *readonly)
{
    Py_buffer buffer;

    if (!PyObject_CheckBuffer(producer)) { /* memory that Arrow shares is immutable */
        const int arrow = dlb_py_has(producer, "__arrow_c_array__");

        *readonly = arrow != 0; /* if the lookup fails, assume read-only memory */
        return arrow >= 0 || dlb_py_may_try_another() ? 0 : -1;
    }
    if (PyObject_GetBuffer(producer, &buffer, PyBUF_FULL_RO) != 0 &&
        (!dlb_py_may_try_another() || PyObject_GetBuffer(producer, &buffer, PyBUF_STRIDES) != 0)) {
        *readonly = true;
        return !PyErr_Occurred() || dlb_py_may_try_another() ? 0 : -1;
    }
    *readonly = buffer.readonly && (uintptr_t)buffer.buf == (uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset;
    dlb_py_release_buffer(&buffer);
    return 0;
}

int dlb_py_ask(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor)
{
    PyObject *const capsule = call_dlpack(state, producer);
    int consumed;

    if (capsule == NULL) {
        return -1;
    }
    if (!PyCapsule_CheckExact(capsule)) {
        refuse_answer(name, producer, capsule);
        dlb_py_quietly(dlb_py_decref, capsule); /* the foreign object may run code when it is destroyed */
        return -1;
    }
    consumed = dlb_py_consume(name, capsule, tensor);
    dlb_py_quietly(dlb_py_decref, capsule); /* its destructor is foreign code */
    if (consumed == 0 && tensor->legacy != NULL &&
        find_readonly(producer, &tensor->legacy->dl_tensor, &tensor->readonly) != 0) {
        dlb_py_quietly(delete_foreign, tensor);
        return -1;
    }
    return consumed;
}

int dlb_py_requires_grad(const dlb_py_state *state, PyObject *producer)
{
    PyObject *const value = PyObject_GetAttr(producer, state->names[DLB_PY_REQUIRES_GRAD]);
    int result = -1;

    if (value != NULL) {
        result = PyObject_IsTrue(value);
        Py_DECREF(value);
    }
    return result < 0 && dlb_py_may_try_another() ? 1 : result;
}

int dlb_py_table_failed(const dlb_py_producer *kind, const char *name, PyObject *producer)
{
    if (kind->dlpack && PyErr_Occurred() == PyExc_RuntimeError) { /* __dlpack__() explains it better; subclasses stay */
        PyErr_Clear();
        return 1;
    }
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_RuntimeError, "%s: the exchange table of %R failed without an exception", name,
                     (PyObject *)Py_TYPE(producer));
    }
    return -1;
}
