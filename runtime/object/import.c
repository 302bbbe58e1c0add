/* SPDX-License-Identifier: MIT-0 */
/* from_dlpack(): makes an object from a foreign array. */

#include "object.h"

#include <stdlib.h>

/* ---- Imports of memory ---- */

/* Releases the imported memory `target`, a dlb_memory; a callback of dlb_py_quietly(). */
static void release_imported(void *target)
{
    const dlb_memory *const memory = target;

    memory->let_go(memory->keeper);
}

/* Checks that imported memory is what the keywords `device` and `copy` ask for, beyond the requirements. Returns 0, or -1 with a
 * BufferError. */
static int check_wish(const char *name, const dlb_py_wish *wish, const dlb_memory *memory)
{
    const DLDevice is = memory->tensor->device;
    char buffer[DLB_NAME_SIZE];
    char expected[DLB_NAME_SIZE];

    if (wish->copy == Py_False && (memory->flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the producer has copied the array, and copy is False", name);
        return -1;
    }
    if (wish->has_device && !dlb_host_readable(is.device_type) && is.device_type == wish->device.device_type &&
        is.device_id != wish->device.device_id) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: the data is on %s:%d, not %s:%d", name,
                                dlb_device_name(is.device_type, buffer), (int)is.device_id,
                                dlb_device_name(wish->device.device_type, expected), (int)wish->device.device_id);
        return -1;
    }
    return 0;
}

/* Creates an object that shows `memory`, and takes the memory over. Returns NULL with an exception on failure; the memory is then
 * released. `declined`: dlb_import_fast() has been tried and has declined. */
DLB_NOINLINE static PyObject *import_slow(dlb_py_state *state, const dlb_type *type, const dlb_memory *memory,
                                          dlb_py_import_options *options, bool declined)
{
    dlb_owner *owner = NULL;
    dlb_py_pending_object pending;
    dlb_error error;

    if ((options->wished && check_wish(type->name, (const dlb_py_wish *)options, memory) != 0) ||
        dlb_py_begin_in(state, &pending, type, NULL) != 0) {
        dlb_py_quietly(release_imported, (void *)(uintptr_t)memory);
        return NULL;
    }
    if (declined) {
        owner = dlb_import_slow(type, options->require, memory, options->params, &error);
    } else {
        (void)dlb_import_memory(type, options->require, memory, options->params, &owner, &error);
    }
    if (owner == NULL) {
        dlb_py_cancel(&pending);
        memory->let_go(memory->keeper);
        return dlb_py_raise(&error);
    }
    if (options->strings != NULL) {
        dlb_py_keep_strings(owner, options->strings);
        options->strings = NULL;
    }
    for (size_t i = 0; options->kept != NULL && i < type->importer->param_count; i++) {
        if (options->kept[i] != NULL && dlb_owner_add_dependency(owner, options->kept[i], &error) != 0) {
            dlb_py_cancel(&pending);
            dlb_py_quietly(dlb_py_drop_owner, owner);
            return dlb_py_raise(&error);
        }
    }
    return dlb_py_finish(&pending, owner);
}

/* Creates an object of a trivial type that shows `memory`, without further checks. Returns NULL without an exception if import_slow()
 * must do it; the caller then still owns the memory. */
static inline DLB_ALWAYS_INLINE PyObject *import_fast(dlb_py_state *state, PyTypeObject *cls, const dlb_type *type,
                                                      const dlb_memory *memory)
{
    dlb_owner *const owner = dlb_import_fast(type, memory, dlb_py_take_free_owner(state, type));
    dlb_py_object *self;

    if (DLB_UNLIKELY(owner == NULL)) {
        return NULL;
    }
    self = dlb_py_new_object(state, cls);
    if (DLB_UNLIKELY(self == NULL)) {
        PyErr_Clear(); /* import_slow() raises it again */
        dlb_owner_free(owner);
        return NULL;
    }
    dlb_py_begin_object(self, state, type, false);
    dlb_py_give_owner(self, type, owner);
    return (PyObject *)self;
}

