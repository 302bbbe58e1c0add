/* SPDX-License-Identifier: MIT-0 */
/* What the CPython files of the runtime share. */
#ifndef DLB_PY_INTERNAL_H_
#define DLB_PY_INTERNAL_H_

#include "dlb_function.h"

#include "../core/dlb_import.h"
#include "../core/dlb_span.h"
#include "dlb_py_compat.h"
#include "dlb_py_errors.h"
#include "dlb_py_state.h"

#define DLB_PY_EXCHANGE_ATTRIBUTE "__dlpack_c_exchange_api__"
#define DLB_PY_EXCHANGE_CAPSULE "dlpack_exchange_api"

/* Instance data, reached in this one way so that other layouts of objects stay possible. */
static inline dlb_py_object *dlb_py_data(PyObject *self)
{
    return (dlb_py_object *)self;
}

/* Raises that the object is closed; always NULL. */
DLB_API dlb_owner *dlb_py_closed(PyObject *self);
/* Takes the owner of an object, which is closed then; NULL: it was closed before. */
DLB_API dlb_owner *dlb_py_detach(PyObject *self);

/* What dlb_py_quietly() calls, beside dlb_py_decref(). */
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

/* The owner behind `self`, for the time of a call that ends with dlb_py_leave(); NULL if `self` is closed. Where the call may
 * let others run, it holds a share, since they may close `self`: without a GIL always; else where the library may let the GIL
 * go (sync) or the runtime may finish other objects (all that is special). */
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

/* The same with a ValueError where it is closed. */
static inline dlb_owner *dlb_py_enter(PyObject *self)
{
    dlb_owner *const owner = dlb_py_enter_quietly(self);

    return DLB_UNLIKELY(owner == NULL) ? dlb_py_closed(self) : owner;
}

/* `owner` may have ended by now if it was not shared, and is not looked at then. */
static inline void dlb_py_leave(PyObject *self, dlb_owner *owner)
{
    if (DLB_UNLIKELY(dlb_py_data(self)->shares)) {
        dlb_py_quietly(dlb_py_drop_owner, owner);
    }
}

/* The export of an owner that something else shares, or of what is not plain; `counted`: it is one already. NULL with an exception. */
DLB_API DLManagedTensorVersioned *dlb_py_export_slow(dlb_owner *owner, bool counted);
DLB_API DLManagedTensor *dlb_py_export_legacy_slow(dlb_owner *owner, bool counted);

/* One more export of an object whose owner was entered; NULL with an exception. */
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

