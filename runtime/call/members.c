/* SPDX-License-Identifier: MIT-0 */
/* Structs that Python makes: of the arguments of their constructor, or of a tuple or a mapping in the place of an object. */

#include "call.h"

#include <stdlib.h>

/* ---- New structs ---- */

/* Fills a new struct in `storage`, and makes its Python object. `state`: the state of its type, in zeroed memory; NULL: the type has
 * none. NULL with an exception. */
static PyObject *adopt_struct(const dlb_py_members *members, void *storage, void *state)
{
    const dlb_type *const type = members->type;
    void *const object = state != NULL ? state : storage;
    dlb_error error;

    if (state != NULL && storage != NULL) {
        memcpy(state, &storage, sizeof storage);
    }
    if (state != NULL && type->defaults != NULL) {
        type->defaults(state);
    }
    if (members->init != NULL && members->init(object, &error) != 0) {
        dlb_free_storage(type, storage);
        return dlb_py_raise(&error);
    }
    return dlb_py_adopt(type, object, storage != NULL ? DLB_PY_IN_STORAGE : 0);
}

/* Makes an object whose members have their initial values. NULL with an exception. */
static PyObject *new_struct(const dlb_py_members *members)
{
    const dlb_type *const type = members->type;
    void *const state = type->state > 0 ? PyMem_Calloc(1, type->state) : NULL;
    void *const storage = type->value > 0 ? NULL : dlb_py_storage_for(type, members->size);
    PyObject *object = NULL;

    if (type->state > 0 && state == NULL) {
        PyErr_NoMemory();
        dlb_free_storage(type, storage);
        return NULL;
    }
    if (type->value > 0 || storage != NULL) {
        object = adopt_struct(members, storage, state);
    }
    PyMem_Free(state);
    return object;
}

/* ---- Members ---- */

/* The parameter for which a struct is made. */
typedef struct param_place {
    const char *function;
    const char *param; /* NULL: `function` is the constructor */
} param_place;

/* Names the member in the message of its setter, which begins with "attribute 'NAME'" or "NAME() argument '...'". Returns -1. */
static int explain_member(const param_place *of, const char *member)
{
    char before[DLB_PY_MESSAGE_SIZE];
    char instead[DLB_PY_MESSAGE_SIZE];

    if (of->param == NULL) {
        dlb_write(instead, sizeof instead, "%s() argument '%s'", of->function, member);
    } else {
        dlb_write(instead, sizeof instead, "%s() argument '%s': member '%s'", of->function, of->param, member);
    }
    dlb_write(before, sizeof before, "attribute '%s'", member);
    if (dlb_py_replace_beginning(before, '\0', instead)) {
        return -1;
    }
    dlb_write(before, sizeof before, "%s() argument '", member);
    if (dlb_py_replace_beginning(before, '\'', instead) || of->param == NULL) {
        return -1;
    }
    return dlb_py_name_argument(of->function, of->param);
}

/* Calls the setter of the member at `index`. Returns 0, or -1 with an exception. */
static int set_member(const dlb_py_members *members, PyObject *object, int index, PyObject *value, const param_place *of)
{
    PyObject *const answer = members->setters[index](object, &value, 1, NULL);

    if (answer == NULL) {
        return explain_member(of, members->function->params[index].name);
    }
    Py_DECREF(answer);
    return 0;
}

/* Makes a struct with these values of its members. A member without a value, NULL, keeps its initial value. NULL with an exception. */
static PyObject *struct_of(const dlb_py_members *members, PyObject *const *values, const param_place *of)
{
    PyObject *const object = new_struct(members);

    for (int i = 0; object != NULL && i < members->function->count; i++) {
        if (values[i] != NULL && set_member(members, object, i, values[i], of) != 0) {
            dlb_py_quietly(dlb_py_decref, object);
            return NULL;
        }
    }
    return object;
}

PyObject *dlb_py_new_struct(const dlb_py_members *members, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const dlb_py_function *const function = members->function;
    const param_place of = {function->name, NULL};
    PyObject **const storage = PyMem_Malloc(((size_t)function->count + 1) * sizeof(PyObject *));
    PyObject *const *values;
    PyObject *object;

    if (storage == NULL) {
        return PyErr_NoMemory();
    }
    values = dlb_py_arguments(function, args, nargs, kwnames, storage);
    object = values != NULL ? struct_of(members, values, &of) : NULL;
    PyMem_Free(storage);
    return object;
}

/* ---- Arguments ---- */

/* Returns the names of all members, separated by commas; a new reference. NULL with an exception. */
static PyObject *names_of(const dlb_py_members *members)
{
    PyObject *names = PyUnicode_FromString(members->function->count > 0 ? members->function->params[0].name : "no members");

    for (int i = 1; names != NULL && i < members->function->count; i++) {
        PyObject *const longer = PyUnicode_FromFormat("%U, %s", names, members->function->params[i].name);

        Py_DECREF(names);
        names = longer;
    }
    return names;
}

