/* SPDX-License-Identifier: MIT-0 */
/* The producer's side of the Python protocol (array API: __dlpack__, __dlpack_device__; DLPack: Python specification). */
#include "dlb_py_methods.h"

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

DLManagedTensorVersioned *dlb_py_export_slow(dlb_owner *owner, bool counted)
{
    DLManagedTensorVersioned *tensor;
    dlb_error error;
    const int result = counted ? dlb_export_slow(owner, true, &tensor, &error) : dlb_export(owner, &tensor, &error);

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
    const int result = counted ? dlb_export_legacy_slow(owner, true, &tensor, &error)
                               : dlb_export_legacy(owner, &tensor, &error);

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

PyObject *dlb_py_dlpack_device(PyObject *self, PyObject *unused)
{
    dlb_view view;
    DLDevice device;

    (void)unused;
    if (dlb_py_view(self, &view) != 0) {
        return NULL;
    }
    device = view.tensor->device;
    if (DLB_LIKELY(device.device_type == kDLCPU && device.device_id == 0)) {
        return Py_NewRef(dlb_py_data(self)->state->cpu);
    }
    return dlb_py_axes((const int64_t[]){device.device_type, device.device_id}, 2);
}
