/* SPDX-License-Identifier: MIT-0 */
/* Foreign types: how their objects can be imported, and calls of __dlpack__(). */

#include "object.h"

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
        const char *const string = called != NULL ? PyUnicode_AsUTF8AndSize(called, NULL) : NULL;

        result = string != NULL ? strncmp(string, prefix, sizeof prefix - 1) == 0 : -1;
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

bool dlb_py_is_ndarray_class(const dlb_py_state *state, PyObject *cls)
{
    return attribute_is(cls, state->names[DLB_PY_MODULE], "numpy") && attribute_is(cls, state->names[DLB_PY_QUALNAME], "ndarray");
}

/* The facts about a type after some of its classes have been searched, the nearest class first. */
typedef struct search {
    int found;     /* HAS_TABLE and HAS_CALL of the nearest class that has either; 0: none so far */
    int seen;      /* the attributes of nearer classes */
    int overrides; /* attributes that change the export, of classes nearer than the table */
    int call;      /* HAS_CALL and HAS_NONE of the nearest class that has __dlpack__ */
} search;

/* Adds the attributes of the next class to the search. Returns 0, or -1 with an exception. */
static int look_at_class(const dlb_py_state *state, PyObject *cls, bool is_base, search *so_far, dlb_py_producer *info)
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
        info->inherited = is_base;
        info->ndarray = dlb_py_is_ndarray_class(state, cls);
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
static int look_up(const dlb_py_state *state, PyTypeObject *type, dlb_py_producer *info)
{
    PyObject *const mro = PyObject_GetAttr((PyObject *)type, state->names[DLB_PY_MRO]);
    const Py_ssize_t count = mro != NULL && PyTuple_Check(mro) ? PyTuple_Size(mro) : -1;
    search so_far = {0, 0, 0, 0};
    int result = count < 0 ? -1 : 0;

    if (mro != NULL && count < 0) {
        (void)dlb_py_raise_message(PyExc_TypeError, "the __mro__ of a type must be a tuple");
    }
    for (Py_ssize_t i = 0; i < count && result == 0; i++) {
        result = look_at_class(state, PyTuple_GetItem(mro, i), i > 0, &so_far, info);
    }
    info->dlpack = so_far.call == HAS_CALL;
    if (result == 0 && (so_far.found & HAS_TABLE) != 0 && (so_far.overrides == 0 || !info->dlpack)) {
        result = read_table(state, type, &info->api);
        info->gradient = result == 0 && info->dlpack && info->api != NULL &&
                         PyObject_HasAttr((PyObject *)type, state->names[DLB_PY_REQUIRES_GRAD]);
    }
    dlb_py_discard(mro);
    return result;
}

/* ---- The cache of producer info ---- */

static void remember_producer(dlb_py_state *state, PyTypeObject *type, unsigned int version, const dlb_py_producer *info)
{
    dlb_py_known *const place = dlb_py_place_of(state, type);
    PyObject *old = NULL;

    DLB_PY_LOCK(state->call_names);
#if DLB_PY_TYPES_ARE_KEPT
    old = place->type;
    Py_INCREF((PyObject *)type);
#endif
    place->type = (PyObject *)type;
    place->version = version;
    place->info = *info;
    DLB_PY_UNLOCK();
    Py_XDECREF(old);
}

int dlb_py_find_producer(dlb_py_state *state, PyTypeObject *type, dlb_py_producer *info)
{
    unsigned int version;

    *info = (dlb_py_producer){NULL, false, false, false, false};
    if (dlb_py_check_stack() != 0) {
        return -1;
    }
    (void)PyObject_HasAttr((PyObject *)type, state->names[DLB_PY_DLPACK]); /* the lookup assigns a version to the type */
    version = dlb_py_type_version(type);
    if (look_up(state, type, info) != 0) {
        return -1;
    }
    if (version != 0 && version == dlb_py_type_version(type)) { /* otherwise the type has changed during the lookup */
        remember_producer(state, type, version, info);
    }
    return 0;
}

/* ---- Capsules ---- */

