/* SPDX-License-Identifier: MIT-0 */
/* Objects of generated classes, their exports and imports, and the arguments of their methods. */
#ifndef DLB_OBJECT_OBJECT_H_
#define DLB_OBJECT_OBJECT_H_

#include "errors.h"
#include "state.h"

#include "dlb_records.h"

#include <stdlib.h>

#define DLB_PY_EXCHANGE_ATTRIBUTE "__dlpack_c_exchange_api__"
#define DLB_PY_EXCHANGE_CAPSULE "dlpack_exchange_api"

/* Returns the data of an instance. All code uses this function, so that the layout of objects can change. */
static inline dlb_py_object *dlb_py_data(PyObject *self)
{
    return (dlb_py_object *)self;
}

/* Raises a ValueError: the object is closed. Always returns NULL. */
DLB_API dlb_owner *dlb_py_closed(PyObject *self);
/* Closes an object, and returns its owner with the share of the object. NULL: the object was closed already. */
DLB_API dlb_owner *dlb_py_detach(PyObject *self);

/* Release functions for dlb_py_quietly(), beside dlb_py_decref(). */
static inline void dlb_py_drop_owner(void *owner)
{
    dlb_owner_drop(owner);
}

static inline void dlb_py_delete_tensor(void *tensor)
{
    DLManagedTensorVersioned *const managed = tensor;

    managed->deleter(managed);
}

static inline void dlb_py_delete_legacy(void *tensor)
{
    DLManagedTensor *const managed = tensor;

    managed->deleter(managed);
}

/* Returns the owner of `self` for a call that ends with dlb_py_leave(). NULL if `self` is closed. Takes a share of the owner if foreign
 * code may run during the call, since that code may close `self`. That is the case without a GIL; if the library may release the GIL
 * (sync); and if the type has hooks, since the runtime may then destroy other objects. */
static inline dlb_owner *dlb_py_enter_quietly(PyObject *self)
{
    dlb_owner *owner;

    DLB_PY_LOCK(self);
    owner = dlb_py_data(self)->owner;
    if (owner != NULL && DLB_UNLIKELY(dlb_py_data(self)->shares)) {
        dlb_owner_keep(owner);
    }
    DLB_PY_UNLOCK();
    return owner;
}

/* Returns the owner as dlb_py_enter_quietly() does. NULL with a ValueError if `self` is closed. */
static inline dlb_owner *dlb_py_enter(PyObject *self)
{
    dlb_owner *const owner = dlb_py_enter_quietly(self);

    return DLB_UNLIKELY(owner == NULL) ? dlb_py_closed(self) : owner;
}

/* Returns the owner of `self` with a share, which the caller drops. NULL, without an exception, if `self` is closed. */
static inline dlb_owner *dlb_py_share_owner(PyObject *self)
{
    dlb_owner *owner;

    DLB_PY_LOCK(self);
    owner = dlb_py_data(self)->owner;
    if (owner != NULL) {
        dlb_owner_keep(owner);
    }
    DLB_PY_UNLOCK();
    return owner;
}

/* Ends a call. `owner` may be destroyed already if the call took no share; then it is not read. */
static inline void dlb_py_leave(PyObject *self, dlb_owner *owner)
{
    if (DLB_UNLIKELY(dlb_py_data(self)->shares)) {
        dlb_py_quietly(dlb_py_drop_owner, owner);
    }
}

/* Export the object of an owner on the slow path: the owner has other shares, or the description declined. `counted`: the owner already
 * counts this export. NULL with an exception. */
DLB_API DLManagedTensorVersioned *dlb_py_export_slow(dlb_owner *owner, bool counted);
DLB_API DLManagedTensor *dlb_py_export_legacy_slow(dlb_owner *owner, bool counted);

/* Exports the object of an owner that the call has entered. NULL with an exception. */
static inline DLManagedTensorVersioned *dlb_py_export(dlb_owner *owner)
{
    const int flags = DLB_PY_FREE_THREADED ? DLB_NOT_EXCLUSIVE
                                           : dlb_describe_exclusive(owner, &owner->slot.versioned.dl_tensor);

    if (DLB_UNLIKELY(flags < 0)) {
        return dlb_py_export_slow(owner, flags != DLB_NOT_EXCLUSIVE);
    }
    dlb_manage(&owner->slot.versioned, owner, dlb_delete_versioned_slot, (uint32_t)flags | owner->flags);
    return &owner->slot.versioned;
}

