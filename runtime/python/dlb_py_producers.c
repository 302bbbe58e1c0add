/* SPDX-License-Identifier: MIT-0 */
/* Finds the producer info of foreign types: whether a type has an exchange table, and whether it has `__dlpack__`.
 *
 * The lookup runs once for each version of a type. Absence is remembered too, because a failing lookup costs more than an exchange. */
#include "dlb_py_internal.h"

/* Returns the table with our major version in a list of tables, or NULL. Looks at 16 tables at most, in case the list is circular. */
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

/* Reads type.__dlpack_c_exchange_api__ into `*api`: NULL if it is missing, or not a capsule of that name. Returns 0, or -1 with an
 * exception. */
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
        *api = of_our_major(PyCapsule_GetPointer(capsule, DLB_PY_EXCHANGE_CAPSULE)); /* DLPack requires a static table */
    }
    Py_DECREF(capsule);
    return 0;
}

/* The attributes by which a class decides how its objects are exported, as bits. */
enum {
    HAS_TABLE = 1,
    HAS_CALL = 2,
    HAS_DEVICE = 4,
    HAS_FUNCTION = 8,
    HAS_DISPATCH = 16,
    HAS_NONE = 32, /* `__dlpack__` is None, which turns the protocol off */
    HAS_OVERRIDES = HAS_DEVICE | HAS_FUNCTION | HAS_DISPATCH
};

/* Returns the bits of the attributes in `dict`, the namespace of the class itself; or -1 with an exception. */
static int own_names(const dlb_py_state *state, PyObject *dict)
{
    static const struct {
        dlb_py_name name;
        int bit;
    } known[] = {{DLB_PY_EXCHANGE, HAS_TABLE},
                 {DLB_PY_DLPACK, HAS_CALL},
                 {DLB_PY_DLPACK_DEVICE, HAS_DEVICE},
                 {DLB_PY_TORCH_FUNCTION, HAS_FUNCTION},
                 {DLB_PY_TORCH_DISPATCH, HAS_DISPATCH}};
    int own = 0;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const int has = PySequence_Contains(dict, state->names[known[i].name]);

        if (has < 0) {
            return -1;
        }
        own |= has ? known[i].bit : 0;
    }
    if ((own & HAS_CALL) != 0) {
        PyObject *const value = PyObject_GetItem(dict, state->names[DLB_PY_DLPACK]);
        const int none = value == Py_None ? HAS_NONE : 0;

        own = value != NULL ? own | none : -1;
        dlb_py_discard(value);
    }
    return own;
}

/* Returns whether the class turns this protocol of PyTorch off for itself and its subclasses, as torch.nn.Parameter does. The attribute
 * is then a builtin function whose name PyTorch has chosen. Returns -1 with an exception on failure. */
static int is_disabled(PyObject *dict, PyObject *name)
{
    static const char prefix[] = "_disabled_torch_";
    PyObject *const value = PyObject_GetItem(dict, name);
    int result = value != NULL ? 0 : -1;

    if (value != NULL && Py_TYPE(value) == &PyCFunction_Type) {
        PyObject *const called = PyObject_GetAttrString(value, "__name__");
        const char *const text = called != NULL ? PyUnicode_AsUTF8AndSize(called, NULL) : NULL;

        result = text != NULL ? strncmp(text, prefix, sizeof prefix - 1) == 0 : -1;
        dlb_py_discard(called);
    }
    dlb_py_discard(value);
    return result;
}

/* Returns the attributes in `own` that change the export of objects whose base has the table; or -1 with an exception. */
static int find_overrides(const dlb_py_state *state, PyObject *dict, int own)
{
    static const struct {
        dlb_py_name name;
        int bit;
    } protocols[] = {{DLB_PY_TORCH_FUNCTION, HAS_FUNCTION}, {DLB_PY_TORCH_DISPATCH, HAS_DISPATCH}};
    int overrides = own & HAS_OVERRIDES;

    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        const int disabled = (own & protocols[i].bit) != 0 ? is_disabled(dict, state->names[protocols[i].name]) : 0;

        if (disabled < 0) {
            return -1;
        }
        overrides &= disabled ? ~protocols[i].bit : ~0;
    }
    return overrides;
}

static bool attribute_is(PyObject *cls, PyObject *attribute, const char *expected)
{
    PyObject *const name = PyObject_GetAttr(cls, attribute);
    const bool same = name != NULL && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, expected) == 0;

    Py_XDECREF(name);
    PyErr_Clear();
    return same;
}

