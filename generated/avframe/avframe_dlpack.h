/* SPDX-License-Identifier: MIT-0
 * Generated from avframe.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef AVFRAME_DLPACK_H_
#define AVFRAME_DLPACK_H_

#include "dlb_runtime.h"

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>

#if DLB_OLDEST_FORMAT > 27
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 27
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Frame: A picture, which moves in. */
DLB_EXTERN const dlb_type dlavframe_frame_type;
DLB_EXTERN const dlb_parts dlavframe_frame_parts_planes;

/* Moves `self` into an owner; `av_frame_free(&self)` is called when the last share of it is given back.
 * Returns 0, or -1 with `error` filled (it may be NULL) and `self` still the caller's. Any thread. */
DLB_EXTERN int dlavframe_frame_own(AVFrame *self, dlb_owner **out, dlb_error *error);

/* Plane: One plane of a picture, through a reference of its own.
 * The array has 2 or 3 axes of uint8, uint16 or float32 (by `format, plane`), its rows `linesize[plane]` bytes
 * apart, on the CPU. */
DLB_EXTERN const dlb_type dlavframe_plane_type;

/* What each owner of a Plane keeps; filled by the functions below. */
struct dlavframe_plane_state {
    AVFrame *self;
    int plane;
    int counted;
    int writable;
};

/* Makes an owner with a handle of its own, a clone of `self`; the caller keeps its own. It can be exported as often
 * as wanted.
 * Returns 0, or -1 with `error` filled (it may be NULL) and `self` still the caller's. Any thread. */
DLB_EXTERN int dlavframe_plane_own(AVFrame *self, int plane, dlb_owner **out, dlb_error *error);

/* Makes one managed tensor with a handle of its own, a clone of `self`; the caller keeps its own.
 * Returns as above. */
DLB_EXTERN int dlavframe_plane_to_dlpack(AVFrame *self, int plane, DLManagedTensorVersioned **out,
                                         dlb_error *error);

/* The same as the struct from before DLPack 1.0, which cannot say read-only: such data is refused. */
DLB_EXTERN int dlavframe_plane_to_dlpack_legacy(AVFrame *self, int plane, DLManagedTensor **out,
                                                dlb_error *error);

/* Describes `self` without owning it. Allocates nothing; `out` is valid while `self` is neither freed nor resized.
 * Returns as above. */
DLB_EXTERN int dlavframe_plane_view(AVFrame *self, int plane, dlb_view *out, dlb_error *error);

/* Shows the object of `whole`, an owner of another class of AVFrame, as a Plane: an owner that keeps `whole` alive.
 * Returns as above. */
DLB_EXTERN int dlavframe_plane_part(dlb_owner *whole, int plane, dlb_owner **out, dlb_error *error);

/* Shows the memory of `managed` as a new AVFrame, and makes an owner of both: dlb_owner_object() gives the object.
 * Takes uint8, uint16 or float32 arrays of 2 or 3 axes on the CPU, compact but for the outermost axis, without
 * negative strides. When the last share is given back, the object is released first, then `managed` is deleted.
 * Returns as above, on failure with `managed` still the caller's. */
DLB_EXTERN int dlavframe_plane_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                           dlb_error *error);

/* The same for the struct from before DLPack 1.0, which cannot say read-only and counts as writable. */
DLB_EXTERN int dlavframe_plane_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                  dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file; all with the GIL, NULL or -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlavframe_add_types(PyObject *module);

/* Moves `self` into a new Python object of class Frame; `av_frame_free(&self)` is called when the last share of it
 * is given back.
 * On failure `self` is still the caller's. */
DLB_EXTERN PyObject *dlavframe_frame_wrap(AVFrame *self);

/* The AVFrame behind `object`, until that is closed or ends; NULL with a TypeError if it is no Frame, with a
 * ValueError if it is closed. */
DLB_EXTERN AVFrame *dlavframe_frame_unwrap(PyObject *object);

/* Makes a new Python object of class Plane with a handle of its own, a clone of `self`; the caller keeps its own.
 * On failure `self` is still the caller's. */
DLB_EXTERN PyObject *dlavframe_plane_wrap(AVFrame *self, int plane);

/* The AVFrame behind `object`, until that is closed or ends; NULL with a TypeError if it is no Plane, with a
 * ValueError if it is closed. */
DLB_EXTERN AVFrame *dlavframe_plane_unwrap(PyObject *object);

/* The same functions for extensions that are not linked with the module: its capsule `_C_API`. */
typedef struct dlavframe_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*frame_wrap)(AVFrame *self);
    AVFrame *(*frame_unwrap)(PyObject *object);
    PyObject *(*plane_wrap)(AVFrame *self, int plane);
    AVFrame *(*plane_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of those above */
} dlavframe_c_api;

enum {
    DLAVFRAME_C_API_PROTOTYPES = 0x55b76bc5
};

/* Imports the module, "avframe" or "package.avframe", and returns its functions, valid until the process ends: call it once. */
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