void dlb_py_delete_foreign(void *foreign)
{
    const dlb_py_foreign *const tensor = foreign;

    if (tensor->versioned != NULL) {
        dlb_py_end_versioned(tensor->versioned);
    } else if (tensor->legacy != NULL) {
        dlb_py_end_legacy(tensor->legacy);
    }
}

/* ---- Answers of producers ---- */

static const char answer_name[] = "dlb_answer";

/* The answer of a producer, which a call has requested before it takes its arguments. */
typedef struct stored_answer {
    PyObject *producer;
    dlb_py_foreign tensor; /* no tensor after it is consumed */
} stored_answer;

static void end_answer(PyObject *capsule)
{
    stored_answer *const answer = PyCapsule_GetPointer(capsule, answer_name);

    dlb_py_quietly(dlb_py_delete_foreign, &answer->tensor);
    dlb_py_quietly(dlb_py_decref, answer->producer);
    free(answer);
}

PyObject *dlb_py_store_answer(PyObject *producer, const dlb_py_foreign *tensor)
{
    stored_answer *const answer = malloc(sizeof *answer);
    PyObject *const capsule = answer != NULL ? PyCapsule_New(answer, answer_name, end_answer) : PyErr_NoMemory();

    if (capsule == NULL) {
        free(answer);
        return NULL;
    }
    Py_INCREF(producer);
    *answer = (stored_answer){producer, *tensor};
    return capsule;
}

PyObject *dlb_py_producer_behind(PyObject *value)
{
    if (!PyCapsule_CheckExact(value) || !PyCapsule_IsValid(value, answer_name)) {
        return value;
    }
    return ((const stored_answer *)PyCapsule_GetPointer(value, answer_name))->producer;
}

/* ---- Consumption ---- */

/* Raises a ValueError for a consumed capsule, or a TypeError for a capsule without a DLPack tensor. Returns -1. */
static int refuse_capsule(const char *name, PyObject *capsule)
{
    const char *const found = PyCapsule_GetName(capsule);

    if (found != NULL && (strcmp(found, "used_dltensor") == 0 || strcmp(found, "used_dltensor_versioned") == 0)) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s: this DLPack capsule has been consumed already", name);
    } else if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%s: a capsule named '%.100s' is not a DLPack capsule", name,
                     found != NULL ? found : "NULL");
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
    } else if (PyCapsule_IsValid(capsule, answer_name)) {
        stored_answer *const answer = PyCapsule_GetPointer(capsule, answer_name);

        *tensor = answer->tensor;
        answer->tensor = (dlb_py_foreign){NULL, NULL, NULL, false};
        return 0;
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

/* Returns whether the pending exception is a TypeError about the arguments of the call, so that the producer does not know the keyword.
 * Only the message tells it from a TypeError of the producer's own code, which must reach the caller. */
static bool about_keyword(const char *keyword)
{
    const char *const signs[] = {keyword, "takes no keyword arguments", "takes no arguments",
                                        "takes at most 0 keyword arguments", "did not match C++ signature",
                                        "positional argument", "incompatible function arguments"};
    dlb_py_exception pending;
    PyObject *string;
    const char *message;
    bool result = false;

    if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
        return false;
    }
    pending = dlb_py_fetch();
    string = pending.value != NULL ? PyObject_Str(pending.value) : NULL;
    message = string != NULL ? PyUnicode_AsUTF8AndSize(string, NULL) : NULL;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        result = result || message_contains(message, signs[i]);
    }
    Py_XDECREF(string);
    dlb_py_restore(&pending);
    return result;
}

static bool about_arguments(void)
{
    return about_keyword("max_version");
}

static bool about_keywords(void)
{
    return about_arguments() || about_keyword("'copy'") || about_keyword("'dl_device'");
}