/* Creates an object that shows `memory`, and takes the memory over: by the fast path if the type has one. Returns NULL with an
 * exception. */
static inline DLB_ALWAYS_INLINE PyObject *import_memory(dlb_py_state *state, const dlb_type *type,
                                                        const dlb_memory *memory, dlb_py_import_options *options)
{
    PyTypeObject *const cls = type->import_fast != NULL && options->require == NULL && !dlb_has_bytes(memory)
                                  ? dlb_py_cached_class(state, type)
                                  : NULL;
    PyObject *const made = cls != NULL ? import_fast(state, cls, type, memory) : NULL;

    return DLB_LIKELY(made != NULL) ? made : import_slow(state, type, memory, options, cls != NULL);
}

/* Raises the exception for a tensor of another major version, and deletes the tensor. Returns NULL. Only the version may be read: the
 * rest of the struct can have another layout. */
DLB_COLD static PyObject *refuse_version(const dlb_type *type, DLManagedTensorVersioned *tensor)
{
    dlb_owner *owner;
    dlb_error error;

    (void)dlb_import_with(type, tensor, NULL, &owner, &error);
    dlb_py_end_versioned(tensor);
    return dlb_py_raise(&error);
}

static inline bool is_our_major(const DLManagedTensorVersioned *tensor)
{
    return DLB_LIKELY(tensor->version.major == DLB_VERSION_MAJOR);
}

static inline dlb_memory memory_of(DLManagedTensorVersioned *tensor)
{
    return (dlb_memory){.tensor = &tensor->dl_tensor, .flags = tensor->flags, .keeper = tensor, .let_go = dlb_py_end_versioned};
}

PyObject *dlb_py_import(dlb_py_state *state, const dlb_type *type, dlb_py_foreign *tensor, dlb_py_import_options *options)
{
    dlb_memory memory;

    if (tensor->memory != NULL) {
        memory = *tensor->memory;
    } else if (tensor->legacy != NULL) {
        memory = (dlb_memory){.tensor = &tensor->legacy->dl_tensor,
                              .flags = tensor->readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0,
                              .keeper = tensor->legacy,
                              .let_go = dlb_py_end_legacy};
    } else if (!is_our_major(tensor->versioned)) {
        return refuse_version(type, tensor->versioned);
    } else {
        memory = memory_of(tensor->versioned);
    }
    return import_memory(state, type, &memory, options);
}

/* ---- Imports of buffers and array interfaces ---- */

/* Imports a buffer, whose elements must be records like `record`; if that is NULL, numbers. With `bytes` they may have any type. Sets
 * `*described` to whether the buffer could be described. Returns NULL with an exception. */
static PyObject *from_buffer(dlb_py_state *state, const dlb_type *type, const dlb_record *record, PyObject *producer, bool bytes,
                             dlb_py_import_options *options, bool *described)
{
    const Py_buffer *buffer;
    PyObject *const held = dlb_py_hold_buffer(type->name, producer, &buffer);
    int64_t axes[2 * DLB_MAX_NDIM];
    dlb_py_guard *guard = NULL;
    DLTensor tensor;
    dlb_memory memory;
    dlb_py_foreign from = {NULL, NULL, &memory, false};
    int result;

    *described = false;
    if (held == NULL) {
        return NULL;
    }
    memory = (dlb_memory){
        .tensor = &tensor, .flags = buffer->readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, .let_go = dlb_py_guard_let_go};
    result = bytes ? dlb_py_read_bytes(type->name, buffer, false, type->importer->require->order, &tensor, axes) : 1;
    if (result > 0) {
        result = record == NULL ? dlb_py_read_buffer(type->name, buffer, &tensor, axes, &memory.elements)
                                : dlb_py_read_records(type->name, record, buffer, &tensor, axes, &memory.elements);
    }
    *described = result == 0;
    if (result == 0) {
        guard = dlb_py_guard_new(state, held);
    }
    dlb_py_quietly(dlb_py_decref, held);
    if (guard == NULL) {
        return NULL;
    }
    memory.keeper = guard;
    return dlb_py_import(state, type, &from, options);
}

