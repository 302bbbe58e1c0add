/* SPDX-License-Identifier: MIT-0 */
/* The exchange tables of classes (DLPack: DLPackExchangeAPI). */

#include "object.h"

/* ---- New tensors: called without the GIL ---- */

/* Passes `error` to the callback `set_error` as the name of an exception class and a message. Returns -1. */
static int report(const dlb_error *error, void *error_ctx, dlb_py_set_error *set_error)
{
    static const char *const kinds[] = {
        [DLB_OK] = "RuntimeError",           [DLB_BUFFER_ERROR] = "BufferError", [DLB_VALUE_ERROR] = "ValueError",
        [DLB_TYPE_ERROR] = "TypeError",      [DLB_MEMORY_ERROR] = "MemoryError", [DLB_RUNTIME_ERROR] = "RuntimeError",
    };

    if (set_error != NULL) {
        set_error(error_ctx, kinds[error->status], error->message);
    }
    return -1;
}

/* Exports a new object, and checks that it is on the device `wanted`. Returns 0, or -1 with `error` set. The caller keeps its share of
 * `owner`. */
static int export_new(dlb_owner *owner, DLDevice wanted, DLManagedTensorVersioned **out, dlb_error *error)
{
    DLManagedTensorVersioned *managed;
    DLDevice made;
    char buffer[DLB_NAME_SIZE];

    if (dlb_export(owner, &managed, error) != 0) {
        return -1; /* not covered: the object has been described, and its first export takes no memory */
    }
    made = managed->dl_tensor.device;
    if (made.device_type != wanted.device_type || made.device_id != wanted.device_id) {
        managed->deleter(managed);
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: new objects are not on %s:%d", owner->type->name,
                        dlb_device_name(wanted.device_type, buffer), (int)wanted.device_id);
    }
    *out = managed;
    return 0;
}

int dlb_py_api_allocate(const dlb_type *type, const DLTensor *prototype, DLManagedTensorVersioned **out,
                        void *error_ctx, dlb_py_set_error *set_error)
{
    dlb_owner *owner;
    dlb_error error;
    int result;

    if (type->release_on == DLB_RELEASE_GIL) {
        (void)dlb_fail(&error, DLB_RUNTIME_ERROR, "%s: its objects need the GIL, which an allocator need not have",
                       type->name);
        return report(&error, error_ctx, set_error);
    }
    if (dlb_allocate(type, prototype, &owner, &error) != 0) {
        return report(&error, error_ctx, set_error);
    }
    result = export_new(owner, prototype->device, out, &error);
    dlb_owner_drop(owner);
    return result == 0 ? 0 : report(&error, error_ctx, set_error);
}

/* ---- Objects and tensors: called with the GIL ---- */

int dlb_py_api_to_object(const dlb_type *type, DLManagedTensorVersioned *tensor, void **out)
{
    dlb_py_pending_object pending;
    dlb_owner *owner;
    dlb_error error;

    if (dlb_py_begin(&pending, type, NULL) != 0) {
        return -1;
    }
    if (tensor != NULL && tensor->version.major == DLB_VERSION_MAJOR
            ? dlb_import_memory(type, NULL,
                                &(dlb_memory){.tensor = &tensor->dl_tensor, .flags = tensor->flags, .keeper = tensor, .let_go = dlb_py_end_versioned},
                                NULL, &owner, &error) != 0
            : dlb_import(type, tensor, &owner, &error) != 0) {
        dlb_py_cancel(&pending);
        (void)dlb_py_raise(&error);
        return -1;
    }
    *out = dlb_py_finish(&pending, owner);
    return 0;
}

/* Returns the owner of `object`, to be passed to dlb_py_leave(), or NULL with an exception. `object` is of any class of this runtime. */
static dlb_owner *owner_of(void *object)
{
    if (!dlb_py_is_ours(object)) {
        return dlb_py_wrong_type("%s this exchange table does not belong to '%s'", "DLPack:", object);
    }
    return dlb_py_enter(object);
}

/* Returns `result`; if it is not 0, raises `error` first. */
static int raise_if_failed(int result, const dlb_error *error)
{
    if (DLB_UNLIKELY(result != 0)) {
        (void)dlb_py_raise(error);
    }
    return result;
}

/* Exports an object with the slow path: its calls must share the owner, or it is closed or foreign. Returns 0, or -1 with an exception. */
DLB_NOINLINE static int export_shared(void *object, DLManagedTensorVersioned **out)
{
    dlb_owner *const owner = owner_of(object);
    dlb_error error;
    int result;

    if (owner == NULL) {
        return -1;
    }
    result = dlb_py_check_no_records(owner);
    if (result == 0) {
        result = raise_if_failed(dlb_export(owner, out, &error), &error);
    }
    dlb_py_leave(object, owner);
    return result;
}

int dlb_py_api_from_object(void *object, DLManagedTensorVersioned **out)
{
    DLManagedTensorVersioned *tensor;

    if (DLB_UNLIKELY(!dlb_py_is_ours(object) || dlb_py_data(object)->object == NULL)) {
        return export_shared(object, out);
    }
    tensor = dlb_py_export(dlb_py_data(object)->owner);
    if (tensor == NULL) {
        return -1;
    }
    *out = tensor;
    return 0;
}

/* Describes an object with the slow path: its calls must share the owner, it has no fast description, or it is read-only, closed or
 * foreign. Returns 0, or -1 with an exception. */
DLB_NOINLINE static int view_shared(void *object, DLTensor *out)
{
    dlb_owner *const owner = owner_of(object);
    dlb_error error;
    int result;

    if (owner == NULL) {
        return -1;
    }
    result = dlb_py_check_no_records(owner);
    if (result == 0) {
        result = raise_if_failed(dlb_borrow(owner, out, &error), &error);
    }
    dlb_py_leave(object, owner); /* the memory of the view stays valid while `object` is open */
    return result;
}

/* Describes an object that its fast description has declined. `axes` identifies the owner. Returns 0, or -1 with an exception. */
DLB_NOINLINE static int view_slow(DLTensor *out, int64_t *axes)
{
    dlb_error error;

    return raise_if_failed(dlb_borrow_slow(dlb_owner_at_axes(axes), out, &error), &error);
}

int dlb_py_api_view(void *object, DLTensor *out)
{
    dlb_owner *owner;

    if (DLB_UNLIKELY(!dlb_py_is_ours(object) || dlb_py_data(object)->describe_temporary == NULL)) {
        return view_shared(object, out);
    }
    owner = dlb_py_data(object)->owner;
    return dlb_py_data(object)->describe_temporary(out, owner->axes, owner->object, view_slow);
}

int dlb_py_api_stream(DLDeviceType device_type, int32_t device_id, void **out)
{
    (void)device_type;
    (void)device_id;
    *out = NULL; /* the library reports no stream */
    return 0;
}
