/* SPDX-License-Identifier: MIT-0 */
/* __dlpack__(): the fast path, and all keywords. */

#include "object.h"

static const char legacy_name[] = "dltensor";
static const char versioned_name[] = "dltensor_versioned";

/* ---- Capsules ---- */

/* Returns whether the capsule still has `name`, that is, whether no consumer has taken the tensor. The destructor must then delete it.
 * The comparison of addresses comes first: it succeeds for nearly all capsules. */
static bool capsule_is_named(PyObject *capsule, const char *name)
{
    return PyCapsule_GetName(capsule) == name || PyCapsule_IsValid(capsule, name);
}

static void destroy_exported_owner(void *owner)
{
    dlb_owner_end(owner);
}

/* Releases the share of an export in the owner's slot. Usually other shares remain: then no foreign code runs, and a pending exception
 * need not be set aside. */
static inline void release_export_slot(dlb_owner *owner)
{
    if (DLB_UNLIKELY(dlb_owner_gave_last(owner, DLB_EXPORT))) {
        dlb_py_quietly(destroy_exported_owner, owner);
    }
}

/* Deletes the tensor of a legacy capsule that was not consumed. The tensor is also the context, which is read without a comparison of
 * names. */
static void destroy_legacy_capsule(PyObject *capsule)
{
    if (capsule_is_named(capsule, legacy_name)) {
        DLManagedTensor *const tensor = PyCapsule_GetContext(capsule);

        if (DLB_LIKELY(tensor->deleter == dlb_delete_legacy_slot)) {
            release_export_slot(tensor->manager_ctx);
        } else {
            dlb_py_quietly(dlb_py_delete_legacy, tensor);
        }
    }
}

static void destroy_versioned_capsule(PyObject *capsule)
{
    if (capsule_is_named(capsule, versioned_name)) {
        DLManagedTensorVersioned *const tensor = PyCapsule_GetContext(capsule);

        if (DLB_LIKELY(tensor->deleter == dlb_delete_versioned_slot)) {
            release_export_slot(tensor->manager_ctx);
        } else {
            dlb_py_quietly(dlb_py_delete_tensor, tensor);
        }
    }
}

PyObject *dlb_py_legacy_capsule(DLManagedTensor *tensor)
{
    PyObject *const capsule = PyCapsule_New(tensor, legacy_name, destroy_legacy_capsule);

    if (capsule == NULL) {
        dlb_py_quietly(dlb_py_delete_legacy, tensor);
    } else {
        (void)PyCapsule_SetContext(capsule, tensor);
    }
    return capsule;
}

PyObject *dlb_py_versioned_capsule(DLManagedTensorVersioned *tensor)
{
    PyObject *const capsule = PyCapsule_New(tensor, versioned_name, destroy_versioned_capsule);

    if (capsule == NULL) {
        dlb_py_quietly(dlb_py_delete_tensor, tensor);
    } else {
        (void)PyCapsule_SetContext(capsule, tensor);
    }
    return capsule;
}

/* ---- Slow path of exports ---- */

int dlb_py_check_no_records(const dlb_owner *owner)
{
    if (DLB_UNLIKELY(dlb_py_record_of(owner->type, owner->object) != NULL)) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: DLPack has no records: use numpy.asarray() or memoryview(), which read the buffer",
                                owner->type->name);
        return -1;
    }
    return 0;
}

DLManagedTensorVersioned *dlb_py_export_slow(dlb_owner *owner, bool counted)
{
    DLManagedTensorVersioned *tensor;
    dlb_error error;
    int result;

    if (dlb_py_check_no_records(owner) != 0) { /* such an export is not counted: its type has no fast description */
        return NULL;
    }
    result = counted ? dlb_export_slow(owner, true, &tensor, &error) : dlb_export(owner, &tensor, &error);
    if (result != 0) {
        (void)dlb_py_raise(&error);
        return NULL;
    }
    return tensor;
}