PyObject *dlb_py_from_buffer(dlb_py_state *state, const dlb_type *type, PyObject *producer, bool bytes, dlb_py_import_options *options)
{
    bool described;

    return from_buffer(state, type, NULL, producer, bytes, options, &described);
}

/* Imports an object by its array interface. `record`: see dlb_py_hold_interface(). Returns NULL with an exception; a TypeError if it has no
 * interface. */
static PyObject *from_interface(dlb_py_state *state, const dlb_type *type, const dlb_record *record, PyObject *producer,
                                dlb_py_import_options *options)
{
    int64_t axes[2 * DLB_MAX_NDIM];
    DLTensor tensor;
    dlb_memory memory;
    dlb_py_foreign from = {NULL, NULL, &memory, false};
    PyObject *holder;
    const int result = dlb_py_hold_interface(type->name, record, producer, &holder, &tensor, axes, &memory);

    if (result != 0) {
        if (result > 0) {
            (void)dlb_py_wrong_type(record == NULL
                                        ? "%s: from_dlpack() takes an object with __dlpack__() or a buffer, not '%s'"
                                        : "%s: from_dlpack() takes an array of records, with a buffer or __array_interface__, not '%s'",
                                    type->name, producer);
        }
        return NULL;
    }
    memory.keeper = dlb_py_guard_new(state, holder);
    memory.let_go = dlb_py_guard_let_go;
    dlb_py_quietly(dlb_py_decref, holder);
    return memory.keeper != NULL ? dlb_py_import(state, type, &from, options) : NULL;
}

PyObject *dlb_py_from_records(dlb_py_state *state, const dlb_type *type, const dlb_record *record, PyObject *producer,
                              dlb_py_import_options *options)
{
    int has_interface;
    bool described;

    if (state == NULL) {
        return NULL;
    }
    has_interface = PyObject_CheckBuffer(producer) ? dlb_py_has_interface(producer) : 1;
    if (has_interface < 0) {
        return NULL;
    }
    return has_interface ? from_interface(state, type, record, producer, options)
                         : from_buffer(state, type, record, producer, false, options, &described);
}

/* ---- Imports of Python objects ---- */

static const dlb_requirements *requirements_of(const dlb_type *type, const dlb_py_import_options *options)
{
    return options->require != NULL || type->importer == NULL ? options->require : type->importer->require;
}

/* Finds the stream on which the consumer works: the keyword `stream`, the stream of a function, or that of the importer. Returns 1; 0 if
 * none is specified; or -1 with an exception. */
static int stream_of(const dlb_type *type, const dlb_py_import_options *options, dlb_py_stream *stream)
{
    if (options->stream != NULL) {
        *stream = *options->stream;
        return 1;
    }
    return dlb_py_stream_of_import(type->importer, options->params, stream);
}

/* Imports a producer by calling its __dlpack__(), or by its buffer or its array interface if it has no such method. Returns NULL with an
 * exception. */
static PyObject *from_call(dlb_py_state *state, const dlb_type *type, PyObject *producer, dlb_py_import_options *options)
{
    PyObject *const copy = options->wished ? ((const dlb_py_wish *)options)->copy : NULL;
    dlb_py_stream stream;
    const int streams = stream_of(type, options, &stream);
    dlb_py_foreign tensor;

    if (streams < 0) {
        return NULL; /* not covered: params of more than 256 bytes, and no memory */
    }
    if (dlb_py_call_for(state, type->name, producer, requirements_of(type, options), copy, streams > 0 ? &stream : NULL, &tensor) != 0) {
        if (!dlb_py_lacks_dlpack(state, producer)) {
            return NULL;
        }
        return PyObject_CheckBuffer(producer) ? dlb_py_from_buffer(state, type, producer, false, options)
                                              : from_interface(state, type, NULL, producer, options);
    }
    return dlb_py_import(state, type, &tensor, options);
}