/* Calls producer.__dlpack__(), with max_version=(1, 3) if `keyword`. Returns a new reference, or NULL with an exception. */
static PyObject *call_producer(const dlb_py_state *state, PyObject *producer, bool keyword)
{
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030C0000
    PyObject *const method = dlb_py_check_stack_at(state, (uintptr_t)&keyword) == 0 ? PyObject_GetAttr(producer, state->names[DLB_PY_DLPACK]) : NULL;
    PyObject *result;

    if (method == NULL) {
        return NULL;
    }
    result = PyObject_Call(method, state->no_arguments, keyword ? state->call_keywords : NULL);
    Py_DECREF(method);
    return result;
#else
    PyObject *const args[2] = {producer, state->call_version};

    if (dlb_py_check_stack_at(state, (uintptr_t)args) != 0) {
        return NULL;
    }
    return PyObject_VectorcallMethod(state->names[DLB_PY_DLPACK], args, 1, keyword ? state->call_names : NULL);
#endif
}

/* Calls producer.__dlpack__(max_version=(1, 3)), and again without the keyword if the producer does not know it. If the second call
 * fails for its arguments as well, the first exception is raised, since it is more specific. Returns a new reference, or NULL. */
static PyObject *call_dlpack(const dlb_py_state *state, PyObject *producer)
{
    PyObject *capsule = call_producer(state, producer, true);
    dlb_py_exception first;

    if (capsule != NULL || !about_arguments()) {
        return capsule;
    }
    first = dlb_py_fetch();
    capsule = call_producer(state, producer, false);
    if (capsule == NULL && about_arguments()) {
        dlb_py_restore(&first);
        return NULL;
    }
    dlb_py_forget_exception(&first);
    return capsule;
}

int dlb_py_has_dlpack(const dlb_py_state *state, PyObject *object)
{
    PyObject *const method = dlb_py_check_stack() == 0 ? PyObject_GetAttr(object, state->names[DLB_PY_DLPACK]) : NULL;
    const bool has = method != NULL && method != Py_None;

    if (method == NULL) {
        return dlb_py_may_try_another() ? 0 : -1;
    }
    Py_DECREF(method);
    return has;
}

/* Returns whether the attribute __dlpack__ of the object is None, 1 or 0; or -1 with an exception. The attribute of its type can differ. */
static int has_none(const dlb_py_state *state, PyObject *producer)
{
    PyObject *const method = PyObject_GetAttr(producer, state->names[DLB_PY_DLPACK]);
    const bool none = method == Py_None;

    if (method == NULL) {
        return dlb_py_may_try_another() ? 0 : -1;
    }
    Py_DECREF(method);
    return none;
}

/* Returns whether a call of __dlpack__() failed since there is no such method, 1 or 0; or -1 with an exception. `called`: the value of the
 * attribute was called. */
static int lacks_method_dlpack(const dlb_py_state *state, PyObject *producer, bool called)
{
    int has;

    if (called) {
        return has_none(state, producer);
    }
    has = dlb_py_has_dlpack(state, (PyObject *)Py_TYPE(producer)); /* then a property raised the AttributeError */
    if (has == 0) {
        has = dlb_py_has_dlpack(state, producer);
    }
    return has < 0 ? -1 : !has;
}

bool dlb_py_lacks_dlpack(const dlb_py_state *state, PyObject *producer)
{
    const bool called = PyErr_ExceptionMatches(PyExc_TypeError); /* a call of None raises a TypeError */
    dlb_py_exception pending;
    dlb_py_exception raised;
    int lacks;

    if (!called && !PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return false;
    }
    pending = dlb_py_fetch();
    lacks = lacks_method_dlpack(state, producer, called);
    if (lacks == 0) {
        dlb_py_restore(&pending);
        return false;
    }
    raised = dlb_py_fetch();
    dlb_py_forget_exception(&pending);
    dlb_py_restore(&raised);
    return lacks > 0;
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

/* Consumes the answer of __dlpack__(), and takes over the reference. NULL: an exception is pending. Returns 0, or -1 with an exception. */
static int take_answer(const char *name, PyObject *producer, PyObject *capsule, dlb_py_foreign *tensor)
{
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
        dlb_py_quietly(dlb_py_delete_foreign, tensor);
        return -1;
    }
    return consumed;
}

int dlb_py_call_dlpack(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor)
{
    return take_answer(name, producer, call_dlpack(state, producer), tensor);
}

