/* SPDX-License-Identifier: MIT-0 */
/* Converts the results of a call to Python: tuples, objects of generated classes, and exceptions for failed calls. */
#include "dlb_py_call.h"
#include "dlb_py_free_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* ---- Tuples ---- */

/* Releases the values of a tuple that cannot be built. NULL values are skipped. */
static void drop_values(PyObject **values, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        if (values[i] != NULL) {
            dlb_py_quietly(dlb_py_decref, values[i]);
        }
    }
}

PyObject *dlb_py_tuple(PyObject **values, Py_ssize_t count)
{
    bool complete = true;
    PyObject *tuple;

    for (Py_ssize_t i = 0; i < count; i++) {
        complete = complete && values[i] != NULL;
    }
    tuple = complete ? PyTuple_New(count) : NULL;
    if (tuple == NULL) {
        drop_values(values, count);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyTuple_SET_ITEM(tuple, i, values[i]);
    }
    return tuple;
}

/* ---- Objects ---- */

PyObject *dlb_py_returned_null(const dlb_type *type, int optional)
{
    if (optional) {
        Py_RETURN_NONE;
    }
    (void)dlb_py_raise_message(PyExc_RuntimeError, "%s: the function returned NULL", type->name);
    return NULL;
}

void *dlb_py_storage_for(const dlb_type *type, size_t size)
{
    dlb_error error;
    void *const storage = dlb_new_storage(type, size, &error);

    return storage != NULL ? storage : (void *)dlb_py_raise(&error);
}

/* A C object that a call passes to Python, and the owner that results. */
typedef struct adopted_result {
    const dlb_type *type;
    void *object;
    int in_storage;
    dlb_owner *const *kept; /* `count` dependencies of the owner, or NULL */
    int count;
    dlb_owner *owner; /* NULL after a failure */
    dlb_error error;
} adopted_result;

/* Makes the owner of the object with its dependencies. On failure, `owner` is NULL and `error` is set. Called by dlb_py_quietly(). */
static void adopt_quietly(void *target)
{
    adopted_result *const given = target;

    if (dlb_adopt(given->type, given->object, given->in_storage, &given->owner, &given->error) != 0) {
        given->owner = NULL;
    }
    for (int i = 0; i < given->count && given->owner != NULL; i++) {
        if (given->kept[i] != NULL && dlb_owner_outlive_too(given->owner, given->kept[i], &given->error) != 0) {
            dlb_owner_drop(given->owner);
            given->owner = NULL;
        }
    }
}

/* Wraps a trivial object whose class is at hand, without dlb_py_quietly(). No exception may be pending. Takes over the object. Returns
 * a new reference, or NULL with an exception. */
static PyObject *adopt_fast(dlb_py_state *state, PyTypeObject *cls, const dlb_type *type, void *object)
{
    dlb_py_object *self;
    dlb_owner *owner;
    dlb_error error;

    if (dlb_adopt(type, object, 0, &owner, &error) != 0) {
        return dlb_py_raise(&error);
    }
    self = dlb_py_new_object(state, cls);
    if (self == NULL) {
        dlb_py_quietly(dlb_py_drop_owner, owner);
        return NULL;
    }
    dlb_py_begin_object(self, state, type, false);
    dlb_py_give_owner(self, type, owner);
    return (PyObject *)self;
}

