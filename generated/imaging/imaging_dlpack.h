/* SPDX-License-Identifier: MIT-0
 * Generated from imaging.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef IMAGING_DLPACK_H_
#define IMAGING_DLPACK_H_

#include "dlb_core.h"

#include "image.h"

#if DLB_OLDEST_FORMAT > 32
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 32
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Image: An 8-bit picture with padded rows, top row first.
 * The array is uint8[height, width, channels], its rows `pitch` bytes apart, on the CPU. */
DLB_EXTERN const dlb_type imaging_image_type;

/* Makes an owner with a reference of its own to `self`. The caller keeps its reference. It can be exported any
 * number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int imaging_image_own(image_t *self /* Image.type */, dlb_owner **out, dlb_error *error);

/* Makes one managed tensor with a reference of its own to `self`. The caller keeps its reference.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int imaging_image_to_dlpack(image_t *self, DLManagedTensorVersioned **out,
                                       dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int imaging_image_to_dlpack_legacy(image_t *self, DLManagedTensor **out,
                                              dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int imaging_image_view(image_t *self, dlb_view *out, dlb_error *error);

/* Makes a new image_t that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes writable uint8 arrays of 3 axes on the CPU, compact but for the outermost axis. When the last share
 * is dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int imaging_image_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                         dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int imaging_image_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file. All functions need the GIL. They report failure as NULL or
 * -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int imaging_add_types(PyObject *module);

/* Makes a new Python object of class Image with a reference of its own to `self`. The caller keeps its reference.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *imaging_image_wrap(image_t *self);

/* Returns the image_t behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Image, or with a ValueError if it is closed. */
DLB_EXTERN image_t *imaging_image_unwrap(PyObject *object);

/* These functions for extensions that are not linked with the module: the content of its capsule `_C_API`. */
typedef struct imaging_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*image_wrap)(image_t *self);
    image_t *(*image_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of the prototypes above */
} imaging_c_api;

enum {
    IMAGING_C_API_PROTOTYPES = 0x38e26909
};

/* Imports the module, "imaging" or "package.imaging", and returns its functions. They are valid until the process ends, so
 * call this once. Returns NULL with an exception on failure. */
static inline const imaging_c_api *imaging_import_c_api(const char *dl_module)
{
    PyObject *dl_imported = PyImport_ImportModule(dl_module);
    PyObject *dl_capsule =
        dl_imported != NULL ? PyObject_GetAttrString(dl_imported, "_C_API") : NULL;
    const imaging_c_api *dl_api = NULL;

    if (dl_capsule != NULL) {
        dl_api = DLB_FROM_VOID(const imaging_c_api *,
                               PyCapsule_GetPointer(dl_capsule, "imaging._C_API"));
    }
    Py_XDECREF(dl_capsule);
    Py_XDECREF(dl_imported);
    if (dl_api != NULL &&
        (dl_api->size != sizeof(*dl_api) || dl_api->prototypes != IMAGING_C_API_PROTOTYPES)) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built from another version of imaging.yaml: rebuild both", dl_module);
        return NULL;
    }
    return dl_api;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
