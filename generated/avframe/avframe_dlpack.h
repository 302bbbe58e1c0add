/* SPDX-License-Identifier: MIT-0
 * Generated from avframe.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef AVFRAME_DLPACK_H_
#define AVFRAME_DLPACK_H_

#include "dlb_core.h"

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>

#if DLB_OLDEST_FORMAT > 32
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 32
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Frame: A picture, which moves in. */
DLB_EXTERN const dlb_type dlavframe_frame_type;
DLB_EXTERN const dlb_parts dlavframe_frame_parts_planes;

/* Moves `self` into an owner. `av_frame_free(&self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlavframe_frame_own(AVFrame *self /* Frame.type */, dlb_owner **out,
                                   dlb_error *error);

/* Plane: One plane of a picture, through a reference of its own.
 * The array has 2 or 3 axes of uint8, uint16 or float32 (by `format, plane`), its rows `linesize[plane]` bytes
 * apart, on the CPU. */
DLB_EXTERN const dlb_type dlavframe_plane_type;

/* The state of an owner of a Plane. The functions below fill it. */
struct dlavframe_plane_state {
    AVFrame *self /* Plane.type */;
    int plane;
    int counted;
    int writable;
};

/* Makes an owner with a clone of `self`. The caller keeps `self`. It can be exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlavframe_plane_own(AVFrame *self, int plane, dlb_owner **out, dlb_error *error);

/* Makes one managed tensor with a clone of `self`. The caller keeps `self`.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlavframe_plane_to_dlpack(AVFrame *self, int plane, DLManagedTensorVersioned **out,
                                         dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlavframe_plane_to_dlpack_legacy(AVFrame *self, int plane, DLManagedTensor **out,
                                                dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlavframe_plane_view(AVFrame *self, int plane, dlb_view *out, dlb_error *error);

/* Makes an owner of the object of `whole`, seen as a Plane. `whole` is an owner of another class of AVFrame, and is
 * kept alive. Returns 0, or -1 with `error` filled. */
DLB_EXTERN int dlavframe_plane_part(dlb_owner *whole, int plane, dlb_owner **out, dlb_error *error);

/* Makes a new AVFrame that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes uint8, uint16 or float32 arrays of 2 or 3 axes on the CPU, compact but for the outermost axis,
 * without negative strides. When the last share is dropped, the object is released, and then `managed` is deleted.
 * Returns 0; or -1 with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlavframe_plane_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                           dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlavframe_plane_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                  dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file. All functions need the GIL. They report failure as NULL or
 * -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlavframe_add_types(PyObject *module);

/* Moves `self` into a new Python object of class Frame. `av_frame_free(&self)` is called when its last share is
 * dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlavframe_frame_wrap(AVFrame *self);

/* Returns the AVFrame behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Frame, or with a ValueError if it is closed. */
DLB_EXTERN AVFrame *dlavframe_frame_unwrap(PyObject *object);

/* Makes a new Python object of class Plane with a clone of `self`. The caller keeps `self`.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlavframe_plane_wrap(AVFrame *self, int plane);

/* Returns the AVFrame behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Plane, or with a ValueError if it is closed. */
DLB_EXTERN AVFrame *dlavframe_plane_unwrap(PyObject *object);

/* These functions for extensions that are not linked with the module: the content of its capsule `_C_API`. */
typedef struct dlavframe_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*frame_wrap)(AVFrame *self);
    AVFrame *(*frame_unwrap)(PyObject *object);
    PyObject *(*plane_wrap)(AVFrame *self, int plane);
    AVFrame *(*plane_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of the prototypes above */
} dlavframe_c_api;

enum {
    DLAVFRAME_C_API_PROTOTYPES = 0x55b76bc5
};

/* Imports the module, "avframe" or "package.avframe", and returns its functions. They are valid until the process ends, so
 * call this once. Returns NULL with an exception on failure. */
static inline const dlavframe_c_api *dlavframe_import_c_api(const char *dl_module)
{
    PyObject *dl_imported = PyImport_ImportModule(dl_module);
    PyObject *dl_capsule =
        dl_imported != NULL ? PyObject_GetAttrString(dl_imported, "_C_API") : NULL;
    const dlavframe_c_api *dl_api = NULL;

    if (dl_capsule != NULL) {
        dl_api = DLB_FROM_VOID(const dlavframe_c_api *,
                               PyCapsule_GetPointer(dl_capsule, "avframe._C_API"));
    }
    Py_XDECREF(dl_capsule);
    Py_XDECREF(dl_imported);
    if (dl_api != NULL &&
        (dl_api->size != sizeof(*dl_api) || dl_api->prototypes != DLAVFRAME_C_API_PROTOTYPES)) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built from another version of avframe.yaml: rebuild both", dl_module);
        return NULL;
    }
    return dl_api;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