/* Wraps an object that the caller owns. Takes over the object, also on failure. Returns a new reference, or NULL with an exception. */
static PyObject *adopt(const dlb_type *type, void *object, dlb_owner *const *kept, int count, unsigned flags)
{
    dlb_py_state *state;
    PyTypeObject *cls;
    adopted_result given; /* not zeroed: `error` is large */

    if (dlb_is_null(type, object)) {
        return PyErr_Occurred() ? NULL : dlb_py_returned_null(type, (flags & DLB_PY_OPTIONAL) != 0);
    }
    if (count == 0 && (flags & (DLB_PY_IN_STORAGE | DLB_PY_READS)) == 0 && dlb_is_trivial_type(type) && !PyErr_Occurred()) {
        state = dlb_py_imported_state();
        cls = state != NULL ? dlb_py_class_at_hand(state, type) : NULL;
        if (DLB_LIKELY(cls != NULL)) {
            return adopt_fast(state, cls, type, object);
        }
    }
    given.type = type;
    given.object = object;
    given.in_storage = (flags & DLB_PY_IN_STORAGE) != 0;
    given.kept = kept;
    given.count = count;
    dlb_py_quietly(adopt_quietly, &given);
    return dlb_py_convert_owner(type, given.owner, flags, &given.error);
}

PyObject *dlb_py_convert_owner(const dlb_type *type, dlb_owner *owner, unsigned flags, const dlb_error *error)
{
    dlb_py_state *state;
    dlb_py_pending_object pending;

    if (owner == NULL) {
        return PyErr_Occurred() ? NULL : dlb_py_raise(error);
    }
    if ((flags & DLB_PY_READS) != 0) {
        dlb_owner_call_const(owner);
    }
    state = PyErr_Occurred() ? NULL : dlb_py_imported_state();
    if (state == NULL || dlb_py_begin_in(state, &pending, type, NULL) != 0) {
        dlb_py_quietly(dlb_py_drop_owner, owner);
        return NULL;
    }
    return dlb_py_finish(&pending, owner);
}

PyObject *dlb_py_adopt(const dlb_type *type, void *object, unsigned flags)
{
    return adopt(type, object, NULL, 0, flags);
}

PyObject *dlb_py_adopt_keeping(const dlb_type *type, void *object, const dlb_py_argument *kept, unsigned flags)
{
    return adopt(type, object, &kept->owner, 1, flags);
}

PyObject *dlb_py_adopt_keeping_all(const dlb_type *type, void *object, dlb_py_argument *const *kept, int count,
                                   unsigned flags)
{
    dlb_owner *owners[DLB_PY_MOST_KEPT];

    for (int i = 0; i < count; i++) {
        owners[i] = kept[i]->owner;
    }
    return adopt(type, object, owners, count, flags);
}

PyObject *dlb_py_adopt_beside(const dlb_type *type, void *object, const dlb_py_argument *other, unsigned flags)
{
    dlb_owner *const kept = dlb_owner_outlived(other->owner);

    return adopt(type, object, &kept, 1, flags);
}

/* ---- Objects that keep dependencies ---- */