/* Checks whether C may access an imported tensor that requires grad. C must not write to such a tensor, since autograd would not see it,
 * and the exchange table does not check it. Returns 0 if the tensor does not require grad, and 1 if it must be imported as read-only.
 * Returns 2 if C would write: then __dlpack__() is to be called, whose exception says why the tensor is not exported. Returns -1 with an
 * exception. */
DLB_NOINLINE static int check_gradient(const dlb_py_state *state, const dlb_type *type, PyObject *producer,
                                       const dlb_py_import_options *options)
{
    const dlb_requirements *const require = requirements_of(type, options);
    const int result = dlb_py_requires_grad(state, producer);
    bool written = options->written;

    if (result <= 0) {
        return result;
    }
    if (require != NULL && require->copy == DLB_COPY_NEVER) { /* writing to a copy is allowed */
        written = written || (require->layout & DLB_WRITABLE) != 0;
    }
    return written ? 2 : 1;
}

/* Checks the stream of a producer without __dlpack__(), whose table waits for no stream: see dlb_py_check_table_stream(). Returns 0, or -1
 * with an exception. */
DLB_NOINLINE static int check_table(const dlb_type *type, const dlb_py_producer *info, DLDevice device,
                                    const dlb_py_import_options *options)
{
    const dlb_requirements *const require = requirements_of(type, options);
    dlb_py_stream stream;
    const int streams = stream_of(type, options, &stream);

    return streams >= 0 ? dlb_py_check_table_stream(info->api, type->name, device, require, streams > 0 ? &stream : NULL) : -1;
}

/* Imports a producer by the exchange table of its type, or by __dlpack__() if the table refuses. Returns NULL with an exception. */
static inline PyObject *from_table(dlb_py_state *state, const dlb_type *type, PyObject *producer,
                                   const dlb_py_producer *info, dlb_py_import_options *options)
{
    DLManagedTensorVersioned *tensor;
    dlb_memory memory;
    int result;

    if (dlb_py_check_stack_at(state, (uintptr_t)&tensor) != 0) {
        return NULL;
    }
    result = dlb_py_call_table(info, type->name, producer, &tensor);
    if (DLB_UNLIKELY(result != 0)) {
        return result < 0 ? NULL : from_call(state, type, producer, options);
    }
    if (!is_our_major(tensor)) {
        return refuse_version(type, tensor);
    }
    if (DLB_UNLIKELY(!info->dlpack) && check_table(type, info, tensor->dl_tensor.device, options) != 0) {
        dlb_py_quietly(dlb_py_end_versioned, tensor);
        return NULL;
    }
    memory = memory_of(tensor);
    if (info->gradient && dlb_py_is_differentiable(tensor->dl_tensor.dtype)) {
        const int gradient = check_gradient(state, type, producer, options);

        if (DLB_UNLIKELY(gradient < 0 || gradient > 1)) {
            dlb_py_quietly(dlb_py_end_versioned, tensor);
            return gradient < 0 ? NULL : from_call(state, type, producer, options);
        }
        memory.flags |= gradient > 0 ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    }
    return import_memory(state, type, &memory, options);
}

/* Imports a NumPy array by __dlpack__() or, if that fails, by its buffer, which describes the same memory. NumPy before 2.1 exports no
 * read-only array, before 1.25 no array of bool, and no release exports another byte order. If the buffer has no dtype either, the first
 * exception is raised, since it is more specific. */