DLManagedTensor *dlb_py_export_legacy_slow(dlb_owner *owner, bool counted)
{
    DLManagedTensor *tensor;
    dlb_error error;
    int result;

    if (dlb_py_check_no_records(owner) != 0) {
        return NULL;
    }
    result = counted ? dlb_export_legacy_slow(owner, true, &tensor, &error) : dlb_export_legacy(owner, &tensor, &error);
    if (result != 0) {
        (void)dlb_py_raise(&error);
        return NULL;
    }
    return tensor;
}

/* ---- Fast path of __dlpack__() ---- */

/* Does the work of fast_request() for a tuple of keywords that is not cached, such as one that `**keywords` creates for each call.
 * Returns 1 for a versioned tensor, 0 for a legacy one, or -1 for the slow path. */
DLB_NOINLINE static int fast_names(const dlb_py_state *state, PyObject *const *args, PyObject *kwnames)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(kwnames);
    int versioned = 0;

    for (Py_ssize_t i = 0; i < count; i++) {
        const int keyword = dlb_py_keyword_at(state, PyTuple_GET_ITEM(kwnames, i));

        if (keyword == DLB_PY_MAX_VERSION && args[i] == state->known_version) {
            versioned = 1;
        } else if (args[i] != Py_None || keyword < 0) {
            return -1;
        }
    }
    return versioned;
}

/* Recognizes the frequent request for a view: a cached tuple of keywords whose values are None, except for max_version. Returns 1 for a
 * versioned tensor, 0 for a legacy one, or -1 for the slow path, dlb_py_answer(). The slow path also serves objects that are closed, or
 * whose calls must share the owner. */
static int fast_request(const dlb_py_object *self, PyObject *const *args, PyObject *kwnames)
{
    const dlb_py_request *known;
    int versioned = 0;

    if (self->object == NULL) {
        return -1;
    }
    if (kwnames == NULL) {
        return 0;
    }
    known = dlb_py_request_of(self->state, kwnames);
    if (kwnames != known->names) {
        return fast_names(self->state, args, kwnames);
    }
    for (Py_ssize_t i = 0; i < known->count; i++) {
        if (i == known->version_at && args[i] == known->version) {
            versioned = 1;
        } else if (args[i] != Py_None) {
            return -1;
        }
    }
    return versioned;
}

static inline PyObject *answer_fast(dlb_owner *owner, int versioned)
{
    if (versioned) {
        DLManagedTensorVersioned *const tensor = dlb_py_export(owner);

        return tensor != NULL ? dlb_py_versioned_capsule(tensor) : NULL;
    } else {
        DLManagedTensor *const tensor = dlb_py_export_legacy(owner);

        return tensor != NULL ? dlb_py_legacy_capsule(tensor) : NULL;
    }
}

PyObject *dlb_py_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    int fast;

    if (nargs != 0) {
        (void)dlb_py_raise_message(PyExc_TypeError, "__dlpack__() takes no positional arguments (%zd given)", nargs);
        return NULL;
    }
    fast = fast_request(dlb_py_data(self), args, kwnames);
    return fast >= 0 ? answer_fast(dlb_py_data(self)->owner, fast) : dlb_py_answer(self, args, kwnames);
}

/* The request of the consumer. */
typedef struct dlpack_request {
    PyObject *stream;   /* the argument, or NULL for None */
    intptr_t address;   /* the same argument as a number */
    bool is_address;    /* `address` is valid: the number fits */
    PyObject *version;  /* the argument, or NULL for None */
    bool versioned;
    bool copy;    /* True was given */
    bool no_copy; /* False was given */
    bool has_device;
    bool as_cpu; /* the device is not the CPU, but the CPU can read its memory */
    DLDevice device; /* valid if `elsewhere` */
} dlpack_request;

/* ---- Keywords ---- */

/* Reads an integer, clamped to the range of `long long`. Returns 0 or -1. A value that is not an integer sets no exception. */
static int read_number_of(PyObject *value, const char *keyword, long long *number)
{
    PyObject *const integer = dlb_py_as_integer(value);
    int overflow;

    if (integer == NULL) {
        return PyErr_Occurred() && !dlb_py_switches_off(value, "__index__") ? dlb_py_name_argument("__dlpack__", keyword) : -1;
    }
    *number = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow != 0) {
        *number = overflow > 0 ? LLONG_MAX : LLONG_MIN;
    }
    Py_DECREF(integer);
    return 0;
}

