/* SPDX-License-Identifier: MIT-0 */
/* What kind of producer a foreign type is: whether it has an exchange table, whether it has __dlpack__(). Looked up once per
 * type and state of it; the absence is remembered too, since a failing lookup costs more than an exchange. */
#include "dlb_py_internal.h"

/* The table of our major in a list of them, or NULL; of at most 16, in case it goes round. */
static const DLPackExchangeAPI *of_our_major(const DLPackExchangeAPIHeader *header)
{
    for (int i = 0; header != NULL && i < 16; i++) {
        if (header->version.major == DLB_VERSION_MAJOR) {
            return (const DLPackExchangeAPI *)(const void *)header;
        }
        header = header->prev_api;
    }
    return NULL;
}

/* type.__dlpack_c_exchange_api__; what is no such capsule is no table. 0, or -1 with an exception. */
static int read_table(const dlb_py_state *state, PyTypeObject *type, const DLPackExchangeAPI **api)
{
    PyObject *const capsule = PyObject_GetAttr((PyObject *)type, state->names[DLB_PY_EXCHANGE]);

    *api = NULL;
    if (capsule == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
        return 0;
    }
    if (PyCapsule_IsValid(capsule, DLB_PY_EXCHANGE_CAPSULE)) {
        *api = of_our_major(PyCapsule_GetPointer(capsule, DLB_PY_EXCHANGE_CAPSULE)); /* static, says DLPack */
    }
    Py_DECREF(capsule);
    return 0;
}

/* Which of the two names a class itself has: bit 0 the table, bit 1 __dlpack__, bit 2 that __dlpack__ is None, which switches the
 * protocol off; -1 with an exception. */
enum { OWN_TABLE = 1, OWN_CALL = 2, OWN_NONE = 4 };
static int own_names(const dlb_py_state *state, PyObject *cls)
{
    PyObject *const dict = PyObject_GetAttr(cls, state->names[DLB_PY_DICT]);
    PyObject *value;
    int table;
    int call;

    if (dict == NULL) {
        return -1;
    }
    table = PySequence_Contains(dict, state->names[DLB_PY_EXCHANGE]);
    call = table < 0 ? -1 : PySequence_Contains(dict, state->names[DLB_PY_DLPACK]);
    value = call > 0 ? PyObject_GetItem(dict, state->names[DLB_PY_DLPACK]) : NULL;
    if (call > 0) {
        call = value == NULL ? -1 : value == Py_None ? OWN_CALL | OWN_NONE : OWN_CALL;
    }
    dlb_py_discard(value);
    dlb_py_discard(dict);
    return call < 0 ? -1 : (table ? OWN_TABLE : 0) | call;
}

static bool attribute_is(PyObject *cls, PyObject *attribute, const char *expected)
{
    PyObject *const name = PyObject_GetAttr(cls, attribute);
    const bool same = name != NULL && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, expected) == 0;

    Py_XDECREF(name);
    PyErr_Clear();
    return same;
}

/* Walks the classes that the type inherits from, nearest first. A class that has __dlpack__() but no table says how its
 * objects are exported, whatever table it inherits. What a metaclass has, the objects have not. */
static int look_up(const dlb_py_state *state, PyTypeObject *type, dlb_py_kind *kind)
{
    PyObject *const mro = PyObject_GetAttr((PyObject *)type, state->names[DLB_PY_MRO]);
    const Py_ssize_t count = mro != NULL && PyTuple_Check(mro) ? PyTuple_Size(mro) : -1;
    int result = count < 0 ? -1 : 0;
    int called = 0;
    int found = 0;

    if (mro != NULL && count < 0) {
        (void)dlb_py_raise_text(PyExc_TypeError, "the __mro__ of a type must be a tuple");
    }
    for (Py_ssize_t i = 0; i < count && result == 0; i++) {
        PyObject *const cls = PyTuple_GetItem(mro, i);
        const int own = own_names(state, cls);

        result = own < 0 ? -1 : 0;
        if (found == 0 && own > 0) {
            found = own;
            kind->inherited = i > 0;
            kind->ndarray = attribute_is(cls, state->names[DLB_PY_MODULE], "numpy") &&
                            attribute_is(cls, state->names[DLB_PY_QUALNAME], "ndarray");
        }
        called = called || own < 0 ? called : own & (OWN_CALL | OWN_NONE);
    }
    kind->dlpack = called == OWN_CALL;
    if (result == 0 && (found & OWN_TABLE) != 0) {
        result = read_table(state, type, &kind->api);
    }
    dlb_py_discard(mro);
    return result;
}