static PyObject *from_unwilling_ndarray(dlb_py_state *state, const dlb_type *type, PyObject *producer, dlb_py_import_options *options)
{
    dlb_py_foreign tensor;
    dlb_py_exception first;
    PyObject *made;
    bool described;

    if (dlb_py_call_dlpack(state, type->name, producer, &tensor) == 0) {
        return dlb_py_import(state, type, &tensor, options);
    }
    if (!PyErr_ExceptionMatches(PyExc_BufferError) && !PyErr_ExceptionMatches(PyExc_TypeError)) {
        return NULL;
    }
    first = dlb_py_fetch();
    made = from_buffer(state, type, NULL, producer, false, options, &described);
    if (made == NULL && !described && PyErr_ExceptionMatches(PyExc_Exception)) {
        dlb_py_restore(&first);
        return NULL;
    }
    dlb_py_forget_exception(&first);
    return made;
}

/* Imports an array whose type is exactly numpy.ndarray from its struct, and keeps the array alive as __dlpack__() would. Sets `*read` to
 * whether the struct could be used; if not, NULL is returned without an exception. An array that NumPy imported by DLPack is refused,
 * since its memory can belong to a device although the host can read it. */
static PyObject *from_ndarray(dlb_py_state *state, const dlb_type *type, PyObject *producer, dlb_py_import_options *options,
                              bool *read)
{
    int64_t axes[2 * DLB_MAX_NDIM];
    DLTensor tensor;
    dlb_memory memory = {.tensor = &tensor, .let_go = dlb_py_guard_let_go};
    dlb_py_foreign from = {NULL, NULL, &memory, false};

    *read = !DLB_PY_FREE_THREADED && dlb_py_read_ndarray(state, producer, &tensor, &memory.flags, axes) &&
            (PyObject *)Py_TYPE(producer) == state->ndarray_type && !dlb_py_is_ndarray_of_capsule(state, producer);
    if (!*read) {
        return NULL;
    }
    memory.keeper = dlb_py_guard_new(state, producer);
    return memory.keeper != NULL ? dlb_py_import(state, type, &from, options) : NULL;
}

/* Imports another object of this runtime with the slow path: it has other exports, or its type has no fast description. `declined`:
 * dlb_describe_exclusive() has declined, and has counted the export already. */
DLB_NOINLINE static PyObject *from_own_slow(const dlb_type *type, PyObject *producer, dlb_py_import_options *options, bool declined)
{
    dlb_py_foreign tensor = {NULL, NULL, NULL, false};
    dlb_owner *const owner = dlb_py_enter(producer);
    dlb_error error;
    int result;

    if (owner == NULL || dlb_py_check_no_records(owner) != 0) {
        return NULL;
    }
    result = declined ? dlb_export_slow(owner, true, &tensor.versioned, &error)
                      : dlb_export(owner, &tensor.versioned, &error);
    return result == 0 ? dlb_py_import(dlb_py_data(producer)->state, type, &tensor, options) : dlb_py_raise(&error);
}

/* Returns whether `producer` is an object of this runtime whose calls need not share its owner. */
static inline bool is_unshared_own(PyObject *producer)
{
    return dlb_py_is_ours(producer) && !dlb_py_data(producer)->shares;
}

/* Imports another object of this runtime whose calls need not share its owner. The import keeps the owner alive as an export in its slot
 * does. The managed tensor of the slot is not filled, since no consumer sees it. */
static PyObject *from_own(const dlb_type *type, PyObject *producer, dlb_py_import_options *options)
{
    dlb_owner *const owner = dlb_py_data(producer)->owner;
    DLTensor *slot;
    dlb_memory memory;
    int flags;

    if (DLB_UNLIKELY(DLB_PY_FREE_THREADED || owner == NULL)) {
        return from_own_slow(type, producer, options, false);
    }
    slot = &owner->slot.versioned.dl_tensor;
    flags = dlb_describe_exclusive(owner, slot);
    if (DLB_UNLIKELY(flags < 0)) {
        return from_own_slow(type, producer, options, flags == DLB_DECLINED);
    }
    memory = (dlb_memory){.tensor = slot, .flags = (uint32_t)flags | owner->flags, .keeper = owner, .let_go = dlb_owner_end_export};
    return import_memory(dlb_py_data(producer)->state, type, &memory, options);
}