/* Reads a tuple of two integers. Returns 0, or -1 with an exception. */
static int read_pair(PyObject *value, const char *keyword, long long *first, long long *second)
{
    if (PyTuple_Check(value) && PyTuple_GET_SIZE(value) == 2 &&
        read_number_of(PyTuple_GET_ITEM(value, 0), keyword, first) == 0 &&
        read_number_of(PyTuple_GET_ITEM(value, 1), keyword, second) == 0) {
        return 0;
    }
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "__dlpack__() argument '%s' must be None or a tuple of two ints, not %R", keyword,
                     value);
    }
    return -1;
}

static int read_max_version(PyObject *value, dlpack_request *wanted)
{
    long long major;
    long long minor;

    if (value == Py_None) {
        return 0;
    }
    if (read_pair(value, "max_version", &major, &minor) != 0) {
        return -1;
    }
    wanted->versioned = major >= DLB_VERSION_MAJOR; /* exports have our minor version, which any 1.x consumer accepts */
    wanted->version = value;
    return 0;
}

static int read_device(PyObject *value, dlpack_request *wanted)
{
    long long type;
    long long id;

    if (value == Py_None) {
        return 0;
    }
    if (read_pair(value, "dl_device", &type, &id) != 0) {
        return -1;
    }
    if (type <= 0 || type > INT32_MAX || id < 0 || id > INT32_MAX) {
        PyErr_Format(PyExc_BufferError, "there is no DLPack device %R", value);
        return -1;
    }
    wanted->has_device = true;
    wanted->device = (DLDevice){(DLDeviceType)type, (int32_t)id};
    return 0;
}

static int read_copy(PyObject *value, dlpack_request *wanted)
{
    int truth;

    if (value == Py_None) {
        return 0;
    }
    if (!dlb_py_is_bool(value)) {
        PyErr_Format(PyExc_TypeError, "__dlpack__() argument 'copy' must be None or a bool, not %R", value);
        return -1;
    }
    truth = dlb_py_check_stack() == 0 ? PyObject_IsTrue(value) : -1; /* a class may only have the name of numpy.bool */
    wanted->copy = truth > 0;
    wanted->no_copy = truth == 0;
    return truth < 0 ? -1 : 0;
}

static int read_stream(PyObject *value, dlpack_request *wanted)
{
    if (value == Py_None) {
        return 0;
    }
    wanted->stream = value;
    return dlb_py_read_stream("__dlpack__", value, &wanted->address, &wanted->is_address);
}

static int read_value(int keyword, PyObject *value, dlpack_request *wanted)
{
    switch (keyword) {
    case DLB_PY_MAX_VERSION:
        return read_max_version(value, wanted);
    case DLB_PY_DL_DEVICE:
        return read_device(value, wanted);
    case DLB_PY_COPY:
        return read_copy(value, wanted);
    default:
        return read_stream(value, wanted);
    }
}

