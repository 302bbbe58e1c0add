/* SPDX-License-Identifier: MIT-0 */
/* Parts of objects, and other objects made of a whole. */

#include "object.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- One part, and all parts ---- */

/* Makes a part of `whole`, an object of `type`. `state` holds the params of the part, whose strings are replaced by copies. Returns a
 * new reference, or NULL with an exception. */
static PyObject *new_part(dlb_owner *whole, const dlb_type *type, void *state)
{
    dlb_py_pending_object pending;
    dlb_owner *owner;
    dlb_py_strings *kept = NULL;
    dlb_error error;

    if (type->state != 0 && dlb_py_copy_strings(type->params, type->param_count, state, &kept) != 0) {
        return NULL;
    }
    if (dlb_py_begin(&pending, type, NULL) != 0) {
        free(kept);
        return NULL;
    }
    if (dlb_own_part(whole, type, type->state != 0 ? state : NULL, &owner, &error) != 0) {
        dlb_py_cancel(&pending);
        free(kept);
        return dlb_py_raise(&error);
    }
    dlb_py_keep_strings(owner, kept);
    if (dlb_owner_copy_dependencies(owner, whole, &error) != 0) {
        dlb_py_cancel(&pending); /* not covered: needs a subobject as the whole, and no memory for a dependency */
        dlb_py_quietly(dlb_py_drop_owner, owner); /* not covered: needs a subobject as the whole, and no memory for a dependency */
        return dlb_py_raise(&error); /* not covered: needs a subobject as the whole, and no memory for a dependency */
    }
    return dlb_py_finish(&pending, owner);
}

/* Stores the arguments in the state of a part of `self`: the params that `self` does not have. Returns 0, or -1 with an exception. */
static int parse(PyObject *self, const dlb_type *type, const dlb_py_call *call, void *state)
{
    const dlb_type *const whole = dlb_py_data(self)->type;
    dlb_py_values storage;
    dlb_param *asked;
    size_t count = 0;
    int result = -1;

    if (whole->param_count == 0) {
        return dlb_py_parse(call, type->params, type->param_count, state, NULL);
    }
    asked = dlb_py_allocate_values(&storage, type->param_count * sizeof *asked, NULL);
    for (size_t i = 0; asked != NULL && i < type->param_count; i++) {
        if (dlb_inherited(whole, &type->params[i]) == NULL) {
            asked[count++] = type->params[i];
        }
    }
    if (asked != NULL) {
        result = dlb_py_parse(call, asked, count, state, NULL);
    }
    dlb_py_free_values(&storage);
    return result;
}

/* Checks the params of a part, because its functions and properties could use wrong values. Takes over `part` and returns it, or NULL
 * with a ValueError. */
static PyObject *check_params(PyObject *part)
{
    dlb_error error;
    dlb_view view;

    if (part == NULL || !dlb_py_data(part)->type->params_checked ||
        dlb_owner_view(dlb_py_data(part)->owner, &view, &error) == 0 || !error.required) {
        return part;
    }
    Py_DECREF(part);
    error.status = DLB_VALUE_ERROR;
    return dlb_py_raise(&error);
}

/* Returns the number of parts that the object reports, or -1 with an exception. */
static Py_ssize_t part_count(const dlb_owner *whole, const dlb_parts *parts)
{
    const dlb_integer count = parts->count(whole->object);
    dlb_error error;

    if (count.status == DLB_FITS && count.value >= 0 && count.value <= PY_SSIZE_T_MAX) {
        return (Py_ssize_t)count.value;
    }
    if (count.status == DLB_FITS) {
        (void)dlb_fail(&error, DLB_BUFFER_ERROR, "%s: count of %s (%s) is %" PRId64 ": an impossible number",
                       whole->type->name, parts->name, count.expression, count.value);
    } else {
        (void)dlb_fail(&error, DLB_BUFFER_ERROR, "%s: count of %s (%s) is %" PRIu64 ": an impossible number",
                       whole->type->name, parts->name, count.expression, (uint64_t)count.value);
    }
    (void)dlb_py_raise(&error);
    return -1;
}

/* Returns whether the first param in `state` is the index of an existing part; else sets a ValueError. */
static bool part_exists(const dlb_owner *whole, const char *name, const dlb_parts *parts, const void *state)
{
    const dlb_param *const index = &parts->of->params[0];
    const Py_ssize_t count = part_count(whole, parts);

    if (count >= 0 && !dlb_py_holds_index(index, state, (uint64_t)count)) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must be one of the %zd %s, from 0", name,
                                index->name, count, parts->name);
        return false;
    }
    return count >= 0;
}

PyObject *dlb_py_child(PyObject *self, const char *name, const dlb_type *type, const dlb_parts *parts,
                       PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const dlb_py_call call = {name, args, nargs, kwnames, false};
    dlb_py_values values;
    void *const state = dlb_py_allocate_values(&values, type->state, type->defaults);
    PyObject *part = NULL;

    if (state != NULL && parse(self, type, &call, state) == 0) {
        dlb_owner *const whole = dlb_py_enter(self); /* after the arguments, whose conversion may run code that closes `self` */

        if (whole != NULL) {
            part = parts == NULL || part_exists(whole, name, parts, state) ? new_part(whole, type, state) : NULL;
            dlb_py_leave(self, whole);
        }
    }
    dlb_py_free_values(&values);
    return check_params(part);
}

/* Makes the part at `index`, which is its first param. Returns a new reference, or NULL with an exception. */
static PyObject *part_at(dlb_owner *whole, const dlb_parts *parts, Py_ssize_t index)
{
    const dlb_type *const type = parts->of;
    dlb_py_values values;
    void *const state = dlb_py_allocate_values(&values, type->state, type->defaults);
    PyObject *part = NULL;

    if (state != NULL && !dlb_py_store_index(&type->params[0], state, (uint64_t)index)) {
        (void)dlb_py_raise_message(PyExc_OverflowError, "%s: '%s' is too small for number %zd of %s", type->name,
                                type->params[0].name, index, parts->name);
    } else if (state != NULL) {
        part = new_part(whole, type, state);
    }
    dlb_py_free_values(&values);
    return part;
}

static PyObject *all_parts(dlb_owner *whole, const dlb_parts *parts)
{
    const Py_ssize_t count = part_count(whole, parts);
    PyObject *const tuple = count < 0 ? NULL : PyTuple_New(count);

    for (Py_ssize_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *const part = part_at(whole, parts, i);

        if (part == NULL) {
            Py_DECREF(tuple);
            return NULL;
        }
        PyTuple_SET_ITEM(tuple, i, part);
    }
    return tuple;
}

PyObject *dlb_py_parts(PyObject *self, const dlb_parts *parts)
{
    dlb_owner *const whole = dlb_py_enter(self);
    PyObject *tuple;

    if (whole == NULL) {
        return NULL;
    }
    dlb_owner_keep(whole); /* allocating a tuple may start the garbage collector, and so run any code */
    tuple = all_parts(whole, parts);
    dlb_py_quietly(dlb_py_drop_owner, whole);
    dlb_py_leave(self, whole);
    return tuple;
}