/* Imports a capsule, or a producer by the fastest way that its type supports. `state` may be NULL with an exception set. Returns NULL
 * with an exception. */
static PyObject *from_foreign(dlb_py_state *state, const dlb_type *type, PyObject *producer, dlb_py_import_options *options)
{
    dlb_py_foreign tensor;
    dlb_py_producer info;
    PyObject *made;
    bool read;

    if (state == NULL) {
        return NULL;
    }
    if (PyCapsule_CheckExact(producer)) {
        return dlb_py_consume(type->name, producer, &tensor) == 0 ? dlb_py_import(state, type, &tensor, options) : NULL;
    }
    if (dlb_py_producer_of(state, Py_TYPE(producer), &info) != 0) {
        return NULL;
    }
    if (info.api != NULL && info.api->managed_tensor_from_py_object_no_sync != NULL) {
        return from_table(state, type, producer, &info, options);
    }
    if (info.ndarray) {
        made = from_ndarray(state, type, producer, options, &read);
        return read ? made : from_unwilling_ndarray(state, type, producer, options);
    }
    if (!info.dlpack && PyObject_CheckBuffer(producer)) {
        return dlb_py_from_buffer(state, type, producer, false, options);
    }
    return from_call(state, type, producer, options);
}

PyObject *dlb_py_from_dlpack(const dlb_type *type, PyObject *producer)
{
    dlb_py_import_options options = {NULL, NULL, NULL, NULL, NULL, false, false};

    if (type->record != NULL) {
        return dlb_py_from_records(dlb_py_get_state(), type, type->record, producer, &options); /* not covered: only modules by hand call this function, and none has a class of records */
    }
    return is_unshared_own(producer) ? from_own(type, producer, &options)
                                    : from_foreign(dlb_py_get_state(), type, producer, &options);
}

static inline PyObject *from_producer(const dlb_type *type, PyObject *producer, dlb_py_import_options *options)
{
    if (DLB_UNLIKELY(type->record != NULL)) {
        return dlb_py_from_records(dlb_py_imported_state(), type, type->record, producer, options);
    }
    return is_unshared_own(producer) ? from_own(type, producer, options)
                                    : from_foreign(dlb_py_imported_state(), type, producer, options);
}

PyObject *dlb_py_class_from_dlpack(const dlb_type *type, PyObject *producer)
{
    dlb_py_import_options options = {NULL, NULL, NULL, NULL, NULL, false, false};

    return from_producer(type, producer, &options);
}

PyObject *dlb_py_import_argument(const dlb_type *type, PyObject *producer, dlb_py_import_options *options)
{
    return from_producer(type, producer, options);
}

/* Imports as from_producer() does, and asks the producer for the device if there is one. */
static PyObject *from_wished(const dlb_type *type, PyObject *producer, dlb_py_wish *wish)
{
    dlb_py_state *const state = dlb_py_imported_state();
    dlb_py_foreign tensor;
    dlb_py_producer info;
    dlb_py_stream stream;
    int result;

    if (state == NULL || dlb_py_producer_of(state, Py_TYPE(producer), &info) != 0) {
        return NULL;
    }
    if (!wish->has_device || !info.dlpack || info.ndarray || type->record != NULL) { /* the requirements contain the device */
        return from_producer(type, producer, &wish->options);
    }
    result = stream_of(type, &wish->options, &stream);
    if (result >= 0) {
        result = dlb_py_call_on(state, type->name, producer, wish->device, &wish->require, wish->copy, result > 0 ? &stream : NULL,
                                &tensor);
    }
    return result == 0 ? dlb_py_import(state, type, &tensor, &wish->options) : NULL;
}