/* ---- Of values ---- */

int dlb_py_has(PyObject *value, const char *name)
{
    PyObject *const attribute = PyObject_GetAttrString((PyObject *)Py_TYPE(value), name);
    int has;

    if (attribute == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
        return 0;
    }
    has = attribute != Py_None;
    Py_DECREF(attribute);
    return has;
}

bool dlb_py_switches_off(PyObject *value, const char *name)
{
    const dlb_py_exception pending = dlb_py_fetch();
    PyObject *const attribute = PyObject_GetAttrString((PyObject *)Py_TYPE(value), name);
    const bool off = attribute == Py_None;

    Py_XDECREF(attribute);
    if (off) {
        dlb_py_forget_exception(&pending);
    } else {
        dlb_py_restore(&pending);
    }
    return off;
}

/* A mapping or a table, which has keys, is none, though classes of Python with __getitem__() pass for one: its items would be its
 * labels. (A pandas.Series has keys too, and one axis.) Nor is what has no length: an array whose items have several indices. */
int dlb_py_is_sequence(PyObject *value)
{
    PyObject *axes;
    PyObject *count;
    int has_length, has_keys, has_one, overflow;

    if (PyList_Check(value) || PyTuple_Check(value)) {
        return 1;
    }
    if (!PySequence_Check(value) || PyUnicode_Check(value)) {
        return 0;
    }
    has_length = dlb_py_has(value, "__len__");
    if (has_length <= 0) {
        return has_length;
    }
    has_keys = dlb_py_has(value, "keys");
    if (has_keys <= 0) {
        return has_keys < 0 ? -1 : 1;
    }
    axes = PyObject_GetAttrString(value, "ndim");
    count = axes != NULL ? dlb_py_as_integer(axes) : NULL;
    dlb_py_discard(axes);
    if (count == NULL) {
        return !PyErr_Occurred() || dlb_py_may_try_another() ? 0 : -1;
    }
    has_one = PyLong_AsLongAndOverflow(count, &overflow) == 1;
    Py_DECREF(count);
    return has_one;
}

/* ---- What is remembered ---- */

void dlb_py_forget_kinds(dlb_py_state *state)
{
    Py_CLEAR(state->ndarray_type);
    for (size_t i = 0; i < DLB_PY_KNOWN; i++) {
#if DLB_PY_TYPES_ARE_KEPT
        Py_CLEAR(state->known[i].type);
#else
        state->known[i].type = NULL;
#endif
    }
}

static void remember_kind(dlb_py_state *state, PyTypeObject *type, unsigned int version, const dlb_py_kind *kind)
{
    dlb_py_known *const place = dlb_py_place_of(state, type);
    PyObject *old = NULL;

    DLB_PY_LOCK(state->ask_names);
#if DLB_PY_TYPES_ARE_KEPT
    old = place->type;
    Py_INCREF((PyObject *)type);
#endif
    place->type = (PyObject *)type;
    place->version = version;
    place->kind = *kind;
    DLB_PY_UNLOCK();
    Py_XDECREF(old);
}

int dlb_py_find_kind(dlb_py_state *state, PyTypeObject *type, dlb_py_kind *kind)
{
    unsigned int version;

    *kind = (dlb_py_kind){NULL, false, false, false};
    (void)PyObject_HasAttr((PyObject *)type, state->names[DLB_PY_DLPACK]); /* gives it a version */
    version = dlb_py_type_version(type);
    if (look_up(state, type, kind) != 0) {
        return -1;
    }
    if (version != 0 && version == dlb_py_type_version(type)) { /* else it was changed meanwhile */
        remember_kind(state, type, version, kind);
    }
    return 0;
}