/* Calls producer.__dlpack__() with the keywords in `base`, dl_device, copy and stream; NULL: without this argument. Returns a new
 * reference, or NULL with an exception. */
static PyObject *ask_producer(const dlb_py_state *state, PyObject *producer, PyObject *base, PyObject *device, PyObject *copy,
                              PyObject *stream)
{
    PyObject *const method = dlb_py_check_stack() == 0 ? PyObject_GetAttr(producer, state->names[DLB_PY_DLPACK]) : NULL;
    PyObject *const keywords = method == NULL ? NULL : base != NULL ? PyDict_Copy(base) : PyDict_New();
    PyObject *result = NULL;

    if (keywords != NULL && (device == NULL || PyDict_SetItem(keywords, state->names[DLB_PY_DL_DEVICE], device) == 0) &&
        (copy == NULL || PyDict_SetItem(keywords, state->names[DLB_PY_COPY], copy) == 0) &&
        (stream == NULL || PyDict_SetItem(keywords, state->names[DLB_PY_STREAM], stream) == 0)) {
        result = PyObject_Call(method, state->no_arguments, keywords);
    }
    Py_XDECREF(keywords);
    Py_XDECREF(method);
    return result;
}

/* Calls producer.__dlpack__() with copy=copy and stream=stream, unless they are NULL, and consumes the capsule. A producer that does not know
 * `copy` or `max_version` is called without them; `stream` is never left out. Returns 0, or -1 with an exception. */
static int ask_dlpack(const dlb_py_state *state, const char *name, PyObject *producer, PyObject *copy, PyObject *stream,
                      dlb_py_foreign *tensor)
{
    PyObject *capsule = ask_producer(state, producer, state->call_keywords, NULL, copy, stream);

    if (capsule == NULL && about_keywords()) { /* an older producer: its answer says where it is, and whether it is a copy */
        PyErr_Clear();
        capsule = stream != NULL ? ask_producer(state, producer, NULL, NULL, NULL, stream) : call_dlpack(state, producer);
    }
    return take_answer(name, producer, capsule, tensor);
}

/* Returns whether a copy on the CPU suffices, so that a producer on another device may be asked for one. */
static bool takes_copy_on_cpu(const dlb_requirements *require)
{
    return dlb_py_lists_device(require, kDLCPU) && require->copy != DLB_COPY_NEVER;
}

/* Returns the device of a tensor. The other members of an unknown major version must not be read: it counts as a tensor on the CPU, and its
 * version is refused later. */
static DLDevice device_of(const dlb_py_foreign *tensor)
{
    if (tensor->versioned == NULL) {
        return tensor->legacy->dl_tensor.device;
    }
    return DLB_LIKELY(tensor->versioned->version.major == DLB_VERSION_MAJOR) ? tensor->versioned->dl_tensor.device : DLB_CPU;
}

/* Asks a producer for its tensor on the CPU. `copy`: the argument `copy`, which a producer need not know; or NULL. Returns 0; 1, without an
 * exception, if the producer refuses; or -1 with an exception that must reach the caller. */
static int ask_for_cpu(const dlb_py_state *state, const char *name, PyObject *producer, PyObject *copy, dlb_py_foreign *tensor)
{
    PyObject *capsule = ask_producer(state, producer, state->call_keywords, state->cpu, copy, NULL);

    if (capsule == NULL && copy != NULL && about_keyword("'copy'")) {
        PyErr_Clear();
        capsule = ask_producer(state, producer, state->call_keywords, state->cpu, NULL, NULL);
    }
    if (take_answer(name, producer, capsule, tensor) == 0) {
        return 0;
    }
    return dlb_py_may_try_another() ? 1 : -1;
}

/* Asks a producer for a copy on the CPU after it has raised an exception, which stays pending if it refuses, since it is more specific.
 * Returns 0, or -1 with an exception. */
static int ask_after_refusal(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor)
{
    dlb_py_exception first = dlb_py_fetch();
    const int result = ask_for_cpu(state, name, producer, NULL, tensor);

    if (result > 0) {
        dlb_py_restore(&first);
        return -1;
    }
    dlb_py_forget_exception(&first);
    return result;
}