/* Imports with the params of the importer, which are the arguments of `call` after the first one. */
static PyObject *import_with(const dlb_type *type, const dlb_py_call *call, dlb_py_wish *wish)
{
    dlb_py_import_options *const options = &wish->options;
    PyObject *result = NULL;
    dlb_py_params params;

    if (dlb_py_new_params(type->importer, &params) == 0 && dlb_py_parse_params(call, &params) == 0) {
        options->params = type->importer->param_count > 0 ? params.values : NULL;
        options->kept = params.kept;
        options->strings = params.strings;
        result = options->wished ? from_wished(type, call->args[0], wish) : from_producer(type, call->args[0], options);
        params.strings = options->strings;
    }
    dlb_py_free_params(&params);
    return result;
}

/* ---- The keywords `device`, `copy` and `stream` of from_dlpack() ---- */

/* Returns whether objects of the class can be on a device of this type. */
static bool can_be_on(const dlb_requirements *require, DLDeviceType type)
{
    bool can = require->device_count == 0;

    for (size_t i = 0; i < require->device_count; i++) {
        can = can || require->devices[i] == type || (require->devices[i] == kDLCPU && dlb_host_readable(type));
    }
    return can;
}

/* Reads the argument `device`. Returns 0, or -1 with an exception. */
static int wish_device(const dlb_type *type, PyObject *value, dlb_py_wish *wish)
{
    char buffer[DLB_NAME_SIZE];

    if (value == Py_None) {
        return 0;
    }
    wish->has_device = true;
    wish->device = DLB_CPU;
    if (!(PyUnicode_Check(value) && dlb_py_is_string(value, "cpu")) && !dlb_py_read_device_pair(value, &wish->device)) {
        if (!PyErr_Occurred() || dlb_py_may_try_another()) {
            PyErr_Format(PyExc_ValueError, "from_dlpack() argument 'device' must be None, 'cpu' or a tuple of two ints, as "
                                           "__dlpack_device__() returns it, not %R", value);
        }
        return -1;
    }
    if (!can_be_on(type->importer->require, wish->device.device_type)) {
        PyErr_Format(PyExc_ValueError, "%s: from_dlpack() argument 'device' is %R, but its objects are on %s", type->name, value,
                     dlb_device_name(type->importer->require->devices[0], buffer));
        return -1;
    }
    wish->require.devices = &wish->device.device_type;
    wish->require.device_count = 1;
    return 0;
}

/* Reads the argument `copy`. Returns 0, or -1 with an exception. */
static int wish_copy(const dlb_type *type, PyObject *value, dlb_py_wish *wish)
{
    int is_true;

    if (value == Py_None) {
        return 0;
    }
    if (!dlb_py_is_bool(value)) {
        PyErr_Format(PyExc_TypeError, "from_dlpack() argument 'copy' must be None or a bool, not %R", value);
        return -1;
    }
    is_true = dlb_py_check_stack() == 0 ? PyObject_IsTrue(value) : -1; /* a class may only have the name of numpy.bool */
    if (is_true < 0) {
        return -1;
    }
    wish->copy = is_true ? Py_True : Py_False;
    if (wish->copy == Py_False && wish->require.copy == DLB_COPY_ALWAYS) {
        (void)dlb_py_raise_message(PyExc_BufferError, "%s: arrays are always copied, and copy is False", type->name);
        return -1;
    }
    wish->require.copy = wish->copy == Py_True ? DLB_COPY_ALWAYS : DLB_COPY_NEVER;
    wish->require.cast = wish->copy == Py_True ? wish->require.cast : DLB_CAST_NEVER;
    return 0;
}

/* Returns whether from_dlpack() has the keyword `stream`: objects of the class can be on a device with streams, and the spec does not say
 * on which stream the library works. */