/* The facts about a type after some of its classes have been searched, the nearest class first. */
typedef struct search {
    int found;     /* HAS_TABLE and HAS_CALL of the nearest class that has either; 0: none so far */
    int seen;      /* the attributes of nearer classes */
    int overrides; /* attributes that change the export, of classes nearer than the table */
    int call;      /* HAS_CALL and HAS_NONE of the nearest class that has __dlpack__ */
} search;

/* Adds the attributes of the next class to the search. Returns 0, or -1 with an exception. */
static int look_at_class(const dlb_py_state *state, PyObject *cls, bool is_base, search *so_far, dlb_py_producer *kind)
{
    PyObject *const dict = PyObject_GetAttr(cls, state->names[DLB_PY_DICT]);
    const int own = dict != NULL ? own_names(state, dict) : -1;
    int overrides = own;

    if (own >= 0 && so_far->found == 0 && (own & (HAS_TABLE | HAS_CALL)) == 0) {
        overrides = find_overrides(state, dict, own & ~so_far->seen);
        so_far->overrides |= overrides;
        so_far->seen |= own;
    }
    dlb_py_discard(dict);
    if (overrides < 0) {
        return -1;
    }
    if (so_far->found == 0 && (own & (HAS_TABLE | HAS_CALL)) != 0) {
        so_far->found = own;
        kind->inherited = is_base;
        kind->ndarray = attribute_is(cls, state->names[DLB_PY_MODULE], "numpy") &&
                        attribute_is(cls, state->names[DLB_PY_QUALNAME], "ndarray");
    }
    if (so_far->call == 0) {
        so_far->call = own & (HAS_CALL | HAS_NONE);
    }
    return 0;
}

/* Searches the classes that the type inherits from, nearest first. Attributes of a metaclass do not count. Returns 0, or -1 with an
 * exception.
 *
 * A class with `__dlpack__` but without a table disables an inherited table. A class that changes the result of an inherited
 * `__dlpack__` disables it as well. */
static int look_up(const dlb_py_state *state, PyTypeObject *type, dlb_py_producer *kind)
{
    PyObject *const mro = PyObject_GetAttr((PyObject *)type, state->names[DLB_PY_MRO]);
    const Py_ssize_t count = mro != NULL && PyTuple_Check(mro) ? PyTuple_Size(mro) : -1;
    search so_far = {0, 0, 0, 0};
    int result = count < 0 ? -1 : 0;

    if (mro != NULL && count < 0) {
        (void)dlb_py_raise_message(PyExc_TypeError, "the __mro__ of a type must be a tuple");
    }
    for (Py_ssize_t i = 0; i < count && result == 0; i++) {
        result = look_at_class(state, PyTuple_GetItem(mro, i), i > 0, &so_far, kind);
    }
    kind->dlpack = so_far.call == HAS_CALL;
    if (result == 0 && (so_far.found & HAS_TABLE) != 0 && (so_far.overrides == 0 || !kind->dlpack)) {
        result = read_table(state, type, &kind->api);
        kind->gradient = result == 0 && kind->dlpack && kind->api != NULL &&
                         PyObject_HasAttr((PyObject *)type, state->names[DLB_PY_REQUIRES_GRAD]);
    }
    dlb_py_discard(mro);
    return result;
}

/* ---- Attributes of values ---- */

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

/* Excludes mappings and tables, which have keys: with __getitem__() they look like sequences, but their items are labels. A
 * pandas.Series is accepted, because it has one axis. Excludes values without a length, such as arrays whose items have several
 * indices. */
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

/* ---- The cache of producer info ---- */

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

static void remember_producer(dlb_py_state *state, PyTypeObject *type, unsigned int version, const dlb_py_producer *kind)
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

int dlb_py_find_producer(dlb_py_state *state, PyTypeObject *type, dlb_py_producer *kind)
{
    unsigned int version;

    *kind = (dlb_py_producer){NULL, false, false, false, false};
    (void)PyObject_HasAttr((PyObject *)type, state->names[DLB_PY_DLPACK]); /* the lookup assigns a version to the type */
    version = dlb_py_type_version(type);
    if (look_up(state, type, kind) != 0) {
        return -1;
    }
    if (version != 0 && version == dlb_py_type_version(type)) { /* otherwise the type has changed during the lookup */
        remember_producer(state, type, version, kind);
    }
    return 0;
}