/* Asks a producer for a copy on the CPU, in the place of its tensor on another device. If it refuses, the check of this tensor says why it
 * is refused. Returns 0; or -1 with an exception, and deletes the tensor. */
static int replace_by_copy(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor)
{
    dlb_py_foreign there;
    const int result = ask_for_cpu(state, name, producer, NULL, &there);

    if (result > 0) {
        return 0;
    }
    dlb_py_quietly(dlb_py_delete_foreign, tensor);
    *tensor = result == 0 ? there : *tensor;
    return result;
}

static bool is_copied(const dlb_py_foreign *tensor)
{
    return tensor->versioned != NULL && tensor->versioned->version.major == DLB_VERSION_MAJOR &&
           (tensor->versioned->flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0;
}

/* Waits until the CPU can read a tensor in managed memory. A producer that is asked for the CPU waits for the work of the GPU (array API:
 * __dlpack__). If it refuses, or has copied although nobody needs a copy, its tensor stays, and the driver of CUDA waits for the stream for
 * which the producer has made the tensor ready. Returns 0; or -1 with an exception, and deletes the tensor. */
static int finish_work(const dlb_py_state *state, const char *name, PyObject *producer, const dlb_requirements *require,
                       const dlb_py_stream *stream, dlb_py_foreign *tensor)
{
    PyObject *const copy = require->copy == DLB_COPY_NEVER ? Py_False : NULL;
    dlb_py_foreign ready;
    intptr_t number;
    int result = ask_for_cpu(state, name, producer, copy, &ready);

    if (result == 0 && copy != NULL && is_copied(&ready)) {
        dlb_py_quietly(dlb_py_delete_foreign, &ready);
        result = 1;
    }
    if (result > 0) {
        result = dlb_py_stream_on(name, kDLCUDAManaged, stream, &number) == 0 ? dlb_py_wait_for_gpu(name, number) : -1;
        if (result == 0) {
            return 0;
        }
    }
    dlb_py_quietly(dlb_py_delete_foreign, tensor);
    *tensor = result == 0 ? ready : *tensor;
    return result;
}

/* Calls producer.__dlpack__() with the stream, if the producer is on a device with streams, and with copy=False, if `copy` is False.
 * Returns 0, or -1 with an exception. */
static int call_on_stream(const dlb_py_state *state, const char *name, PyObject *producer, PyObject *copy, const dlb_py_stream *stream,
                          dlb_py_foreign *tensor)
{
    PyObject *number = NULL;
    int result;

    if (stream != NULL && dlb_py_stream_for_producer(state, name, producer, stream, &number) != 0) {
        return -1;
    }
    if (copy != Py_False && number == NULL) {
        return dlb_py_call_dlpack(state, name, producer, tensor);
    }
    result = ask_dlpack(state, name, producer, copy == Py_False ? copy : NULL, number, tensor);
    Py_XDECREF(number);
    return result;
}

/* Returns whether two tensors certainly have different memory: both exist, and begin at different addresses, or have no elements. */
static bool have_other_memory(const dlb_py_foreign *a, const dlb_py_foreign *b)
{
    const DLTensor *const one = a->versioned != NULL ? &a->versioned->dl_tensor : &a->legacy->dl_tensor;
    const DLTensor *const other = b->versioned != NULL ? &b->versioned->dl_tensor : &b->legacy->dl_tensor;

    return one->data != other->data || one->byte_offset != other->byte_offset || dlb_element_count(one) == 0;
}

/* Marks `copy` as a copy of the producer if it is one. PyTorch 2.13 does not set the flag. Memory at another address is a copy, since both
 * tensors exist. Returns whether it is a copy. */
static bool mark_copy(const dlb_py_foreign *tensor, const dlb_py_foreign *copy)
{
    if (is_copied(copy)) {
        return true;
    }
    if (copy->versioned == NULL || copy->versioned->version.major != DLB_VERSION_MAJOR || !have_other_memory(tensor, copy)) {
        return false;
    }
    copy->versioned->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
    return true;
}

/* Replaces a tensor that the CPU cannot read by a copy that its producer makes on the same device. `device`: the argument `dl_device`, or
 * NULL. A producer that does not know the argument `copy` keeps its tensor, which the import refuses. Returns 0; or -1 with an exception,
 * and deletes the tensor. */
static int copy_on_device(const dlb_py_state *state, const char *name, PyObject *producer, PyObject *device, const dlb_py_stream *stream,
                          dlb_py_foreign *tensor)
{
    const DLDeviceType type = device_of(tensor).device_type;
    PyObject *number = NULL;
    PyObject *capsule = NULL;
    char buffer[DLB_NAME_SIZE];
    dlb_py_foreign copy;
    int result = stream != NULL ? dlb_py_stream_for(name, type, stream, &number) : 0;

    if (result == 0) {
        capsule = ask_producer(state, producer, state->call_keywords, device, Py_True, number);
        if (capsule == NULL && about_keywords()) {
            PyErr_Clear();
            Py_XDECREF(number);
            return 0;
        }
        result = take_answer(name, producer, capsule, &copy);
    }
    Py_XDECREF(number);
    if (result == 0 && !mark_copy(tensor, &copy)) {
        dlb_py_quietly(dlb_py_delete_foreign, &copy);
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the producer has not copied the data on %s, and the CPU cannot", name,
                                dlb_device_name(type, buffer));
        result = -1;
    }
    dlb_py_quietly(dlb_py_delete_foreign, tensor);
    *tensor = result == 0 ? copy : *tensor;
    return result;
}

