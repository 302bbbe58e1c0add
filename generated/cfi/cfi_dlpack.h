/* SPDX-License-Identifier: MIT-0
 * Generated from cfi.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef CFI_DLPACK_H_
#define CFI_DLPACK_H_

#include "dlb_runtime.h"

#include <ISO_Fortran_binding.h>

#if DLB_OLDEST_FORMAT > 27
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 27
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Array: An array as Fortran passes it. Its indices keep their order and start at 0, so that a[i, j] is x(i + 1, j +
 * 1).
 * The array has `rank` axes of the dtype that `type` says, in column-major order, on the CPU. */
DLB_EXTERN const dlb_type dlcfi_array_type;

/* Makes an owner that borrows `self`, which must live longer. It can be exported as often as wanted.
 * Returns 0, or -1 with `error` filled (it may be NULL) and `self` still the caller's. Any thread. */
DLB_EXTERN int dlcfi_array_own(CFI_cdesc_t *self, dlb_owner **out, dlb_error *error);

/* Makes one managed tensor that borrows `self`, which must live longer.
 * Returns as above. */
DLB_EXTERN int dlcfi_array_to_dlpack(CFI_cdesc_t *self, DLManagedTensorVersioned **out,
                                     dlb_error *error);

/* The same as the struct from before DLPack 1.0, which cannot say read-only: such data is refused. */
DLB_EXTERN int dlcfi_array_to_dlpack_legacy(CFI_cdesc_t *self, DLManagedTensor **out,
                                            dlb_error *error);

/* Describes `self` without owning it. Allocates nothing; `out` is valid while `self` is neither freed nor resized.
 * Returns as above. */
DLB_EXTERN int dlcfi_array_view(CFI_cdesc_t *self, dlb_view *out, dlb_error *error);

/* Shows the memory of `managed` as a new CFI_cdesc_t, and makes an owner of both: dlb_owner_object() gives the
 * object. Takes writable arrays of 0 to 15 axes on the CPU. When the last share is given back, the object is
 * released first, then `managed` is deleted. Returns as above, on failure with `managed` still the caller's. */
DLB_EXTERN int dlcfi_array_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                       dlb_error *error);

/* The same for the struct from before DLPack 1.0, which cannot say read-only and counts as writable. */
DLB_EXTERN int dlcfi_array_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                              dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file; all with the GIL, NULL or -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlcfi_add_types(PyObject *module);

/* Makes a new Python object of class Array that borrows `self`, which must live longer.
 * `parent` is kept alive instead of it; NULL is the caller's promise that `self` outlives all that is made from it. */
DLB_EXTERN PyObject *dlcfi_array_wrap(CFI_cdesc_t *self, PyObject *parent);

/* The CFI_cdesc_t behind `object`, until that is closed or ends; NULL with a TypeError if it is no Array, with a
 * ValueError if it is closed. */
DLB_EXTERN CFI_cdesc_t *dlcfi_array_unwrap(PyObject *object);

/* The same functions for extensions that are not linked with the module: its capsule `_C_API`. */
typedef struct dlcfi_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*array_wrap)(CFI_cdesc_t *self, PyObject *parent);
    CFI_cdesc_t *(*array_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of those above */
} dlcfi_c_api;

enum {
    DLCFI_C_API_PROTOTYPES = 0x587b9297
};

/* Imports the module, "cfi" or "package.cfi", and returns its functions, valid until the process ends: call it once. */
static inline const dlcfi_c_api *dlcfi_import_c_api(const char *dl_module)
{
    PyObject *dl_imported = PyImport_ImportModule(dl_module);
    PyObject *dl_capsule =
        dl_imported != NULL ? PyObject_GetAttrString(dl_imported, "_C_API") : NULL;
    const dlcfi_c_api *dl_api = NULL;

    if (dl_capsule != NULL) {
        dl_api = DLB_FROM_VOID(const dlcfi_c_api *, PyCapsule_GetPointer(dl_capsule, "cfi._C_API"));
    }
    Py_XDECREF(dl_capsule);
    Py_XDECREF(dl_imported);
    if (dl_api != NULL &&
        (dl_api->size != sizeof(*dl_api) || dl_api->prototypes != DLCFI_C_API_PROTOTYPES)) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built from another version of cfi.yaml: rebuild both", dl_module);
        return NULL;
    }
    return dl_api;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
