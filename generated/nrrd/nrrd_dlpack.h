/* SPDX-License-Identifier: MIT-0
 * Generated from nrrd.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef NRRD_DLPACK_H_
#define NRRD_DLPACK_H_

#include "dlb_runtime.h"

#include <teem/biff.h>
#include <teem/nrrd.h>

#if DLB_OLDEST_FORMAT > 27
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 27
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Nrrd: An array whose axes NumPy counts the other way round.
 * The array has `dim` axes of the dtype that `type` says, in reverse order, on the CPU. */
DLB_EXTERN const dlb_type dlnrrd_nrrd_type;

/* Moves `self` into an owner; `nrrdNuke(self)` is called when the last share of it is given back. It can be exported
 * as often as wanted.
 * Returns 0, or -1 with `error` filled (it may be NULL) and `self` still the caller's. Any thread. */
DLB_EXTERN int dlnrrd_nrrd_own(Nrrd *self, dlb_owner **out, dlb_error *error);

/* Moves `self` into one managed tensor; `nrrdNuke(self)` is called when the last share of it is given back.
 * Returns as above. */
DLB_EXTERN int dlnrrd_nrrd_to_dlpack(Nrrd *self, DLManagedTensorVersioned **out, dlb_error *error);

/* The same as the struct from before DLPack 1.0, which cannot say read-only: such data is refused. */
DLB_EXTERN int dlnrrd_nrrd_to_dlpack_legacy(Nrrd *self, DLManagedTensor **out, dlb_error *error);

/* Describes `self` without owning it. Allocates nothing; `out` is valid while `self` is neither freed nor resized.
 * Returns as above. */
DLB_EXTERN int dlnrrd_nrrd_view(Nrrd *self, dlb_view *out, dlb_error *error);

/* Shows the memory of `managed` as a new Nrrd, and makes an owner of both: dlb_owner_object() gives the object.
 * Takes writable arrays of 1 to 16 axes on the CPU, compact. When the last share is given back, the object is
 * released first, then `managed` is deleted. Returns as above, on failure with `managed` still the caller's. */
DLB_EXTERN int dlnrrd_nrrd_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                       dlb_error *error);

/* The same for the struct from before DLPack 1.0, which cannot say read-only and counts as writable. */
DLB_EXTERN int dlnrrd_nrrd_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                              dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file; all with the GIL, NULL or -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlnrrd_add_types(PyObject *module);

/* Moves `self` into a new Python object of class Nrrd; `nrrdNuke(self)` is called when the last share of it is given
 * back.
 * On failure `self` is still the caller's. */
DLB_EXTERN PyObject *dlnrrd_nrrd_wrap(Nrrd *self);

/* The Nrrd behind `object`, until that is closed or ends; NULL with a TypeError if it is no Nrrd, with a
 * ValueError if it is closed. */
DLB_EXTERN Nrrd *dlnrrd_nrrd_unwrap(PyObject *object);

/* The same functions for extensions that are not linked with the module: its capsule `_C_API`. */
typedef struct dlnrrd_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*nrrd_wrap)(Nrrd *self);
    Nrrd *(*nrrd_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of those above */
} dlnrrd_c_api;

enum {
    DLNRRD_C_API_PROTOTYPES = 0x51656ad0
};

/* Imports the module, "nrrd" or "package.nrrd", and returns its functions, valid until the process ends: call it once. */
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