/* Returns whether the consumer needs a copy of a tensor that the CPU cannot read, so that the producer must make it. */
static bool needs_copy_on_device(const dlb_requirements *require, const dlb_py_foreign *tensor)
{
    const DLDeviceType type = device_of(tensor).device_type;

    return require != NULL && require->copy == DLB_COPY_ALWAYS && !dlb_host_readable(type) && !is_copied(tensor) &&
           (require->device_count == 0 || dlb_py_lists_device(require, type));
}

/* Asks the producer again where its first answer, with the status `result`, is not one for the CPU that the requirements list. Returns 0,
 * or -1 with an exception. */
DLB_NOINLINE static int ask_again(const dlb_py_state *state, const char *name, PyObject *producer, const dlb_requirements *require,
                                  const dlb_py_stream *stream, int result, dlb_py_foreign *tensor)
{
    DLDeviceType type;

    if (result != 0) {
        return takes_copy_on_cpu(require) && PyErr_ExceptionMatches(PyExc_BufferError)
                   ? ask_after_refusal(state, name, producer, tensor)
                   : -1;
    }
    type = device_of(tensor).device_type;
    if (dlb_py_shares_with_gpu(require, type)) {
        return finish_work(state, name, producer, require, stream, tensor);
    }
    if (needs_copy_on_device(require, tensor)) {
        return copy_on_device(state, name, producer, NULL, stream, tensor);
    }
    return takes_copy_on_cpu(require) && !dlb_py_lists_device(require, type) && !dlb_host_readable(type)
               ? replace_by_copy(state, name, producer, tensor)
               : 0;
}

int dlb_py_call_for(const dlb_py_state *state, const char *name, PyObject *producer, const dlb_requirements *require, PyObject *copy,
                    const dlb_py_stream *stream, dlb_py_foreign *tensor)
{
    const int result = DLB_LIKELY(copy != Py_False && stream == NULL)
                           ? dlb_py_call_dlpack(state, name, producer, tensor)
                           : call_on_stream(state, name, producer, copy, stream, tensor);

    return DLB_LIKELY(result == 0 && device_of(tensor).device_type == kDLCPU)
               ? 0
               : ask_again(state, name, producer, require, stream, result, tensor);
}

/* Returns whether a tensor is on the device. Memory that the CPU can read is on the CPU, too. */
static bool is_on(DLDevice device, const dlb_py_foreign *tensor)
{
    const DLDevice is = device_of(tensor);

    return device.device_type == kDLCPU ? dlb_host_readable(is.device_type)
                                        : is.device_type == device.device_type && is.device_id == device.device_id;
}