static bool has_stream_keyword(const dlb_factory *importer)
{
    const dlb_requirements *const require = importer->require;
    bool has = require->device_count == 0;

    for (size_t i = 0; i < require->device_count; i++) {
        has = has || dlb_py_has_streams(require->devices[i]);
    }
    return has && importer->stream == NULL;
}

/* Reads the argument `stream`. Returns 0, or -1 with an exception. */
static int wish_stream(const dlb_type *type, PyObject *value, dlb_py_wish *wish)
{
    bool fits;

    if (value == Py_None) {
        return 0;
    }
    if (dlb_py_read_stream("from_dlpack", value, &wish->stream.value, &fits) != 0) {
        return -1;
    }
    if (!fits) {
        return dlb_py_refuse_stream(type->name, value);
    }
    wish->options.stream = &wish->stream;
    return dlb_py_takes_stream(type->importer->require, type->name, wish->stream.value) ? 0 : -1;
}

/* Returns whether a keyword is `name`, and not a param of the importer. */
static bool is_wish(const dlb_factory *importer, PyObject *keyword, const char *name)
{
    bool param = false;

    for (size_t i = 0; i < importer->param_count; i++) {
        param = param || strcmp(importer->params[i].name, name) == 0;
    }
    return !param && dlb_py_is_string(keyword, name);
}

/* Reads `device`, `copy` and `stream` among the arguments of `call`, and sets `rest` to the others, whose values are stored in `values`.
 * Returns 0, or -1 with an exception. */
static int take_wishes(const dlb_type *type, const dlb_py_call *call, dlb_py_wish *wish, dlb_py_call *rest, PyObject **values)
{
    PyObject *const names = PyList_New(0);
    Py_ssize_t count = 0;
    int result = names != NULL ? 0 : -1;

    values[count++] = call->args[0];
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(call->kwnames) && result == 0; i++) {
        PyObject *const name = PyTuple_GET_ITEM(call->kwnames, i);
        PyObject *const value = call->args[1 + i];

        if (is_wish(type->importer, name, "device")) {
            result = wish_device(type, value, wish);
        } else if (is_wish(type->importer, name, "copy")) {
            result = wish_copy(type, value, wish);
        } else if (has_stream_keyword(type->importer) && is_wish(type->importer, name, "stream")) {
            result = wish_stream(type, value, wish);
        } else {
            values[count++] = value;
            result = PyList_Append(names, name);
        }
    }
    *rest = *call;
    rest->args = values;
    rest->kwnames = result == 0 ? PyList_AsTuple(names) : NULL;
    Py_XDECREF(names);
    wish->options.wished = wish->has_device || wish->copy != NULL || wish->options.stream != NULL;
    wish->options.require = wish->options.wished ? &wish->require : NULL;
    return rest->kwnames != NULL ? 0 : -1;
}

PyObject *dlb_py_from_dlpack_with(const dlb_type *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const dlb_py_call call = {"from_dlpack", args, nargs, kwnames, true};
    dlb_py_wish wish = {.options = {NULL, NULL, NULL, NULL, NULL, false, false}, .require = *type->importer->require};
    PyObject *result = NULL;
    dlb_py_values storage;
    PyObject **values;
    dlb_py_call rest;

    if (nargs != 1) {
        (void)dlb_py_raise_message(PyExc_TypeError, "from_dlpack() takes exactly 1 positional argument (%zd given)", nargs);
        return NULL;
    }
    if (kwnames == NULL) {
        return import_with(type, &call, &wish);
    }
    values = dlb_py_allocate_values(&storage, (size_t)(1 + PyTuple_GET_SIZE(kwnames)) * sizeof *values, NULL);
    if (values != NULL && take_wishes(type, &call, &wish, &rest, values) == 0) {
        result = import_with(type, &rest, &wish);
        Py_DECREF(rest.kwnames);
    }
    dlb_py_free_values(&storage);
    return result;
}
