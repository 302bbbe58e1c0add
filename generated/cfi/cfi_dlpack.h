/* SPDX-License-Identifier: MIT-0
 * Generated from cfi.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef CFI_DLPACK_H_
#define CFI_DLPACK_H_

#include "dlb_core.h"

#include <ISO_Fortran_binding.h>

#if DLB_OLDEST_FORMAT > 32
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 32
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Array: An array as Fortran passes it. Its indices keep their order and start at 0, so that a[i, j] is x(i + 1, j +
 * 1).
 * The array has `rank` axes of the dtype that `type` says, in column-major order, on the CPU. */
DLB_EXTERN const dlb_type dlcfi_array_type;

/* Makes an owner that borrows `self`. `self` must outlive it. It can be exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlcfi_array_own(CFI_cdesc_t *self /* Array.type */, dlb_owner **out,
                               dlb_error *error);

/* Makes one managed tensor that borrows `self`. `self` must outlive it.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlcfi_array_to_dlpack(CFI_cdesc_t *self, DLManagedTensorVersioned **out,
                                     dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlcfi_array_to_dlpack_legacy(CFI_cdesc_t *self, DLManagedTensor **out,
                                            dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlcfi_array_view(CFI_cdesc_t *self, dlb_view *out, dlb_error *error);

/* Makes a new CFI_cdesc_t that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes writable arrays of 0 to 15 axes on the CPU. When the last share is dropped, the object is released,
 * and then `managed` is deleted. Returns 0; or -1 with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlcfi_array_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                       dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlcfi_array_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                              dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file. All functions need the GIL. They report failure as NULL or
 * -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlcfi_add_types(PyObject *module);

/* Makes a new Python object of class Array that borrows `self`. `self` must outlive it.
 * The object keeps `parent` alive. If `parent` is NULL, `self` must outlive everything that is made from it. */
DLB_EXTERN PyObject *dlcfi_array_wrap(CFI_cdesc_t *self, PyObject *parent);

/* Returns the CFI_cdesc_t behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Array, or with a ValueError if it is closed. */
DLB_EXTERN CFI_cdesc_t *dlcfi_array_unwrap(PyObject *object);

/* These functions for extensions that are not linked with the module: the content of its capsule `_C_API`. */
typedef struct dlcfi_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*array_wrap)(CFI_cdesc_t *self, PyObject *parent);
    CFI_cdesc_t *(*array_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of the prototypes above */
} dlcfi_c_api;

enum {
    DLCFI_C_API_PROTOTYPES = 0x587b9297
};

/* Imports the module, "cfi" or "package.cfi", and returns its functions. They are valid until the process ends, so
 * call this once. Returns NULL with an exception on failure. */
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