/* Makes a struct of a tuple with one item for each member. NULL with an exception. */
static PyObject *struct_of_items(const dlb_py_members *members, PyObject *tuple, const param_place *of)
{
    const Py_ssize_t count = members->function->count;
    PyObject **values;
    PyObject *object;

    if (PyTuple_GET_SIZE(tuple) != count) {
        PyObject *const names = names_of(members);

        if (names != NULL) {
            PyErr_Format(PyExc_ValueError, "%s() argument '%s' must have %zd item%s (%U), not %zd", of->function, of->param, count,
                         count == 1 ? "" : "s", names, PyTuple_GET_SIZE(tuple));
            Py_DECREF(names);
        }
        return NULL;
    }
    values = PyMem_Malloc(((size_t)count + 1) * sizeof *values);
    if (values == NULL) {
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        values[i] = PyTuple_GET_ITEM(tuple, i);
    }
    object = struct_of(members, values, of);
    PyMem_Free(values);
    return object;
}

/* Returns the index of the member with the name `key`, or -1. */
static int index_of(const dlb_py_members *members, PyObject *key)
{
    for (int i = 0; PyUnicode_Check(key) && i < members->function->count; i++) {
        if (dlb_py_is_string(key, members->function->params[i].name)) {
            return i;
        }
    }
    return -1;
}

/* Stores the value of each member, or NULL, in `values`, as borrowed references. Returns 0, or -1 with a TypeError for an unknown name. */
static int sort_entries(const dlb_py_members *members, PyObject *dict, const param_place *of, PyObject **values)
{
    Py_ssize_t position = 0;
    PyObject *key;
    PyObject *value;

    while (PyDict_Next(dict, &position, &key, &value)) {
        const int index = index_of(members, key);

        if (index < 0) {
            PyObject *const names = names_of(members);

            if (names != NULL) {
                PyErr_Format(PyExc_TypeError, "%s() argument '%s': %s has no member %.60R: it has %U", of->function, of->param,
                             members->function->name, key, names);
                Py_DECREF(names);
            }
            return -1;
        }
        values[index] = value;
    }
    return 0;
}

/* Makes a struct of a dict with the values of some members. NULL with an exception. */
static PyObject *struct_of_entries(const dlb_py_members *members, PyObject *dict, const param_place *of)
{
    PyObject **const values = PyMem_Calloc((size_t)members->function->count + 1, sizeof *values);
    PyObject *object = NULL;

    if (values == NULL) {
        return PyErr_NoMemory();
    }
    if (sort_entries(members, dict, of, values) == 0) {
        object = struct_of(members, values, of);
    }
    PyMem_Free(values);
    return object;
}

/* Returns whether a value is a mapping, 1 or 0: a dict, or an object with a method `keys`, unless it is an array that the operand accepts.
 * -1 with an exception. */
static int is_mapping(const dlb_py_operand *operand, PyObject *value)
{
    int is_array;

    if (PyDict_Check(value)) {
        return 1;
    }
    if (PyType_Check(value) || !PyMapping_Check(value)) {
        return 0;
    }
    is_array = operand->type->importer != NULL ? dlb_py_may_be_array(value) : 0;
    if (is_array != 0) {
        return is_array < 0 ? -1 : 0;
    }
    return dlb_py_has_attribute(value, "keys");
}

/* Returns a new dict with the entries of a mapping, which nobody else can change. NULL with an exception. */
static PyObject *copy_of(PyObject *mapping)
{
    PyObject *const dict = PyDict_New();

    if (dict != NULL && PyDict_Update(dict, mapping) != 0) {
        Py_DECREF(dict);
        return NULL;
    }
    return dict;
}

int dlb_py_may_have_members(const dlb_py_operand *operand, PyObject *value)
{
    Py_ssize_t position = 0;
    PyObject *key;
    bool is_known = true;

    if (PyTuple_Check(value) || PyList_Check(value)) { /* not PySequence_Size(), which calls an overridden __len__() */
        return (PyTuple_Check(value) ? PyTuple_Size(value) : PyList_Size(value)) == operand->members->function->count;
    }
    if (!PyDict_Check(value)) {
        return PyMapping_Check(value) && !PyType_Check(value) ? dlb_py_has_attribute(value, "keys") : 0;
    }
    DLB_PY_LOCK(value); /* another thread may change the dict */
    while (is_known && PyDict_Next(value, &position, &key, NULL)) {
        is_known = index_of(operand->members, key) >= 0;
    }
    DLB_PY_UNLOCK();
    return is_known;
}

int dlb_py_take_members(const dlb_py_function *function, const dlb_py_operand *operand, dlb_py_argument *array)
{
    const param_place of = {function->name, dlb_py_operand_name(function, operand)};
    const bool is_sequence = PyTuple_Check(array->source) || PyList_Check(array->source);
    const int has_entries = is_sequence ? 0 : is_mapping(operand, array->source);
    PyObject *values;

    if (has_entries < 0) {
        return dlb_py_name_argument(of.function, of.param);
    }
    if (!is_sequence && has_entries == 0) {
        return 1;
    }
    values = is_sequence ? PySequence_Tuple(array->source) : copy_of(array->source);
    if (values == NULL) {
        return dlb_py_name_argument(of.function, of.param);
    }
    array->made = is_sequence ? struct_of_items(operand->members, values, &of) : struct_of_entries(operand->members, values, &of);
    dlb_py_quietly(dlb_py_decref, values);
    return array->made != NULL ? 0 : -1;
}
