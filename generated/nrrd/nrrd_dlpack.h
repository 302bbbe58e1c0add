/* SPDX-License-Identifier: MIT-0
 * Generated from nrrd.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef NRRD_DLPACK_H_
#define NRRD_DLPACK_H_

#include "dlb_core.h"

#include <teem/biff.h>
#include <teem/nrrd.h>

#if DLB_OLDEST_FORMAT > 32
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 32
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Nrrd: An array whose axes NumPy counts the other way round.
 * The array has `dim` axes of the dtype that `type` says, in reverse order, on the CPU. */
DLB_EXTERN const dlb_type dlnrrd_nrrd_type;

/* Moves `self` into an owner. `nrrdNuke(self)` is called when its last share is dropped. It can be exported any
 * number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlnrrd_nrrd_own(Nrrd *self /* Nrrd.type */, dlb_owner **out, dlb_error *error);

/* Moves `self` into one managed tensor. `nrrdNuke(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlnrrd_nrrd_to_dlpack(Nrrd *self, DLManagedTensorVersioned **out, dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlnrrd_nrrd_to_dlpack_legacy(Nrrd *self, DLManagedTensor **out, dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlnrrd_nrrd_view(Nrrd *self, dlb_view *out, dlb_error *error);

/* Makes a new Nrrd that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the object.
 * Takes writable arrays of 1 to 16 axes on the CPU, compact. When the last share is dropped, the object is released,
 * and then `managed` is deleted. Returns 0; or -1 with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlnrrd_nrrd_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                       dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlnrrd_nrrd_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                              dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file. All functions need the GIL. They report failure as NULL or
 * -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlnrrd_add_types(PyObject *module);

/* Moves `self` into a new Python object of class Nrrd. `nrrdNuke(self)` is called when its last share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlnrrd_nrrd_wrap(Nrrd *self);

/* Returns the Nrrd behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Nrrd, or with a ValueError if it is closed. */
DLB_EXTERN Nrrd *dlnrrd_nrrd_unwrap(PyObject *object);

/* These functions for extensions that are not linked with the module: the content of its capsule `_C_API`. */
typedef struct dlnrrd_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*nrrd_wrap)(Nrrd *self);
    Nrrd *(*nrrd_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of the prototypes above */
} dlnrrd_c_api;

enum {
    DLNRRD_C_API_PROTOTYPES = 0x51656ad0
};

/* Imports the module, "nrrd" or "package.nrrd", and returns its functions. They are valid until the process ends, so
 * call this once. Returns NULL with an exception on failure. */
static inline const dlnrrd_c_api *dlnrrd_import_c_api(const char *dl_module)
{
    PyObject *dl_imported = PyImport_ImportModule(dl_module);
    PyObject *dl_capsule =
        dl_imported != NULL ? PyObject_GetAttrString(dl_imported, "_C_API") : NULL;
    const dlnrrd_c_api *dl_api = NULL;

    if (dl_capsule != NULL) {
        dl_api =
            DLB_FROM_VOID(const dlnrrd_c_api *, PyCapsule_GetPointer(dl_capsule, "nrrd._C_API"));
    }
    Py_XDECREF(dl_capsule);
    Py_XDECREF(dl_imported);
    if (dl_api != NULL &&
        (dl_api->size != sizeof(*dl_api) || dl_api->prototypes != DLNRRD_C_API_PROTOTYPES)) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built from another version of nrrd.yaml: rebuild both", dl_module);
        return NULL;
    }
    return dl_api;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
