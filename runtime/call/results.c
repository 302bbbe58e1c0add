/* SPDX-License-Identifier: MIT-0 */
/* Results of calls. */

#include "call.h"

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

/* ---- Read-only memory behind a result ---- */

static bool is_readonly(const dlb_owner *owner, const void *what)
{
    (void)what;
    return (owner->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
}

/* Finds the memory of an owner. Returns false if it is unknown or empty. */
static bool span_of(dlb_owner *owner, dlb_span *span)
{
    dlb_error error;
    dlb_view view;

    if (owner->type->describe == NULL || dlb_has_hooks(owner->type) || dlb_owner_view(owner, &view, &error) != 0 ||
        dlb_element_count(view.tensor) == 0) {
        return false;
    }
    *span = dlb_span_of(view.tensor);
    return true;
}

/* Returns whether the owner is read-only and shows memory in the span `what`. */
static bool shows_readonly(const dlb_owner *owner, const void *what)
{
    const dlb_span *const shown = what;
    dlb_span span;

    return is_readonly(owner, NULL) && span_of((dlb_owner *)(uintptr_t)owner, &span) && dlb_overlaps(*shown, span);
}

void dlb_py_inherit_readonly(dlb_owner *owner, dlb_owner *kept)
{
    const dlb_owner *found;
    dlb_span span;

    if (is_readonly(owner, NULL) || dlb_owner_find(kept, is_readonly, NULL) == NULL || !span_of(owner, &span)) {
        return;
    }
    found = dlb_owner_find(kept, shows_readonly, &span);
    if (found != NULL && shows_readonly(found, &span)) { /* else the search has ended early */
        owner->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    }
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
    adopted_result *const adopted = target;

    if (dlb_adopt(adopted->type, adopted->object, adopted->in_storage, &adopted->owner, &adopted->error) != 0) {
        adopted->owner = NULL;
    }
    for (int i = 0; i < adopted->count && adopted->owner != NULL; i++) {
        if (adopted->kept[i] == NULL) {
            continue;
        }
        if (dlb_owner_add_dependency(adopted->owner, adopted->kept[i], &adopted->error) != 0) {
            dlb_owner_drop(adopted->owner);
            adopted->owner = NULL;
        } else {
            dlb_py_inherit_readonly(adopted->owner, adopted->kept[i]);
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
    adopted_result adopted; /* not zeroed: `error` is large */

    if (dlb_is_null(type, object)) {
        return PyErr_Occurred() ? NULL : dlb_py_returned_null(type, (flags & DLB_PY_OPTIONAL) != 0);
    }
    if (count == 0 && (flags & (DLB_PY_IN_STORAGE | DLB_PY_READS)) == 0 && dlb_is_trivial_type(type) && !PyErr_Occurred()) {
        state = dlb_py_imported_state();
        cls = state != NULL ? dlb_py_cached_class(state, type) : NULL;
        if (DLB_LIKELY(cls != NULL)) {
            return adopt_fast(state, cls, type, object);
        }
    }
    adopted.type = type;
    adopted.object = object;
    adopted.in_storage = (flags & DLB_PY_IN_STORAGE) != 0;
    adopted.kept = kept;
    adopted.count = count;
    dlb_py_quietly(adopt_quietly, &adopted);
    return dlb_py_convert_owner(type, adopted.owner, flags, &adopted.error);
}

PyObject *dlb_py_convert_owner(const dlb_type *type, dlb_owner *owner, unsigned flags, const dlb_error *error)
{
    dlb_py_state *state;
    dlb_py_pending_object pending;

    if (owner == NULL) {
        return PyErr_Occurred() ? NULL : dlb_py_raise(error);
    }
    if ((flags & DLB_PY_READS) != 0) {
        dlb_owner_set_const(owner);
    }
    if (DLB_UNLIKELY(type->external != NULL)) {
        return dlb_py_wrap_external(owner);
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
    dlb_owner *const kept = dlb_owner_only_dependency(other->owner);

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

/* Makes the owner of a result that belongs to `whole`, or lives forever if it is NULL. Returns NULL with `error`. */
static inline DLB_ALWAYS_INLINE dlb_owner *own_borrowed(dlb_owner *whole, const dlb_type *type, void *object, int in_storage,
                                                         dlb_error *error)
{
    dlb_owner *owner;

    if (whole != NULL && type->value == 0 && !in_storage) {
        whole = dlb_owner_of_kept(whole, type->state > 0 ? dlb_first_member(object) : object);
    }
    if (dlb_own_subobject(whole, type, object, in_storage, &owner, error) != 0) {
        return NULL;
    }
    if (whole != NULL && dlb_owner_copy_dependencies(owner, whole, error) != 0) {
        dlb_py_quietly(dlb_py_drop_owner, owner);
        return NULL;
    }
    return owner;
}

/* Makes a borrowed result of an external class. */
DLB_NOINLINE static PyObject *borrowed_external(dlb_owner *whole, const dlb_type *type, void *object, unsigned flags)
{
    dlb_error error;
    dlb_owner *const owner = PyErr_Occurred() ? NULL : own_borrowed(whole, type, object, 0, &error);

    return dlb_py_convert_owner(type, owner, flags, &error);
}

PyObject *dlb_py_borrowed_result(const dlb_type *type, void *object, dlb_py_argument *within, unsigned flags)
{
    const int in_storage = (flags & DLB_PY_IN_STORAGE) != 0;
    dlb_owner *const whole = within != NULL ? within->owner : NULL;
    dlb_py_state *state;
    dlb_py_pending_object pending;
    dlb_owner *owner;
    dlb_error error;

    if (!PyErr_Occurred() && dlb_is_null(type, object)) {
        return dlb_py_returned_null(type, (flags & DLB_PY_OPTIONAL) != 0);
    }
    if (DLB_UNLIKELY(type->external != NULL)) {
        return borrowed_external(whole, type, object, flags);
    }
    state = PyErr_Occurred() ? NULL : dlb_py_imported_state();
    if (state == NULL || dlb_py_begin_in(state, &pending, type, NULL) != 0) {
        free_unused_storage(type, object, in_storage);
        return NULL;
    }
    owner = own_borrowed(whole, type, object, in_storage, &error);
    if (owner == NULL) {
        dlb_py_cancel(&pending);
        return dlb_py_raise(&error);
    }
    if (DLB_UNLIKELY(whole != NULL && whole->kept.kind != DLB_KEPT_MEMORY)) {
        dlb_py_inherit_readonly(owner, whole);
    }
    if ((flags & DLB_PY_READS) != 0) {
        dlb_owner_set_const(owner);
    }
    return dlb_py_finish(&pending, owner);
}

/* ---- Values ---- */

PyObject *dlb_py_from_complex(double real, double imaginary)
{
    return PyComplex_FromDoubles(real, imaginary);
}

PyObject *dlb_py_from_char(char value)
{
    return PyUnicode_FromOrdinal((unsigned char)value);
}

PyObject *dlb_py_from_string(const void *value)
{
    if (value == NULL) {
        Py_RETURN_NONE;
    }
    return PyErr_Occurred() ? NULL : PyUnicode_FromString(value); /* another value before it may have failed */
}

/* Copies the first `count` strings of a table into a new list, None for NULL. NULL with an exception. */
static PyObject *list_strings(const char *const *strings, Py_ssize_t count)
{
    PyObject *const list = PyErr_Occurred() ? NULL : PyList_New(count); /* another value before it may have failed */

    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *const string = strings[i] != NULL ? PyUnicode_FromString(strings[i]) : Py_NewRef(Py_None);

        if (string == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        (void)PyList_SetItem(list, i, string);
    }
    return list;
}

PyObject *dlb_py_from_strings(const void *values)
{
    return list_strings(values, (Py_ssize_t)dlb_py_string_count(values));
}

PyObject *dlb_py_from_counted_strings(const void *values, dlb_integer count)
{
    dlb_error error;

    if (PyErr_Occurred()) { /* another result, or a call in the count, has failed */
        return NULL;
    }
    if (count.status == DLB_FITS && count.value >= 0 && (uint64_t)count.value <= (uint64_t)PY_SSIZE_T_MAX / sizeof(char *) &&
        (values != NULL || count.value == 0)) {
        return list_strings(values, (Py_ssize_t)count.value);
    }
    if (count.status == DLB_FITS && count.value > 0 && values == NULL) {
        (void)dlb_fail(&error, DLB_RUNTIME_ERROR, "the table of %" PRId64 " strings (%s) is NULL", count.value, count.expression);
    } else {
        (void)dlb_fail(&error, DLB_VALUE_ERROR, "the number of strings (%s) is %" PRId64, count.expression, count.value);
    }
    return dlb_py_raise(&error);
}

PyObject *dlb_py_from_string_within(const void *value, size_t storage)
{
    const char *const string = value;
    const char *const end = storage != SIZE_MAX ? memchr(string, '\0', storage) : NULL;

    if (storage == SIZE_MAX) {
        return dlb_py_from_string(string);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    return PyUnicode_DecodeUTF8(string, end != NULL ? end - string : (Py_ssize_t)storage, NULL);
}

PyObject *dlb_py_from_bytes_slow(const void *value, dlb_integer size)
{
    dlb_error error;

    if (value == NULL) {
        Py_RETURN_NONE;
    }
    (void)dlb_fail(&error, DLB_VALUE_ERROR, "the size of the bytes (%s) is %" PRId64, size.expression, size.value);
    return dlb_py_raise(&error);
}

PyObject *dlb_py_from_bytes_within(const void *value, size_t storage, dlb_integer size)
{
    if (size.status == DLB_FITS && size.value > 0 && (uint64_t)size.value > storage) {
        dlb_error error;

        (void)dlb_fail(&error, DLB_VALUE_ERROR, "the size of the bytes (%s) is %" PRId64 ", and the capacity is %zu",
                       size.expression, size.value, storage);
        return dlb_py_raise(&error);
    }
    return dlb_py_from_bytes(value, size);
}

PyObject *dlb_py_refuse_null(const char *function, const char *value)
{
    if (!PyErr_Occurred()) { /* another value before it may have failed */
        (void)dlb_py_raise_message(PyExc_RuntimeError, "%s(): the function returned NULL for '%s'", function, value);
    }
    return NULL;
}

void *dlb_py_output_bytes(const dlb_py_function *function, const char *param, dlb_integer size, PyObject **bytes)
{
    char *storage;

    if (PyErr_Occurred()) { /* a call in the expression of the size has failed */
        return NULL;
    }
    if (size.status != DLB_FITS || size.value < 0 || (uint64_t)size.value > (uint64_t)PY_SSIZE_T_MAX) {
        (void)dlb_py_refuse_length(function, param, "buffer", "bytes", &size);
        return NULL;
    }
    *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size.value);
    storage = *bytes != NULL ? PyBytes_AsString(*bytes) : NULL;
    return storage != NULL && size.value > 0 ? memset(storage, 0, (size_t)size.value) : storage;
}

/* Shortens a bytes object, in place without the limited API. Takes over `bytes`. Returns a new reference, or NULL with an exception. */
static PyObject *shorten(PyObject *bytes, Py_ssize_t size)
{
#if defined(Py_LIMITED_API)
    PyObject *const copy = PyBytes_FromStringAndSize(PyBytes_AsString(bytes), size);

    Py_DECREF(bytes);
    return copy;
#else
    (void)_PyBytes_Resize(&bytes, size); /* frees `bytes` on failure */
    return bytes;
#endif
}

PyObject *dlb_py_take_bytes(PyObject **bytes, dlb_integer size)
{
    PyObject *const filled = *bytes;
    const int64_t storage = PyBytes_Size(filled);
    dlb_error error;

    *bytes = NULL;
    if (size.status == DLB_FITS && size.value >= 0 && size.value <= storage) {
        return size.value < storage ? shorten(filled, (Py_ssize_t)size.value) : filled;
    }
    Py_DECREF(filled);
    (void)dlb_fail(&error, DLB_VALUE_ERROR, "the size of the bytes (%s) is %" PRId64 ", and the capacity is %" PRId64, size.expression,
                   size.value, storage);
    return dlb_py_raise(&error);
}