static int read_keyword(const dlb_py_state *state, PyObject *name, PyObject *value, dlpack_request *wanted)
{
    const int known = dlb_py_keyword_at(state, name);

    if (known >= 0) {
        return read_value(known, value, wanted);
    }
    for (int keyword = DLB_PY_MAX_VERSION; keyword <= DLB_PY_STREAM; keyword++) {
        const int difference = PyUnicode_Compare(name, state->names[keyword]);

        if (difference == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (difference == 0) {
            return read_value(keyword, value, wanted);
        }
    }
    PyErr_Format(PyExc_TypeError, "__dlpack__() got an unexpected keyword argument '%U'", name);
    return -1;
}

/* Returns whether the tuple holds exact ints only. Its meaning then never changes, and keeping it keeps nothing else alive. */
static bool is_constant(PyObject *pair)
{
    return PyTuple_CheckExact(pair) && PyLong_CheckExact(PyTuple_GET_ITEM(pair, 0)) &&
           PyLong_CheckExact(PyTuple_GET_ITEM(pair, 1));
}

/* Remembers the keywords of a call and its max_version, if all names are our interned strings. dlb_py_dlpack() then recognises them by
 * their addresses. */
static void remember_request(dlb_py_state *state, PyObject *kwnames, const dlpack_request *wanted)
{
    dlb_py_request *const place = dlb_py_request_of(state, kwnames);
    const dlb_py_request old = *place;
    PyObject *const version = wanted->versioned && is_constant(wanted->version) ? wanted->version : NULL;
    const Py_ssize_t count = PyTuple_GET_SIZE(kwnames);
    Py_ssize_t version_at = -1;

    for (Py_ssize_t i = 0; i < count; i++) {
        const int keyword = dlb_py_keyword_at(state, PyTuple_GET_ITEM(kwnames, i));

        if (keyword < 0) {
            return;
        }
        version_at = keyword == DLB_PY_MAX_VERSION ? i : version_at;
    }
    Py_INCREF(kwnames);
    Py_XINCREF(version);
    *place = (dlb_py_request){kwnames, version, version_at, count};
    Py_XDECREF(old.names);
    Py_XDECREF(old.version);
    if (version != NULL) {
        PyObject *const last = state->known_version;

        Py_INCREF(version);
        state->known_version = version;
        Py_XDECREF(last);
    }
}

/* ---- The export ---- */

/* Reads the stream, and checks that the array API and the device allow it. Returns 0, or -1 with an exception. */
static int validate_stream(const char *name, DLDeviceType device, const dlpack_request *wanted, intptr_t *stream)
{
    if (wanted->stream == NULL) {
        *stream = dlb_py_default_stream(device);
        return 0;
    }
    *stream = wanted->address;
    return wanted->is_address ? dlb_py_check_stream(name, device, wanted->address) : dlb_py_refuse_stream(name, wanted->stream);
}

static bool same_device(DLDevice a, DLDevice b)
{
    return a.device_type == b.device_type && a.device_id == b.device_id;
}

/* Finds the device of the export, and stores it in `*device`, which is the device of the data at first. Memory that the CPU can read is
 * exported to the CPU as a view, all other memory as a copy. Returns 0, or -1 with an exception. */
static int validate_device(const dlb_type *type, dlpack_request *wanted, DLDevice *device)
{
    const DLDevice own = *device;
    const bool readable = dlb_host_readable(own.device_type);
    char from[DLB_NAME_SIZE];
    char to[DLB_NAME_SIZE];

    if (wanted->has_device && !same_device(wanted->device, own)) {
        if (!same_device(wanted->device, DLB_CPU) || own.device_type == kDLCPU ||
            (!readable && (type->to_cpu == NULL || wanted->no_copy))) {
            (void)dlb_py_raise_message(PyExc_BufferError, "%s: data on %s:%d cannot be exported to %s:%d%s", type->name,
                                    dlb_device_name(own.device_type, from), (int)own.device_id,
                                    dlb_device_name(wanted->device.device_type, to), (int)wanted->device.device_id,
                                    wanted->no_copy ? " without a copy" : "");
            return -1;
        }
        wanted->copy = wanted->copy || !readable;
        wanted->as_cpu = readable;
        *device = wanted->device;
    } else if (wanted->copy && own.device_type != kDLCPU && (wanted->has_device || (!readable && type->to_cpu != NULL))) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: data on %s can be copied only to the CPU: pass dl_device=(1, 0)",
                                type->name, dlb_device_name(own.device_type, from));
        return -1;
    }
    return 0;
}

/* Checks the device and the stream against the device of the data, and synchronises with the work on it. The consumer must not overtake
 * that work. Returns 0, or -1 with an exception. */