/* Exports the object as a tensor of DLPack before 1.0, as dlb_py_export() does. */
static inline DLManagedTensor *dlb_py_export_legacy(dlb_owner *owner)
{
    const int flags = DLB_PY_FREE_THREADED ? DLB_NOT_EXCLUSIVE : dlb_describe_exclusive(owner, &owner->slot.legacy.dl_tensor);

    if (DLB_UNLIKELY(flags < 0 || (((uint32_t)flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)) {
        return dlb_py_export_legacy_slow(owner, flags != DLB_NOT_EXCLUSIVE);
    }
    dlb_manage_legacy(&owner->slot.legacy, owner, dlb_delete_legacy_slot);
    return &owner->slot.legacy;
}

/* Checks that DLPack has a dtype for the elements. Returns 0; or -1 with a BufferError, for records. */
DLB_API int dlb_py_check_no_records(const dlb_owner *owner);
/* Makes a capsule of an export, and takes it over. NULL with an exception. */
DLB_API PyObject *dlb_py_legacy_capsule(DLManagedTensor *tensor);
DLB_API PyObject *dlb_py_versioned_capsule(DLManagedTensorVersioned *tensor);
/* Returns the cache slot for a request of __dlpack__() with these keywords. */
static inline dlb_py_request *dlb_py_request_of(dlb_py_state *state, const PyObject *names)
{
    const uintptr_t address = (uintptr_t)names;

    return &state->requests[(address >> 4 ^ address >> 10) % DLB_PY_REQUESTS];
}

/* Returns the keyword of __dlpack__() whose interned string is `name`, or -1. Names in calls of source code are interned. */
static inline int dlb_py_keyword_at(const dlb_py_state *state, const PyObject *name)
{
    DLB_UNROLL
    for (int keyword = DLB_PY_MAX_VERSION; keyword <= DLB_PY_STREAM; keyword++) {
        if (state->names[keyword] == name) {
            return keyword;
        }
    }
    return -1;
}

/* Implements __dlpack__() for any request. */
DLB_API PyObject *dlb_py_answer(PyObject *self, PyObject *const *args, PyObject *kwnames);

/* Returns the stream for consumers that name none: the default stream of the device (array API: __dlpack__). */
static inline intptr_t dlb_py_default_stream(DLDeviceType device)
{
    return device == kDLCUDA || device == kDLCUDAManaged ? 1 : 0; /* CUDA calls its legacy default stream 1 */
}

/* A guard: the resources of an owner that can only be released with Python. */
typedef struct dlb_py_guard dlb_py_guard;

/* A Python object without an owner yet. All steps that can fail on the Python side have succeeded. */
typedef struct dlb_py_pending_object {
    dlb_py_object *self;
    dlb_py_guard *guard; /* NULL: not needed */
} dlb_py_pending_object;

/* Initialises a new object without an owner. `hooks`: describing or releasing its C object may run foreign code (dlb_has_hooks). */
static inline void dlb_py_begin_object(dlb_py_object *self, dlb_py_state *state, const dlb_type *type, bool hooks)
{
    dlb_py_state_keep(state);
    self->owner = NULL;
    self->state = state;
    self->type = type;
    self->weakrefs = NULL;
    self->object = NULL;
    self->describe_temporary = NULL;
    self->writable = 0;
    self->closes = 0;
    self->shares = DLB_PY_FREE_THREADED || type->sync != NULL || hooks;
}

/* Gives a new object its owner, with the share of the caller. The owner must be unchanged since it was made. */
static inline void dlb_py_give_owner(dlb_py_object *self, const dlb_type *type, dlb_owner *owner)
{
    self->owner = owner;
    self->closes = type->close != NULL && owner->release == type->release;
    if (!self->shares) {
        self->object = dlb_object_of(type, owner);
        self->writable = type->writable && (owner->flags & DLPACK_FLAG_BITMASK_READ_ONLY) == 0;
        self->describe_temporary = self->writable ? type->describe_fast : NULL;
    }
}

/* Begins an object of the class of `type`. Its owner will keep `parent` alive, unless that is NULL. Returns 0, or -1 with an exception.
 * Afterwards call dlb_py_cancel() or dlb_py_finish(). */
DLB_API int dlb_py_begin(dlb_py_pending_object *pending, const dlb_type *type, PyObject *parent);
/* Begins an object as dlb_py_begin() does, if the caller has the state already. */
DLB_API int dlb_py_begin_in(dlb_py_state *state, dlb_py_pending_object *pending, const dlb_type *type, PyObject *parent);
/* Destroys a begun object that gets no owner. */
DLB_API void dlb_py_cancel(dlb_py_pending_object *pending);
/* Finishes the object, which takes over the share of the caller in `owner`. Nothing else may know that owner. Cannot fail. Returns a
 * new reference. */
DLB_API PyObject *dlb_py_finish(dlb_py_pending_object *pending, dlb_owner *owner);

/* Describes the C object of `self`, with the flags of its owner. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_view(PyObject *self, dlb_view *view);

/* Returns whether a class is numpy.ndarray itself, by its name. */
DLB_API bool dlb_py_is_ndarray_class(const dlb_py_state *state, PyObject *cls);

/* The library of an array, and how it makes its own arrays of memory: by an exchange table, or by a call of the importer. */
typedef struct dlb_py_library {
    const DLPackExchangeAPI *api;
    PyObject *importer; /* a reference; NULL if there is a table */
} dlb_py_library;

/* Finds the library of `value`. May run foreign code. Returns 1; 0 if `value` is not an array of a library that makes arrays of foreign
 * memory; or -1 with an exception. */
DLB_API int dlb_py_find_library(dlb_py_state *state, PyObject *value, dlb_py_library *library);
/* Returns an array of the library that shows the memory of `self`, an object with an owner. If `self` is read-only and the library has no
 * read-only arrays, it shows a copy. A new reference, or NULL with an exception. */
DLB_API PyObject *dlb_py_to_library(PyObject *self, const dlb_py_library *library);

/* Returns a tuple of `count` ints, one per axis. NULL with an exception. */
DLB_API PyObject *dlb_py_axes(const int64_t *values, int32_t count);

/* Returns the parent that a guard keeps alive, borrowed, or NULL. */
DLB_API PyObject *dlb_py_guard_parent(const dlb_py_guard *guard);
/* Finds the memory of the array from which `owner` was made. Returns false if it is unknown. No exception may be pending. */
DLB_API bool dlb_py_source_span(const dlb_owner *owner, dlb_span *span);
/* Makes a guard that keeps `parent` alive, unless that is NULL. NULL with an exception. */
DLB_API dlb_py_guard *dlb_py_guard_new(const dlb_py_state *state, PyObject *parent);
/* Gives a guard to an owner that nothing else knows, and that then frees it. */
DLB_API void dlb_py_guard_owner(dlb_py_guard *guard, dlb_owner *owner);
/* Frees a guard without an owner, and drops its parent. */
DLB_API void dlb_py_guard_free(dlb_py_guard *guard);
/* Frees a guard from any thread: the `let_go` of an owner that keeps one. */
DLB_API void dlb_py_guard_let_go(void *guard);
/* Makes the dlb_py_interpreter of the current interpreter, with one holder. NULL with an exception. */
DLB_API dlb_py_interpreter *dlb_py_interpreter_new(void);
/* Drops a holder, and frees the struct with the last one. Needs no Python. */
DLB_API void dlb_py_interpreter_drop(dlb_py_interpreter *interpreter);

/* Returns whether the buffer protocol has a format for the dtype. */
DLB_API bool dlb_py_is_buffer(const DLTensor *tensor);

/* ---- Streams ---- */

/* The stream on which the consumer of an array works. */
typedef struct dlb_py_stream {
    intptr_t value;
    bool is_handle; /* the library returned it: 0 is the default stream; otherwise a number as the array API defines it */
} dlb_py_stream;

/* Returns whether the device has streams: __dlpack__() of a producer on it takes the argument `stream`. */
DLB_API bool dlb_py_has_streams(DLDeviceType device);
/* Checks that the device allows the stream (array API: __dlpack__). Returns 0, or -1 with a ValueError that begins with `name`. */
DLB_API int dlb_py_check_stream(const char *name, DLDeviceType device, intptr_t stream);
/* Reads the argument `stream`, which is not None, of a function. `*fits`: it is an address. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_read_stream(const char *function, PyObject *value, intptr_t *stream, bool *fits);
/* Raises a ValueError: the argument `stream` is not an address. Returns -1. */
DLB_API int dlb_py_refuse_stream(const char *name, PyObject *value);
/* Returns whether one of the required devices allows the stream. Returns false with a ValueError if none does. */
DLB_API bool dlb_py_takes_stream(const dlb_requirements *require, const char *name, intptr_t stream);
/* Finds the stream on which the library works after an import. `importer` may be NULL, and so may `params`: then the params have their
 * defaults. Returns 1; 0 if the spec names no stream; or -1 with an exception. */
DLB_API int dlb_py_stream_of_import(const dlb_factory *importer, const void *params, dlb_py_stream *stream);
/* Sets `*value` to the stream as the device numbers it; `stream` NULL, or a device without streams: the default stream. Returns 0, or -1
 * with a ValueError. */
DLB_API int dlb_py_stream_on(const char *name, DLDeviceType device, const dlb_py_stream *stream, intptr_t *value);
/* Returns whether the requirements list the device. `require` may be NULL. */
static inline bool dlb_py_lists_device(const dlb_requirements *require, DLDeviceType device)
{
    bool listed = false;

    for (size_t i = 0; require != NULL && i < require->device_count; i++) {
        listed = listed || require->devices[i] == device;
    }
    return listed;
}

/* Returns whether the consumer reads memory of this device with the CPU while a GPU may still work on it: managed memory, for requirements
 * that list the CPU instead. `require` may be NULL. */
DLB_API bool dlb_py_shares_with_gpu(const dlb_requirements *require, DLDeviceType device);
/* Waits on the CPU until the work of `stream` on managed memory is done. Without a driver of CUDA, there is no such work. Returns 0, or -1
 * with an exception. */
DLB_API int dlb_py_wait_for_gpu(const char *name, intptr_t stream);
/* Checks that a consumer on `stream` may use an array of an exchange table whose library has no __dlpack__(): no function of the table
 * waits for a stream, so the array must be on this stream already. NULL: nothing is checked. If the CPU reads managed memory, waits for
 * the stream of the library instead. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_check_table_stream(const DLPackExchangeAPI *api, const char *name, DLDevice device, const dlb_requirements *require,
                                      const dlb_py_stream *stream);
/* Sets `*number` to the argument `stream` for a producer on this device: a new reference, or NULL if the device has no streams. Returns 0,
 * or -1 with an exception. */
DLB_API int dlb_py_stream_for(const char *name, DLDeviceType device, const dlb_py_stream *stream, PyObject **number);
/* Sets `*number` as dlb_py_stream_for() does, for the device that __dlpack_device__() of the producer returns. */
DLB_API int dlb_py_stream_for_producer(const dlb_py_state *state, const char *name, PyObject *producer, const dlb_py_stream *stream,
                                       PyObject **number);

/* ---- Imports ---- */

/* Imported memory: one of the three pointers is set. */
typedef struct dlb_py_foreign {
    DLManagedTensor *legacy;
    DLManagedTensorVersioned *versioned;
    const dlb_memory *memory;
    bool readonly; /* for `legacy`, which cannot express it */
} dlb_py_foreign;

/* Call deleters of tensors as dlb_end_versioned() and dlb_end_legacy() do, from any thread. An exception that the deleter sets is
 * reported as unraisable. */
DLB_API void dlb_py_end_versioned(void *tensor);
DLB_API void dlb_py_end_legacy(void *tensor);
/* Deletes the tensor of a dlb_py_foreign, whichever of its pointers is set. A function for dlb_py_quietly(). */
DLB_API void dlb_py_delete_foreign(void *foreign);

/* Takes the tensor out of a capsule, which is then marked as consumed. Messages begin with `name`. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_consume(const char *name, PyObject *capsule, dlb_py_foreign *tensor);
/* Stores the answer of a producer in a new capsule, which owns the tensor from then on. Each import and each argument accepts the capsule
 * in the place of the producer, which is then not called again. NULL with an exception: the caller still owns the tensor. */
DLB_API PyObject *dlb_py_store_answer(PyObject *producer, const dlb_py_foreign *tensor);
/* Returns the producer of the answer in such a capsule, or else `value` itself. The reference is borrowed. */
DLB_API PyObject *dlb_py_producer_behind(PyObject *value);
/* Calls x.__dlpack__(), and consumes the capsule. Returns 0, or -1 with an exception: see dlb_py_lacks_dlpack(). */
DLB_API int dlb_py_call_dlpack(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor);
/* Calls x.__dlpack__(), again with dl_device=(1, 0) if `require` allows a copy on the CPU, and the first answer is a BufferError or memory
 * that the host cannot read. Managed memory for the CPU is requested again, too: the producer then waits for the work of the GPU. `require`
 * may be NULL. If each array must be copied, memory that the CPU cannot read is requested again with copy=True, and gets the flag IS_COPIED.
 * `copy`: the argument `copy`, or NULL. `stream`: the stream on which the consumer works, which a producer on a device with
 * streams gets; NULL: not specified. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_call_for(const dlb_py_state *state, const char *name, PyObject *producer, const dlb_requirements *require,
                            PyObject *copy, const dlb_py_stream *stream, dlb_py_foreign *tensor);
/* Calls x.__dlpack__() with dl_device=device, and without it if the producer refuses although its tensor is on this device. `copy` and
 * `stream` are those of dlb_py_call_for(). Returns 0, or -1 with an exception. */
DLB_API int dlb_py_call_on(const dlb_py_state *state, const char *name, PyObject *producer, DLDevice device,
                           const dlb_requirements *require, PyObject *copy, const dlb_py_stream *stream, dlb_py_foreign *tensor);
/* Returns true, and clears the pending exception, if the producer has no method __dlpack__(), or None in its place. Otherwise an exception
 * is pending. */
DLB_API bool dlb_py_lacks_dlpack(const dlb_py_state *state, PyObject *producer);
/* Returns whether the object has a method __dlpack__(), or is a class with one, 1 or 0; or -1 with a RecursionError or another exception
 * that must not be cleared. None in its place counts as missing. */
DLB_API int dlb_py_has_dlpack(const dlb_py_state *state, PyObject *object);
/* Returns whether an exchange table suffices for this tensor. The table of PyTorch ignores the bit that marks a complex tensor as
 * conjugated. No table waits for work on a device, which may also write to host memory. */
static inline bool dlb_py_table_suffices(const DLTensor *tensor)
{
    return tensor->dtype.code != kDLComplex && tensor->device.device_type == kDLCPU;
}
/* Asks an object whose type has `gradient` whether it requires grad: automatic differentiation must then know of all writes to it.
 * Returns 1 or 0, or -1 with an exception. Returns 1 if the object does not tell. May run foreign code. */
DLB_API int dlb_py_requires_grad(const dlb_py_state *state, PyObject *producer);
/* Returns whether elements of this dtype can have a gradient. Integers and booleans cannot. */
static inline bool dlb_py_is_differentiable(DLDataType dtype)
{
    return dtype.code != kDLInt && dtype.code != kDLUInt && dtype.code != kDLBool;
}
/* Raises an exception: the exchange table has failed. Returns -1. */
DLB_API DLB_COLD int dlb_py_table_failed(const dlb_py_producer *info, const char *name, PyObject *producer);
/* Gets a tensor from the exchange table of the type. Returns 0; -1 with an exception; or 1 if __dlpack__() must be called. */
static inline int dlb_py_call_table(const dlb_py_producer *info, const char *name, PyObject *producer,
                                   DLManagedTensorVersioned **out)
{
    *out = NULL;
    if (DLB_UNLIKELY(info->api->managed_tensor_from_py_object_no_sync(producer, out) != 0 || *out == NULL)) {
        return dlb_py_table_failed(info, name, producer);
    }
    if (DLB_UNLIKELY(info->dlpack && (*out)->version.major == DLB_VERSION_MAJOR && /* members of other major versions must not be read */
                     !dlb_py_table_suffices(&(*out)->dl_tensor))) {
        dlb_py_end_versioned(*out);
        return 1;
    }
    return 0;
}
/* Reads the struct of a numpy.ndarray. `axes` stores shape and strides. Returns false if __dlpack__() must be called. */
DLB_API bool dlb_py_read_ndarray(dlb_py_state *state, PyObject *array, DLTensor *tensor, uint64_t *flags,
                                 int64_t axes[2 * DLB_MAX_NDIM]);
/* Returns whether the array shows memory that NumPy imported through DLPack. */
DLB_API bool dlb_py_is_ndarray_of_capsule(const dlb_py_state *state, PyObject *array);
/* Gets the buffer of `producer`, and checks that its fields are consistent. Messages begin with `name`. Returns 0; or -1 with an
 * exception, and nothing to release. */
DLB_API int dlb_py_get_buffer(const char *name, PyObject *producer, Py_buffer *buffer);
/* Releases a buffer, which may run foreign code, with no exception pending. An exception that was pending is restored. */
DLB_API void dlb_py_release_buffer(Py_buffer *buffer);
/* Gets a buffer as dlb_py_get_buffer() does. Returns a new reference to an object that releases the buffer when it is destroyed, or
 * NULL with an exception. `*buffer` is valid as long as that object lives. */
DLB_API PyObject *dlb_py_hold_buffer(const char *name, PyObject *producer, const Py_buffer **buffer);
/* Returns whether a checked buffer is contiguous in that order, as PyBuffer_IsContiguous() defines it. */
DLB_API bool dlb_py_is_contiguous(const Py_buffer *buffer, char order);
/* Describes a checked buffer as a tensor, and its elements if DLPack cannot describe them. `axes` stores shape and strides. Returns 0, or -1
 * with a BufferError. */
DLB_API int dlb_py_read_buffer(const char *name, const Py_buffer *buffer, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM],
                               dlb_elements *elements);
/* Changes the description of elements, whose strides count bytes, to that of their bytes, along one more axis. `elements` then has their
 * dtype. Returns 0; or -1 with a BufferError if the tensor has no axis left. */
DLB_API int dlb_py_show_bytes(const char *name, DLTensor *tensor, dlb_elements *elements);
/* Converts a format of one element to a dtype. Sets `*swapped` to whether the byte order is not that of this machine. Returns false if no
 * dtype is equal to the format. */
DLB_API bool dlb_py_read_format(const char *format, Py_ssize_t itemsize, DLDataType *dtype, bool *swapped);
/* Returns the size in bytes of a letter of the struct module, native or standard; 0: the letter is unknown. */
DLB_API size_t dlb_py_size_of_letter(char character, bool native);
/* Returns the format of a dtype in the letters of the struct module, or NULL if it has none. The string is static. */
DLB_API char *dlb_py_buffer_format(DLDataType dtype);
/* Fills the shape and the strides of `tensor`, which has its dtype already, from a buffer. `axes` stores both. If DLPack cannot describe the
 * strides, or if `elements->swapped`, describes the bytes of the elements. Returns 0, or -1 with a BufferError. */
DLB_API int dlb_py_read_axes(const char *name, const Py_buffer *buffer, DLTensor *tensor, int64_t axes[2 * DLB_MAX_NDIM],
                             dlb_elements *elements);
/* Describes a checked buffer as dlb_py_read_buffer() does. Its elements must be such records. Returns 0; or -1 with a TypeError about the
 * fields, or a BufferError. */
DLB_API int dlb_py_read_records(const char *name, const dlb_record *record, const Py_buffer *buffer, DLTensor *tensor,
                                int64_t axes[2 * DLB_MAX_NDIM], dlb_elements *elements);
/* Returns the dtype that the elements of an array of records have inside of the runtime, as DLB_DTYPE_OF_RECORD() does. */
static inline DLDataType dlb_dtype_of_record(const dlb_record *record)
{
    return (DLDataType){kDLOpaqueHandle, 8, (uint16_t)record->size};
}
/* Returns the fields of the elements of an object; NULL: they are numbers. */
static inline const dlb_record *dlb_py_record_of(const dlb_type *type, const void *object)
{
    if (DLB_LIKELY(type->record_at == 0)) {
        return type->record;
    }
    return *(const dlb_record *const *)(const void *)((const char *)object + type->record_at);
}
/* Returns the fields of the elements of a Python object; NULL: they are numbers, or it is closed. */
DLB_API const dlb_record *dlb_py_record_of_object(PyObject *self);
/* Returns the format of a buffer of records, in memory from malloc(), or NULL with a MemoryError. */
DLB_API char *dlb_py_record_format(const dlb_record *record);
/* Describes the bytes of a checked buffer as a tensor with one axis. If the buffer has gaps, or with `by_rows`, the tensor has the axes of
 * the buffer, and one more for the bytes of an element. `order`: of a copy, which is made if there are gaps. Returns 0, or -1 with a
 * BufferError. Returns 1 if the buffer must be read as an array, because its elements are bytes. */
DLB_API int dlb_py_read_bytes(const char *name, const Py_buffer *buffer, bool by_rows, dlb_order order, DLTensor *tensor,
                              int64_t axes[2 * DLB_MAX_NDIM]);
#if defined(_WIN32)
#define DLB_PY_CUDA_DRIVER "nvcuda.dll"
#else
#define DLB_PY_CUDA_DRIVER "libcuda.so.1"
#endif

/* The driver of CUDA, and the module by which it is called. */
typedef struct dlb_py_cuda {
    PyObject *ctypes;
    PyObject *driver;
} dlb_py_cuda;

/* Loads the driver. Returns 0, or -1 with an exception. dlb_py_close_cuda() must be called in both cases. */
DLB_API int dlb_py_open_cuda(dlb_py_cuda *cuda);
/* Releases the references, which may be NULL. */
DLB_API void dlb_py_close_cuda(const dlb_py_cuda *cuda);
/* Sets the device of the tensor to that of its data. Messages begin with `name`. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_find_cuda_device(const dlb_py_cuda *cuda, const char *name, DLTensor *tensor);
/* Waits until the work of the stream is done. Returns 0; the error of the driver; or -1, perhaps with an exception. */
DLB_API long dlb_py_wait_for_cuda(const dlb_py_cuda *cuda, int64_t stream);

/* Describes the array of an object that has __array_interface__ or __cuda_array_interface__. The elements must be records like `record`;
 * if that is NULL, numbers. `axes` stores shape and strides. `memory` has the tensor; its other members are set, but for the keeper. Sets
 * `*holder` to a new reference to an object that keeps the memory alive. Returns 0; 1 if the object has no interface; or -1 with an
 * exception. */
DLB_API int dlb_py_hold_interface(const char *name, const dlb_record *record, PyObject *producer, PyObject **holder, DLTensor *tensor,
                                  int64_t axes[2 * DLB_MAX_NDIM], dlb_memory *memory);
/* Converts a type string of NumPy to a dtype. Sets `*swapped` to whether the byte order is not that of this machine. Returns false if no
 * dtype is equal to the string. */
DLB_API bool dlb_py_read_typestr(const char *string, DLDataType *dtype, bool *swapped);
/* Compares the type string and the list `descr` of an array interface, which may be NULL, with a record. Returns 0, or -1 with a
 * TypeError about the fields. */
DLB_API int dlb_py_check_descr(const char *name, const dlb_record *record, const char *typestr, PyObject *descr);
/* Returns whether an object has one of these interfaces, 1 or 0; or -1 with a RecursionError. Clears other exceptions. */
DLB_API int dlb_py_has_interface(PyObject *value);
/* Finds the memory of a holder of dlb_py_hold_interface(). Returns false if the object is none. */
DLB_API bool dlb_py_interface_span(PyObject *holder, dlb_span *span);

typedef struct dlb_py_strings dlb_py_strings;

/* Arguments of an import besides the array. The object takes over the copies of strings. */
typedef struct dlb_py_import_options {
    const void *params;
    dlb_py_strings *strings;
    dlb_owner *const *kept; /* owners of the params that are objects, NULL for each other param; NULL: no such params */
    const dlb_requirements *require; /* NULL: those of the importer; else stricter ones */
    const dlb_py_stream *stream;     /* the stream on which the consumer works; NULL: that of the importer */
    bool written; /* C will write to the array */
    bool wished; /* the options are the first member of a dlb_py_wish */
} dlb_py_import_options;

/* An import with the keywords `device` and `copy` of the array API, and `stream`. */
typedef struct dlb_py_wish {
    dlb_py_import_options options; /* its `require` is the next member */
    dlb_requirements require;      /* those of the importer, for this device and copy */
    PyObject *copy;                /* True or False, borrowed; NULL: none */
    bool has_device;
    DLDevice device;
    dlb_py_stream stream;
} dlb_py_wish;

/* Makes an object that shows the memory. On failure, the memory is released before the exception is set. */
DLB_API PyObject *dlb_py_import(dlb_py_state *state, const dlb_type *type, dlb_py_foreign *from, dlb_py_import_options *options);
/* Makes an object of the class of `type` that shows the array of `producer`, for a call. Returns a new reference, or NULL with an
 * exception. */
DLB_API PyObject *dlb_py_import_argument(const dlb_type *type, PyObject *producer, dlb_py_import_options *options);
/* Makes an object that shows the buffer of `producer`. `bytes`: it shows the bytes, whatever the elements are. */
DLB_API PyObject *dlb_py_from_buffer(dlb_py_state *state, const dlb_type *type, PyObject *producer, bool bytes,
                                     dlb_py_import_options *options);
/* Imports an array of records like `record`, by its array interface or its buffer. `state` may be NULL with an exception. Returns NULL with an
 * exception, a TypeError if the fields differ. */
DLB_API PyObject *dlb_py_from_records(dlb_py_state *state, const dlb_type *type, const dlb_record *record, PyObject *producer,
                                      dlb_py_import_options *options);

/* ---- Arguments ---- */

/* The arguments of a call, as METH_FASTCALL | METH_KEYWORDS passes them. */
typedef struct dlb_py_call {
    const char *function; /* name of the function, for messages */
    PyObject *const *args;
    Py_ssize_t nargs;
    PyObject *kwnames; /* NULL: none */
    bool keyword_only; /* params are not positional; the function has read its `nargs` arguments itself */
} dlb_py_call;

/* Storage for a struct of params, on the stack if the struct is small. */
typedef struct dlb_py_values {
    union {
        char bytes[256];
        long long integer;
        long double floating; /* gives the alignment of malloc() */
        void *pointer;
    } small;
    void *large;
    void *place;
} dlb_py_values;

/* Allocates `size` zeroed bytes, and calls `defaults` unless it is NULL. NULL with an exception. Call dlb_py_free_values() in both
 * cases. */
DLB_API void *dlb_py_allocate_values(dlb_py_values *values, size_t size, void (*defaults)(void *values));
/* Frees storage of dlb_py_allocate_values(). */
DLB_API void dlb_py_free_values(dlb_py_values *values);

/* Stores the arguments where `params` require. Strings still belong to the arguments. For params that are objects, `kept` gets the
 * owners, each with a share. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_parse(const dlb_py_call *call, const dlb_param *params, size_t count, void *values, dlb_owner **kept);

/* Raises a TypeError: the argument for `param` must be `expected`. Always returns -1. */
DLB_API int dlb_py_refuse_type(const struct dlb_py_function *function, const dlb_param *param, PyObject *value,
                               const char *expected);
/* Returns whether the type of `value` has an attribute: 1 or 0, or -1 with an exception. None counts as missing (Python: data model). */
DLB_API int dlb_py_has(PyObject *value, const char *name);
/* Returns whether an object itself has an attribute that is not None: 1 or 0, or -1 with an exception. Files of `tempfile` have
 * attributes that their type does not have. */
DLB_API int dlb_py_has_attribute(PyObject *object, const char *name);
/* Returns whether the pending exception is due to None under that name in the type. If it is, the exception is cleared. */
DLB_API bool dlb_py_switches_off(PyObject *value, const char *name);
/* Returns whether `value` is a bool, or a bool of NumPy. */
DLB_API bool dlb_py_is_bool(PyObject *value);
/* Converts an integer, or a bool of NumPy (which NumPy does not treat as an integer), to an int: a new reference. Returns NULL without
 * an exception if `value` is neither, and NULL with an exception if the conversion fails. Then call dlb_py_refuse_integer(). */
DLB_API PyObject *dlb_py_as_integer(PyObject *value);
/* The kinds of numbers. Each includes the numbers of the kinds before it. */
enum { DLB_PY_NO_NUMBER, DLB_PY_BOOL, DLB_PY_INTEGER, DLB_PY_REAL, DLB_PY_COMPLEX };

/* Returns the kind of a number: of Python, of NumPy, an array of rank 0 of any library, or another object that converts itself to a
 * number. Its dtype tells the kind, or else its value. Returns DLB_PY_NO_NUMBER for other values, and -1 with an exception. */
DLB_API int dlb_py_number_kind(PyObject *value);
/* Reads a tuple of a device type and a device id. Returns false, perhaps with an exception, if the value is none. */
DLB_API bool dlb_py_read_device_pair(PyObject *value, DLDevice *device);
/* Raises a TypeError: the argument must be `expected`. Adds the argument to an exception that is pending already. Returns -1. */
DLB_API int dlb_py_refuse_integer(const struct dlb_py_function *function, const dlb_param *param, PyObject *value,
                                  const char *expected);
/* Returns whether `value` is a sequence, and neither a string nor a mapping: 1 or 0, or -1 with an exception. */
DLB_API int dlb_py_is_sequence(PyObject *value);
/* Appends a name to `*list`, a str of names separated by commas, or NULL. Returns 0; or -1 with an exception, and sets `*list` to NULL. */
DLB_API int dlb_py_list_name(PyObject **list, const char *name);
/* Copies the first items that are floats or small ints and fit: reading them runs no foreign code. Returns the number of items copied. */
DLB_API Py_ssize_t dlb_py_copy_numbers(const dlb_param *param, PyObject *const *items, Py_ssize_t count, char *to);
/* Stores the low bytes of `bits` as an integer of `size` bytes. */
DLB_API void dlb_py_store_integer(void *place, size_t size, uint64_t bits);

/* Strings among params are copied: keeping a str alive would need Python. */

/* Replaces the strings in `values` by copies. `*out` gets the copies, or NULL if there are none. Returns 0, or -1 with an exception.
 * Afterwards call free() or dlb_py_keep_strings(). */
DLB_API int dlb_py_copy_strings(const dlb_param *params, size_t count, void *values, dlb_py_strings **out);
/* Makes an owner keep the copies as long as it lives, besides its other dependencies. */
DLB_API void dlb_py_keep_strings(dlb_owner *owner, dlb_py_strings *strings);

/* The params of a factory, for one new object. */
typedef struct dlb_py_params {
    const dlb_factory *factory;
    void *values;           /* the struct of the params */
    dlb_owner **kept;       /* owners of the params that are objects, each with a share; NULL for each other param */
    dlb_py_strings *strings; /* NULL: none */
    dlb_py_values storage;
    dlb_py_values owners;
} dlb_py_params;

/* Allocates the params, and sets their defaults. Returns 0, or -1 with an exception. Call dlb_py_free_params() in both cases. */
DLB_API int dlb_py_new_params(const dlb_factory *factory, dlb_py_params *params);
/* Stores the arguments of a call. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_parse_params(const dlb_py_call *call, dlb_py_params *params);
/* Makes the owner of the new object keep the strings and the objects. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_py_keep_params(dlb_py_params *params, dlb_owner *owner, dlb_error *error);
DLB_API void dlb_py_free_params(dlb_py_params *params);
/* Allocates an object with the shape and dtype of `prototype`, and with the params; NULL: the allocator has none. Ends `pending`. Returns a
 * new reference, or NULL with an exception. */
DLB_API PyObject *dlb_py_allocate(dlb_py_pending_object *pending, const dlb_type *type, const DLTensor *prototype,
                                  dlb_py_params *params);

/* Stores an integer param. Returns false if it cannot hold `index`. */
DLB_API bool dlb_py_store_index(const dlb_param *param, void *values, uint64_t index);
/* Returns whether an integer param holds an index from 0 to `count` - 1. */
DLB_API bool dlb_py_holds_index(const dlb_param *param, const void *values, uint64_t count);

/* ---- Free lists: memory of destroyed objects, for the next ones ---- */

/* ---- Objects ---- */

/* Makes an object without contents, in memory from the free list if there is some. NULL with an exception. */
static inline dlb_py_object *dlb_py_new_object(dlb_py_state *state, PyTypeObject *cls)
{
    void *const free_list = DLB_PY_FREE_THREADED ? NULL : state->free_list;

    if (free_list == NULL) {
        return PyObject_New(dlb_py_object, cls);
    }
    DLB_UNHIDE(free_list, sizeof(dlb_py_object));
    state->free_list = NULL;
    return (dlb_py_object *)(void *)PyObject_Init(free_list, cls);
}

/* Frees the memory of an object, or puts it on the free list. */
static inline void dlb_py_free_object(dlb_py_state *state, PyObject *self)
{
    if (DLB_PY_FREE_THREADED || state->free_list != NULL || state->interpreter == NULL) {
        PyObject_Free(self);
    } else {
        state->free_list = self;
        DLB_HIDE(self, sizeof(dlb_py_object));
    }
}

/* ---- Owners from dlb_import_fast() ---- */

/* Takes the memory of an owner from the free list, if there is some for this type. Else returns NULL. */
static inline void *dlb_py_take_free_owner(dlb_py_state *state, const dlb_type *type)
{
    if (DLB_PY_FREE_THREADED || state->free_owner_type != type) {
        return NULL;
    }
    state->free_owner_type = NULL;
    DLB_UNHIDE(state->storage, dlb_fast_size(type));
    return state->storage;
}

/* Frees the memory of an owner on the free list. */
static inline void dlb_py_clear_free_owner(dlb_py_state *state)
{
    if (state->free_owner_type != NULL) {
        free(dlb_py_take_free_owner(state, state->free_owner_type));
    }
}

/* Disowns an owner, whose memory may go to the free list. */
static inline void dlb_py_disown(dlb_py_state *state, dlb_owner *owner)
{
    if (DLB_PY_FREE_THREADED || owner->origin != DLB_FROM_FAST_IMPORT || state->interpreter == NULL) {
        dlb_owner_free(owner);
    } else {
        dlb_py_clear_free_owner(state);
        state->storage = owner;
        state->free_owner_type = owner->type;
        DLB_HIDE(owner, dlb_fast_size(state->free_owner_type));
    }
}

/* ---- Shutdown of the interpreter ---- */

/* Frees all memory on the free lists of an interpreter. */
static inline void dlb_py_clear_free_lists(dlb_py_state *state)
{
    if (state->free_list != NULL) {
        DLB_UNHIDE(state->free_list, sizeof(dlb_py_object));
        PyObject_Free(state->free_list);
        state->free_list = NULL;
    }
    dlb_py_clear_free_owner(state);
}

/* ---- Classes of other modules ---- */

/* How an object is used that a call moves or frees, or why a call cannot take it. */
typedef enum dlb_py_use {
    DLB_PY_IS_FREE,      /* by nobody else */
    DLB_PY_IS_CLOSED,
    DLB_PY_IS_SUBOBJECT, /* it belongs to another object or to the library */
    DLB_PY_IS_IMPORTED,  /* its memory belongs to an array */
    DLB_PY_IS_USED,      /* by exports or other holders */
    DLB_PY_IS_OTHER      /* it is an object of another class */
} dlb_py_use;

/* An object of another module that is held. Modules with different runtimes share this layout. */
typedef struct dlb_py_held {
    void *object; /* the T * */
    int readonly; /* C must change neither the object nor its data */
    dlb_py_use use;
    int64_t exports;
    int64_t holders; /* others than the object itself and the call */
} dlb_py_held;

/* Stores in `held` how the object of an owner is used, if the call has `shares` shares of it. */
DLB_API void dlb_py_find_use(const dlb_owner *owner, int64_t shares, dlb_py_held *held);
/* Makes the capsule with the functions of a class for other modules. NULL with an exception. */
DLB_API PyObject *dlb_py_class_api(const dlb_py_class *of);
/* Stores the absolute name of the module of an external class. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_register_external(PyObject *module, const dlb_external *external);
/* Wraps `value`, an object of the external class of `type`, in an object of this module that keeps it. `exclusive`: the call moves or
 * frees its C object. Returns NULL with an exception, or without one if `held->use` tells why the call cannot take it. */
DLB_API PyObject *dlb_py_hold_external(const dlb_type *type, PyObject *value, int exclusive, dlb_py_held *held);
/* Returns whether `value` is an object of the external class of `type`: 1 or 0, or -1 with an exception. */
DLB_API int dlb_py_is_external(const dlb_type *type, PyObject *value);
/* Returns "module.Class" of an external class, a new reference. NULL with an exception, or without one if there is no entry. */
DLB_API PyObject *dlb_py_external_name(const dlb_type *type);
/* Closes an object of the external class of `type`, which is held: the library has taken its C object over. */
DLB_API void dlb_py_give_up_external(const dlb_type *type, PyObject *object);
/* Makes an object of the external class, and takes over `owner`, which this module has made of a result. NULL with an exception. */
DLB_API PyObject *dlb_py_wrap_external(dlb_owner *owner);

/* ---- Methods, attributes and slots that all classes have ---- */

/* ---- Of all classes ---- */

/* Implement close(), __enter__() and __exit__(): they drop Python's share of the object. Exports keep their shares. */
DLB_API PyObject *dlb_py_close(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_enter_context(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_exit_context(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
/* Adds the function to a module that unpickles the objects of its classes, unless it has one of that name. Returns 0, or -1 with an
 * exception. */
DLB_API int dlb_py_add_rebuild(PyObject *module);
/* Implement __reduce_ex__(protocol), and the class method _rebuild(), which unpickles objects. */
DLB_API PyObject *dlb_py_reduce_ex(PyObject *self, PyObject *protocol);
DLB_API PyObject *dlb_py_rebuild(PyObject *cls, PyObject *args);
/* Implements repr() of handles: <module.Name at 0x...>. */
DLB_API PyObject *dlb_py_handle_repr(PyObject *self);

/* ---- Of tensors ---- */

/* Implements __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) (array API: __dlpack__). */
DLB_API PyObject *dlb_py_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
/* Implements __dlpack_device__() (array API: __dlpack_device__). */
DLB_API PyObject *dlb_py_dlpack_device(PyObject *self, PyObject *unused);
/* Implements __array__(dtype=None, copy=None): numpy.asarray() of the buffer, or an exception that tells why there is none. */
DLB_API PyObject *dlb_py_array(PyObject *self, PyObject *args, PyObject *kwargs);
/* Implements to(target, /): converts to an object of another library. `target` is a type of that library, or an object that has its
 * from_dlpack(). */
DLB_API PyObject *dlb_py_to(PyObject *self, PyObject *target);
/* Implements __sizeof__(): the size of the Python object, and the memory of the elements if the object owns it. */
DLB_API PyObject *dlb_py_sizeof(PyObject *self, PyObject *unused);
/* Implements repr() of tensors. */
DLB_API PyObject *dlb_py_repr(PyObject *self);
/* Implement the buffer protocol (Python: bf_getbuffer, bf_releasebuffer). */
DLB_API int dlb_py_getbuffer(PyObject *self, Py_buffer *buffer, int flags);
DLB_API void dlb_py_releasebuffer(PyObject *self, Py_buffer *buffer);

/* The properties shape, strides and so on, terminated by an entry without a name. */
DLB_API extern PyGetSetDef dlb_py_attributes[];

/* The names of the class that an argument must have, and of the class of its value, for a message. Without its module, unless both names
 * would be equal. */
typedef struct dlb_py_class_names {
    char expected[DLB_PY_MESSAGE_SIZE / 2];
    char given[DLB_PY_MESSAGE_SIZE / 2];
} dlb_py_class_names;
/* Finds the names of the class of `type` and of the class of `value`. Returns 0, or -1 with an exception. */
DLB_API int dlb_py_name_classes(const dlb_type *type, PyObject *value, dlb_py_class_names *names);

#endif