/* Asks a producer without the keyword dl_device, which it has refused with the pending exception: its array may be on the device already.
 * If it is not, or if the producer fails again, the first exception is raised, since it is more specific. An older producer does not know
 * the keyword (`older`): then the second exception counts, or the check of the tensor. Returns 0, or -1 with an exception. */
static int ask_without_device(const dlb_py_state *state, const char *name, PyObject *producer, DLDevice device, PyObject *copy,
                              PyObject *number, dlb_py_foreign *tensor)
{
    const bool older = about_keywords();
    dlb_py_exception first = dlb_py_fetch();
    int result = ask_dlpack(state, name, producer, copy, number, tensor);

    if (result == 0 && !older && !is_on(device, tensor)) {
        dlb_py_quietly(dlb_py_delete_foreign, tensor);
        result = 1;
    } else if (result != 0 && (!older || about_keywords()) && dlb_py_may_try_another()) {
        result = 1;
    }
    if (result > 0) {
        dlb_py_restore(&first);
        return -1;
    }
    dlb_py_forget_exception(&first);
    if (result == 0 && device.device_type == kDLCPU && device_of(tensor).device_type == kDLCUDAManaged &&
        dlb_py_wait_for_gpu(name, dlb_py_default_stream(kDLCUDAManaged)) != 0) {
        dlb_py_quietly(dlb_py_delete_foreign, tensor);
        return -1;
    }
    return result;
}

/* Calls producer.__dlpack__() with dl_device=pair, the tuple of `device`. Returns 0, or -1 with an exception. */
static int call_on(const dlb_py_state *state, const char *name, PyObject *producer, DLDevice device, PyObject *pair, PyObject *copy,
                   const dlb_py_stream *stream, dlb_py_foreign *tensor)
{
    PyObject *const no_copy = copy == Py_False ? copy : NULL; /* a copy is requested only where the CPU cannot make it */
    PyObject *number = NULL;
    PyObject *capsule;
    int result;

    if (stream != NULL && dlb_py_stream_for(name, device.device_type, stream, &number) != 0) {
        return -1;
    }
    capsule = ask_producer(state, producer, state->call_keywords, pair, no_copy, number);
    if (capsule != NULL || dlb_py_is_final()) {
        result = take_answer(name, producer, capsule, tensor);
    } else {
        result = ask_without_device(state, name, producer, device, no_copy, number, tensor);
    }
    Py_XDECREF(number);
    return result;
}

int dlb_py_call_on(const dlb_py_state *state, const char *name, PyObject *producer, DLDevice device, const dlb_requirements *require,
                   PyObject *copy, const dlb_py_stream *stream, dlb_py_foreign *tensor)
{
    PyObject *const pair = Py_BuildValue("(ii)", (int)device.device_type, (int)device.device_id);
    int result = pair != NULL ? call_on(state, name, producer, device, pair, copy, stream, tensor) : -1;

    if (result == 0 && needs_copy_on_device(require, tensor)) {
        result = copy_on_device(state, name, producer, pair, stream, tensor);
    }
    Py_XDECREF(pair);
    return result;
}

int dlb_py_requires_grad(const dlb_py_state *state, PyObject *producer)
{
    int result = -1;
    PyObject *const value = dlb_py_check_stack_at(state, (uintptr_t)&result) == 0 ? PyObject_GetAttr(producer, state->names[DLB_PY_REQUIRES_GRAD]) : NULL;

    if (value != NULL) {
        result = PyObject_IsTrue(value);
        Py_DECREF(value);
    }
    return result < 0 && dlb_py_may_try_another() ? 1 : result;
}

int dlb_py_table_failed(const dlb_py_producer *info, const char *name, PyObject *producer)
{
    if (info->dlpack && PyErr_Occurred() == PyExc_RuntimeError) { /* __dlpack__() explains it better; subclasses stay */
        PyErr_Clear();
        return 1;
    }
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_RuntimeError, "%s: the exchange table of %R failed without an exception", name,
                     (PyObject *)Py_TYPE(producer));
    }
    return -1;
}