int dlb_py_keep(const dlb_py_argument *object, dlb_py_argument *const *kept, int count, const void *setter)
{
    dlb_owner *owners[DLB_PY_MOST_KEPT];
    dlb_error error;
    int known = 0;

    for (int i = 0; i < count; i++) {
        if (kept[i]->owner != NULL) { /* NULL if the argument is None */
            owners[known++] = kept[i]->owner;
        }
    }
    if (object->owner != NULL && dlb_owner_keep_others(object->owner, owners, known, setter, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    return 0;
}

typedef struct kept_by_setter {
    dlb_owner *owner;
    const void *setter;
} kept_by_setter;

static void drop_kept(void *target)
{
    const kept_by_setter *const what = target;

    dlb_owner_forget(what->owner, what->setter);
}

void dlb_py_forget(const dlb_py_argument *object, const void *setter)
{
    kept_by_setter what = {object->owner, setter};

    if (what.owner != NULL) {
        dlb_py_quietly(drop_kept, &what);
    }
}

const void *dlb_py_state_of(const dlb_py_argument *array)
{
    return array->owner->object;
}

/* Cleans up after a failure: frees the storage of the result, if it has any. The library still owns a borrowed object. */
static void free_unused_storage(const dlb_type *type, void *object, int in_storage)
{
    if (in_storage) {
        dlb_free_storage(type, type->state > 0 ? dlb_first_member(object) : object);
    }
}

PyObject *dlb_py_borrowed_result(const dlb_type *type, void *object, dlb_py_argument *within, unsigned flags)
{
    const int in_storage = (flags & DLB_PY_IN_STORAGE) != 0;
    dlb_owner *whole = within != NULL ? within->owner : NULL;
    dlb_py_state *state;
    dlb_py_pending_object pending;
    dlb_owner *owner;
    dlb_error error;

    if (!PyErr_Occurred() && dlb_is_null(type, object)) {
        return dlb_py_returned_null(type, (flags & DLB_PY_OPTIONAL) != 0);
    }
    state = PyErr_Occurred() ? NULL : dlb_py_imported_state();
    if (state == NULL || dlb_py_begin_in(state, &pending, type, NULL) != 0) {
        free_unused_storage(type, object, in_storage);
        return NULL;
    }
    if (whole != NULL && type->value == 0 && !in_storage) {
        whole = dlb_owner_of_kept(whole, type->state > 0 ? dlb_first_member(object) : object);
    }
    if (dlb_own_subobject(whole, type, object, in_storage, &owner, &error) != 0) {
        dlb_py_cancel(&pending);
        return dlb_py_raise(&error);
    }
    if (whole != NULL && dlb_owner_show_kept(owner, whole, &error) != 0) {
        dlb_py_cancel(&pending);
        dlb_py_quietly(dlb_py_drop_owner, owner);
        return dlb_py_raise(&error);
    }
    if ((flags & DLB_PY_READS) != 0) {
        dlb_owner_call_const(owner);
    }
    return dlb_py_finish(&pending, owner);
}

/* ---- Failure ---- */

static bool is_not_empty(const char *message)
{
    return message != NULL && message[0] != '\0';
}

/* Builds a message such as "blur(): sizes differ", or "blur(): image_blur(src, dst, sigma) failed". Returns a new reference, or NULL
 * with an exception. */
static PyObject *failure(const dlb_py_function *function, const char *call, const char *message)
{
    const bool has_message = is_not_empty(message);
    dlb_error error;

    (void)dlb_fail(&error, DLB_RUNTIME_ERROR, "%s(): %s%s", function->name, has_message ? message : call,
                   has_message ? "" : " failed");
    return dlb_py_message(&error);
}

void dlb_py_failed(const dlb_py_function *function, PyObject *exception, const char *call, const char *message)
{
    PyObject *const text = failure(function, call, message);

    if (text != NULL) {
        PyErr_SetObject(exception, text);
        Py_DECREF(text);
    }
}

void dlb_py_failed_with(const dlb_py_function *function, PyObject *exception, const char *call, const char *message,
                        dlb_integer result)
{
    char number[200];

    (void)snprintf(number, sizeof number, "%s failed with %" PRId64, call, result.value);
    dlb_py_failed(function, exception, call, is_not_empty(message) || result.fits <= 0 ? message : number);
}

/* Raises `exception(number, text[, path])`. OSError picks a subclass by the number, so the class of the new object is raised. */
static void raise_system(PyObject *exception, int number, PyObject *text, PyObject *path)
{
    PyObject *const made = path != NULL ? PyObject_CallFunction(exception, "iOO", number, text, path)
                                        : PyObject_CallFunction(exception, "iO", number, text);

    if (made != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
        Py_DECREF(made);
    }
}

void dlb_py_failed_system(const dlb_py_function *function, PyObject *exception, int number, const char *call,
                          const char *message, PyObject *path)
{
    PyObject *text;

    if (number == 0) {
        dlb_py_failed(function, exception, call, message);
        return;
    }
    if (!is_not_empty(message)) {
        errno = number;
        (void)PyErr_SetFromErrnoWithFilenameObject(exception, path);
        return;
    }
    text = failure(function, call, message);
    if (text != NULL) {
        raise_system(exception, number, text, path);
        Py_DECREF(text);
    }
}