static int validate(const dlb_owner *owner, dlpack_request *wanted)
{
    dlb_view view;
    DLDevice device;
    intptr_t stream;
    dlb_error error;

    if (dlb_owner_view(owner, &view, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    device = view.tensor->device;
    if (validate_device(owner->type, wanted, &device) != 0 ||
        validate_stream(view.name, device.device_type, wanted, &stream) != 0) {
        return -1;
    }
    if (stream == -1 || view.tensor->device.device_type == kDLCPU) {
        return 0;
    }
    if (!same_device(device, view.tensor->device)) { /* the CPU must wait for the work on the device of the data */
        stream = dlb_py_default_stream(view.tensor->device.device_type);
    }
    if (dlb_owner_sync(owner, stream, &error) != 0) {
        (void)dlb_py_raise(&error);
        return -1;
    }
    return 0;
}

/* Returns whether the export is a copy although the consumer forbids copies; then sets a BufferError. Only a view has its owner as the
 * context. */
static bool unwanted_copy(const dlb_owner *owner, const void *manager_ctx, const dlpack_request *wanted)
{
    if (!wanted->no_copy || manager_ctx == owner) {
        return false;
    }
    (void)dlb_py_raise_message(PyExc_BufferError, "%s: the data cannot be exported %swithout a copy", owner->type->name,
                            wanted->versioned ? "" : "to a consumer of DLPack before 1.0 ");
    return true;
}

static PyObject *export_legacy(dlb_owner *owner, const dlpack_request *wanted)
{
    DLManagedTensor *tensor;
    dlb_error error;

    if (wanted->copy) {
        if (dlb_export_copy_legacy(owner, &tensor, &error) != 0) {
            return dlb_py_raise(&error);
        }
    } else if ((tensor = dlb_py_export_legacy(owner)) == NULL) {
        return NULL;
    }
    if (unwanted_copy(owner, tensor->manager_ctx, wanted)) {
        dlb_py_quietly(dlb_py_delete_legacy, tensor);
        return NULL;
    }
    if (wanted->as_cpu) {
        tensor->dl_tensor.device = DLB_CPU;
    }
    return dlb_py_legacy_capsule(tensor);
}

static PyObject *export_versioned(dlb_owner *owner, const dlpack_request *wanted)
{
    DLManagedTensorVersioned *tensor;
    dlb_error error;

    if (wanted->copy) {
        if (dlb_export_copy(owner, &tensor, &error) != 0) {
            return dlb_py_raise(&error);
        }
    } else if ((tensor = dlb_py_export(owner)) == NULL) {
        return NULL;
    }
    if (unwanted_copy(owner, tensor->manager_ctx, wanted)) {
        dlb_py_quietly(dlb_py_delete_tensor, tensor);
        return NULL;
    }
    if (wanted->as_cpu) {
        tensor->dl_tensor.device = DLB_CPU;
    }
    return dlb_py_versioned_capsule(tensor);
}

/* Returns whether the request depends on the device of the data. */
static bool must_validate(const dlb_type *type, const dlpack_request *wanted)
{
    return wanted->has_device || wanted->stream != NULL || type->sync != NULL || (wanted->copy && type->to_cpu != NULL);
}

static PyObject *answer(dlb_owner *owner, dlpack_request *wanted)
{
    if (dlb_py_check_no_records(owner) != 0 || (DLB_UNLIKELY(must_validate(owner->type, wanted)) && validate(owner, wanted) != 0)) {
        return NULL;
    }
    return wanted->versioned ? export_versioned(owner, wanted) : export_legacy(owner, wanted);
}

PyObject *dlb_py_answer(PyObject *self, PyObject *const *args, PyObject *kwnames)
{
    dlb_py_state *const state = dlb_py_data(self)->state;
    dlpack_request wanted = {0};
    PyObject *capsule;
    dlb_owner *owner;

    if (kwnames != NULL) {
        const Py_ssize_t count = PyTuple_GET_SIZE(kwnames);

        for (Py_ssize_t i = 0; i < count; i++) {
            if (read_keyword(state, PyTuple_GET_ITEM(kwnames, i), args[i], &wanted) != 0) {
                return NULL;
            }
        }
        if (!DLB_PY_FREE_THREADED && state->interpreter != NULL) { /* NULL: the state is ending */
            remember_request(state, kwnames, &wanted);
        }
    }
    owner = dlb_py_enter(self);
    if (owner == NULL) {
        return NULL;
    }
    capsule = answer(owner, &wanted);
    dlb_py_leave(self, owner);
    return capsule;
}