static inline DLManagedTensor *dlb_py_export_legacy(dlb_owner *owner)
{
    const int flags = DLB_PY_FREE_THREADED ? DLB_NOT_EXCLUSIVE : dlb_describe_exclusive(owner, &owner->slot.legacy.dl_tensor);

    if (DLB_UNLIKELY(flags < 0 || (((uint32_t)flags | owner->flags) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)) {
        return dlb_py_export_legacy_slow(owner, flags != DLB_NOT_EXCLUSIVE);
    }
    dlb_manage_legacy(&owner->slot.legacy, owner, dlb_delete_legacy_slot);
    return &owner->slot.legacy;
}

/* The capsule of an export, which it takes over; or NULL with an exception. */
DLB_API PyObject *dlb_py_legacy_capsule(DLManagedTensor *tensor);
DLB_API PyObject *dlb_py_versioned_capsule(DLManagedTensorVersioned *tensor);
static inline dlb_py_request *dlb_py_request_of(dlb_py_state *state, const PyObject *names)
{
    const uintptr_t address = (uintptr_t)names;

    return &state->requests[(address >> 4 ^ address >> 10) % DLB_PY_REQUESTS];
}

/* The keyword of __dlpack__() that is at this address, or -1. The names of a call in source code are interned. */
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

/* What __dlpack__() answers to whatever request. */
DLB_API PyObject *dlb_py_answer(PyObject *self, PyObject *const *args, PyObject *kwnames);

/* The stream on which a consumer works that names none: the default one of the device (array API: __dlpack__). */
static inline intptr_t dlb_py_default_stream(DLDeviceType device)
{
    return device == kDLCUDA || device == kDLCUDAManaged ? 1 : 0; /* CUDA calls its legacy default stream 1 */
}

/* What an owner hangs on that cannot end without Python. */
typedef struct dlb_py_guard dlb_py_guard;

/* A Python object that has no owner yet: all that can fail on the side of Python has been done. */
typedef struct dlb_py_pending_object {
    dlb_py_object *self;
    dlb_py_guard *guard; /* or NULL */
} dlb_py_pending_object;

/* The data of a new object without an owner; `special`: reading or ending it may run others (dlb_has_hooks). */
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

/* Gives it the caller's share of an owner that is as it was made. */
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

/* Begins an object of the class of `type`, whose owner shall keep `parent` alive unless that is NULL. 0, or -1 with an
 * exception. Then one of: */
DLB_API int dlb_py_begin(dlb_py_pending_object *pending, const dlb_type *type, PyObject *parent);
/* The same for a caller who has asked for the state. */
DLB_API int dlb_py_begin_in(dlb_py_state *state, dlb_py_pending_object *pending, const dlb_type *type, PyObject *parent);
DLB_API void dlb_py_cancel(dlb_py_pending_object *pending);
/* The object, which takes over the caller's share of `owner`, new and unknown to others. Cannot fail. */
DLB_API PyObject *dlb_py_finish(dlb_py_pending_object *pending, dlb_owner *owner);

/* Describes the object behind `self`, the flags of its owner included. 0, or -1 with an exception. */
DLB_API int dlb_py_view(PyObject *self, dlb_view *view);

/* The numbers of all axes; or NULL with an exception. */
DLB_API PyObject *dlb_py_axes(const int64_t *values, int32_t count);

/* Its parent, borrowed; or NULL. */
DLB_API PyObject *dlb_py_guard_parent(const dlb_py_guard *guard);
/* Finds the memory of the array that `owner` was made from. Returns false where that is not known; no exception may be pending. */
DLB_API bool dlb_py_source_span(const dlb_owner *owner, dlb_span *span);
/* A guard that holds `parent`, if that is not NULL; or NULL with an exception. */
DLB_API dlb_py_guard *dlb_py_guard_new(const dlb_py_state *state, PyObject *parent);
/* Puts it on an owner that nobody else knows, which it ends with; */
DLB_API void dlb_py_guard_owner(dlb_py_guard *guard, dlb_owner *owner);
/* or ends one that no owner has. */
DLB_API void dlb_py_guard_free(dlb_py_guard *guard);
/* or ends it from any thread, as the `let_go` of what it keeps. */
DLB_API void dlb_py_guard_let_go(void *guard);
DLB_API dlb_py_interpreter *dlb_py_interpreter_new(void);
DLB_API void dlb_py_interpreter_drop(dlb_py_interpreter *interpreter);

/* The buffer protocol has a format for it. */
DLB_API bool dlb_py_is_buffer(const DLTensor *tensor);

/* ---- Imports ---- */

/* Memory of somebody else that is ours now: one of the three. */
typedef struct dlb_py_foreign {
    DLManagedTensor *legacy;
    DLManagedTensorVersioned *versioned;
    const dlb_memory *memory;
    bool readonly; /* what the legacy one cannot say */
} dlb_py_foreign;

/* dlb_end_versioned() and dlb_end_legacy(), from any thread, of tensors whose deleters may leave an exception. */
DLB_API void dlb_py_end_versioned(void *tensor);
DLB_API void dlb_py_end_legacy(void *tensor);
/* Lets go of what it is: a tensor of either kind. */
DLB_API void dlb_py_delete_foreign(const dlb_py_foreign *tensor);

/* Takes the tensor out of a capsule, which says so from then on; `name` begins messages. 0, or -1 with an exception. */
DLB_API int dlb_py_consume(const char *name, PyObject *capsule, dlb_py_foreign *tensor);
/* What x.__dlpack__() gives. 0, or -1 with an exception; then */
DLB_API int dlb_py_ask(const dlb_py_state *state, const char *name, PyObject *producer, dlb_py_foreign *tensor);
/* true, without the exception, says that there is no such method, or None in its place. */
DLB_API bool dlb_py_lacks_dlpack(const dlb_py_state *state, PyObject *producer);
/* Whether it has the method, or a class has it; None says that it has not. */
DLB_API bool dlb_py_has_dlpack(const dlb_py_state *state, PyObject *object);
/* What a table gives may be more than it should: those of PyTorch do not look at the bit that says that a complex tensor is
 * to be conjugated, and no table waits for the work on a device, which may also write to memory of the host. */
static inline bool dlb_py_says_enough(const DLTensor *tensor)
{
    return tensor->dtype.code != kDLComplex && tensor->device.device_type == kDLCPU;
}
/* Asks an object of a kind with `gradient` whether it requires grad, that is, whether automatic differentiation must know of all that
 * is written to it. Returns 1, 0, or -1 with an exception; 1 as well where the object does not say it. May run code of others. */
DLB_API int dlb_py_requires_grad(const dlb_py_state *state, PyObject *producer);
/* Returns whether elements of that dtype can have a gradient: integers and booleans have none. */
static inline bool dlb_py_is_differentiable(DLDataType dtype)
{
    return dtype.code != kDLInt && dtype.code != kDLUInt && dtype.code != kDLBool;
}
/* Says that the table has failed; -1. */
DLB_API DLB_COLD int dlb_py_table_failed(const dlb_py_producer *kind, const char *name, PyObject *producer);
/* What the table of its type gives. 0, -1 with an exception, or 1 where x.__dlpack__() must be asked. */
static inline int dlb_py_ask_table(const dlb_py_producer *kind, const char *name, PyObject *producer,
                                   DLManagedTensorVersioned **out)
{
    *out = NULL;
    if (DLB_UNLIKELY(kind->api->managed_tensor_from_py_object_no_sync(producer, out) != 0 || *out == NULL)) {
        return dlb_py_table_failed(kind, name, producer);
    }
    if (DLB_UNLIKELY(kind->dlpack && (*out)->version.major == DLB_VERSION_MAJOR && /* else nothing more may be read */
                     !dlb_py_says_enough(&(*out)->dl_tensor))) {
        dlb_py_end_versioned(*out);
        return 1;
    }
    return 0;
}
/* A numpy.ndarray whose memory its struct shows; `axes` has room for shape and strides. false: it must be asked. */
DLB_API bool dlb_py_read_ndarray(dlb_py_state *state, PyObject *array, DLTensor *tensor, uint64_t *flags,
                                 int64_t axes[2 * DLB_MAX_NDIM]);
/* The array shows memory that came to NumPy by DLPack. */
DLB_API bool dlb_py_is_ndarray_of_capsule(const dlb_py_state *state, PyObject *array);
/* Clears an exception that says that this way is barred; false for one that says that the program is to stop. */
DLB_API bool dlb_py_may_try_another(void);
/* Gets the buffer of `producer`, and checks its fields against each other; `name` begins messages. 0, or -1 with an exception and
 * nothing to release. */
DLB_API int dlb_py_get_buffer(const char *name, PyObject *producer, Py_buffer *buffer);
/* Releases a buffer, which may run foreign code, with no exception pending; what was pending is restored. */
DLB_API void dlb_py_release_buffer(Py_buffer *buffer);
/* Gets a buffer as dlb_py_get_buffer() does, and holds it: an object that releases it when it ends, or NULL with an exception. `*buffer`
 * lives as long as that object. */
DLB_API PyObject *dlb_py_hold_buffer(const char *name, PyObject *producer, const Py_buffer **buffer);
/* Whether the bytes of a checked buffer lie one after the other, as PyBuffer_IsContiguous() says for that order. */
DLB_API bool dlb_py_is_contiguous(const Py_buffer *buffer, char order);
/* Fills `tensor` with a checked buffer as DLPack shows it; `axes` has room for shape and strides. 0, or -1 with a BufferError. */
DLB_API int dlb_py_read_buffer(const char *name, const Py_buffer *buffer, DLTensor *tensor,
                               int64_t axes[2 * DLB_MAX_NDIM]);
/* Fills `tensor` with the bytes of a checked buffer, as one axis; or with `by_rows` as the axes of the buffer and one more, for the bytes
 * of an element. 0; -1 with a BufferError; or 1: read it as an array instead, since it has gaps, or has bytes already. */
DLB_API int dlb_py_read_bytes(const char *name, const Py_buffer *buffer, bool by_rows, DLTensor *tensor,
                              int64_t axes[2 * DLB_MAX_NDIM]);

typedef struct dlb_py_texts dlb_py_texts;

/* What an import is given beside the array: its params or NULL, and copies of the texts among them, which the object
 * takes over. */
typedef struct dlb_py_given {
    const void *params;
    dlb_py_texts *texts;
    dlb_owner *const *kept; /* for each param, NULL where it is no object; or NULL */
    const dlb_maker *maker; /* the importer with other requirements; NULL: that of the type */
    bool written; /* a function of C will write to the array */
} dlb_py_given;

/* An object that shows the memory; on failure that is let go before the exception is set. */
DLB_API PyObject *dlb_py_import(dlb_py_state *state, const dlb_type *type, dlb_py_foreign *from, dlb_py_given *given);
/* Makes an object of the class of `type` that shows the array of `producer`, for a call which may write to it. `maker`: the importer with
 * other requirements, or NULL. A new reference, or NULL with an exception. */
DLB_API PyObject *dlb_py_import_argument(const dlb_type *type, const dlb_maker *maker, PyObject *producer, bool written);
/* An object that shows what `producer` has as a buffer; `bytes`: its bytes, whatever its elements are. */
DLB_API PyObject *dlb_py_from_buffer(dlb_py_state *state, const dlb_type *type, PyObject *producer, bool bytes,
                                     dlb_py_given *given);

/* ---- Arguments ---- */

/* The arguments of a call as METH_FASTCALL | METH_KEYWORDS passes them. */
typedef struct dlb_py_call {
    const char *function; /* its name, for messages */
    PyObject *const *args;
    Py_ssize_t nargs;
    PyObject *kwnames; /* or NULL */
    bool keyword_only; /* params are not positional; the function has read its `nargs` itself */
} dlb_py_call;

/* Room for a struct of params: on the stack if it is not large. */
typedef struct dlb_py_values {
    union {
        char bytes[256];
        long long integer;
        long double floating; /* a state may hold whatever malloc() suits */
        void *pointer;
    } small;
    void *large;
    void *place;
} dlb_py_values;

/* Zeroed room of that size, with the defaults filled in unless that function is NULL; or NULL with an exception. To be
 * ended in both cases. */
DLB_API void *dlb_py_allocate_values(dlb_py_values *values, size_t size, void (*defaults)(void *values));
DLB_API void dlb_py_free_values(dlb_py_values *values);

/* Stores the arguments where `params` say. Texts stay those of the arguments; of objects, `kept` gets the owners, each with a share.
 * 0, or -1 with an exception. */
DLB_API int dlb_py_parse(const dlb_py_call *call, const dlb_param *params, size_t count, void *values, dlb_owner **kept);

/* Raises a TypeError: the argument for `param` is no `expected`. Always -1. */
DLB_API int dlb_py_refuse_type(const struct dlb_py_function *function, const dlb_param *param, PyObject *value,
                               const char *expected);
/* Whether the type of `value` has that attribute: 1 or 0, or -1 with an exception. None says that it has not (Python: data model). */
DLB_API int dlb_py_has(PyObject *value, const char *name);
/* Whether the pending exception is due to a type that has None under that name; then it is dropped. */
DLB_API bool dlb_py_switches_off(PyObject *value, const char *name);
/* Whether it is a bool, or one of NumPy. */
DLB_API bool dlb_py_is_bool(PyObject *value);
/* Returns an int for an integer, or for a bool of NumPy, which NumPy does not take for an integer: a new reference. NULL: it is neither;
 * or with an exception, its conversion has failed. Then */
DLB_API PyObject *dlb_py_as_integer(PyObject *value);
/* raises that the argument must be `expected`, or names it in that exception. -1. */
DLB_API int dlb_py_refuse_integer(const struct dlb_py_function *function, const dlb_param *param, PyObject *value,
                                  const char *expected);
/* Whether it is a sequence, and neither a text nor a mapping: 1 or 0, or -1 with an exception. */
DLB_API int dlb_py_is_sequence(PyObject *value);
/* Appends a name to `*list`, a str of names with commas between them, or NULL. 0; or -1 with an exception and NULL. */
DLB_API int dlb_py_list_name(PyObject **list, const char *name);
/* Copies what needs no code of others to be read: the first items that are floats or small ints, and fit. How many they are. */
DLB_API Py_ssize_t dlb_py_copy_numbers(const dlb_param *param, PyObject *const *items, Py_ssize_t count, char *to);
/* The low bytes of `bits`, as an integer of that size. */
DLB_API void dlb_py_store_integer(void *place, size_t size, uint64_t bits);

/* Texts of params are copied: a str could not be kept without Python. */

/* Makes `values` point to copies of their texts: `*out`, or NULL where there are none. 0, or -1 with an exception. Then
 * free(), or */
DLB_API int dlb_py_copy_texts(const dlb_param *params, size_t count, void *values, dlb_py_texts **out);
/* an owner that keeps them, beside what it keeps already, for as long as it lives. */
DLB_API void dlb_py_keep_texts(dlb_owner *owner, dlb_py_texts *texts);

/* Stores an integer param; false if it cannot hold `index`. */
DLB_API bool dlb_py_store_index(const dlb_param *param, void *values, uint64_t index);
/* Whether one is an index of these, from 0. */
DLB_API bool dlb_py_holds_index(const dlb_param *param, const void *values, uint64_t count);

#endif
