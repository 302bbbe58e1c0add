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

/* ---- Attributes of values ---- */

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

    dlb_py_quietly(delete_foreign, &answer->tensor);
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
        dlb_py_quietly(delete_foreign, tensor);
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

int dlb_py_ask_dlpack(const dlb_py_state *state, const char *name, PyObject *producer, PyObject *device, PyObject *copy,
                      PyObject *stream, dlb_py_foreign *tensor)
{
    PyObject *capsule = ask_producer(state, producer, state->call_keywords, device, copy, stream);

    if (capsule == NULL && about_keywords()) { /* an older producer: its answer says where it is, and whether it is a copy */
        PyErr_Clear();
        capsule = stream != NULL ? ask_producer(state, producer, NULL, NULL, NULL, stream) : call_dlpack(state, producer);
    }
    return take_answer(name, producer, capsule, tensor);
}

/* Returns whether a copy on the CPU suffices, so that a producer on another device may be asked for one. */
static bool takes_copy_on_cpu(const dlb_requirements *require)
{
    bool listed = false;

    for (size_t i = 0; require != NULL && i < require->device_count; i++) {
        listed = listed || require->devices[i] == kDLCPU;
    }
    return listed && require->copy != DLB_COPY_NEVER;
}

/* Returns whether the memory of a tensor is on a device that the requirements do not list. */
static bool is_elsewhere(const dlb_requirements *require, const dlb_py_foreign *tensor)
{
    DLDeviceType type;

    if (tensor->versioned != NULL && tensor->versioned->version.major != DLB_VERSION_MAJOR) {
        return false; /* other members of an unknown major version must not be read */
    }
    type = tensor->versioned != NULL ? tensor->versioned->dl_tensor.device.device_type : tensor->legacy->dl_tensor.device.device_type;
    for (size_t i = 0; i < require->device_count; i++) {
        if (require->devices[i] == type) {
            return false;
        }
    }
    return !dlb_host_readable(type);
}

/* Asks a producer for its tensor on the CPU, after it has refused or has given one on another device. Returns 0, or -1 with the exception
 * that is pending, if there is one. */
static int ask_for_cpu(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor)
{
    dlb_py_exception first = dlb_py_fetch();
    dlb_py_foreign there;

    if (dlb_py_ask_dlpack(state, name, producer, state->cpu, NULL, NULL, &there) != 0) {
        if (dlb_py_may_try_another()) {
            dlb_py_restore(&first); /* it is more specific */
        } else {
            dlb_py_forget_exception(&first);
        }
        return -1;
    }
    dlb_py_forget_exception(&first);
    *tensor = there;
    return 0;
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
    result = dlb_py_ask_dlpack(state, name, producer, NULL, copy == Py_False ? copy : NULL, number, tensor);
    Py_XDECREF(number);
    return result;
}

int dlb_py_call_for(const dlb_py_state *state, const char *name, PyObject *producer, const dlb_requirements *require, PyObject *copy,
                    const dlb_py_stream *stream, dlb_py_foreign *tensor)
{
    const int result = DLB_LIKELY(copy != Py_False && stream == NULL)
                           ? dlb_py_call_dlpack(state, name, producer, tensor)
                           : call_on_stream(state, name, producer, copy, stream, tensor);
    dlb_py_foreign first;

    if (DLB_LIKELY(!takes_copy_on_cpu(require))) {
        return result;
    }
    if (result != 0) {
        return PyErr_ExceptionMatches(PyExc_BufferError) ? ask_for_cpu(state, name, producer, tensor) : -1;
    }
    if (is_elsewhere(require, tensor)) {
        first = *tensor;
        if (ask_for_cpu(state, name, producer, tensor) == 0) {
            dlb_py_quietly(delete_foreign, &first);
        } else if (PyErr_Occurred()) {
            dlb_py_quietly(delete_foreign, &first);
            return -1;
        } /* else the check of the first answer says why it is refused */
    }
    return 0;
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
