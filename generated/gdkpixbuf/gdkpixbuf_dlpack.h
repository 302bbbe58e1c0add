/* SPDX-License-Identifier: MIT-0
 * Generated from gdkpixbuf.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef GDKPIXBUF_DLPACK_H_
#define GDKPIXBUF_DLPACK_H_

#include "dlb_core.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#if DLB_OLDEST_FORMAT > 32
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 32
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Pixbuf: A picture of 3 or 4 channels, to read and to write. Pixels that belong to a GBytes are copied once by
 * GdkPixbuf, the first time that they are asked for.
 * The array is uint8[gdk_pixbuf_get_height(self), gdk_pixbuf_get_width(self), gdk_pixbuf_get_n_channels(self)], its
 * rows `gdk_pixbuf_get_rowstride(self)` bytes apart, on the CPU. */
DLB_EXTERN const dlb_type dlpixbuf_pixbuf_type;

/* Makes an owner with a reference of its own to `self`. The caller keeps its reference. It can be exported any
 * number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlpixbuf_pixbuf_own(GdkPixbuf *self /* Pixbuf.type */, dlb_owner **out,
                                   dlb_error *error);

/* Makes one managed tensor with a reference of its own to `self`. The caller keeps its reference.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlpixbuf_pixbuf_to_dlpack(GdkPixbuf *self, DLManagedTensorVersioned **out,
                                         dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlpixbuf_pixbuf_to_dlpack_legacy(GdkPixbuf *self, DLManagedTensor **out,
                                                dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlpixbuf_pixbuf_view(GdkPixbuf *self, dlb_view *out, dlb_error *error);

/* Makes an owner of the object of `whole`, seen as a Pixbuf. `whole` is an owner of another class of GdkPixbuf, and
 * is kept alive. Returns 0, or -1 with `error` filled. */
DLB_EXTERN int dlpixbuf_pixbuf_part(dlb_owner *whole, dlb_owner **out, dlb_error *error);

/* Makes a new GdkPixbuf that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes writable uint8 arrays of 3 axes on the CPU, compact but for the outermost axis, without negative
 * strides. When the last share is dropped, the object is released, and then `managed` is deleted. Returns 0; or -1
 * with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlpixbuf_pixbuf_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                           dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlpixbuf_pixbuf_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                  dlb_error *error);

/* ReadOnly: The pixels as they are now, to read only. Those of a GBytes are shared, others are a copy of
 * GdkPixbuf's.
 * The array is uint8[gdk_pixbuf_get_height(self), gdk_pixbuf_get_width(self), gdk_pixbuf_get_n_channels(self)], its
 * rows `gdk_pixbuf_get_rowstride(self)` bytes apart, on the CPU. */
DLB_EXTERN const dlb_type dlpixbuf_read_only_type;

/* The state of an owner of a ReadOnly. The functions below fill it. */
struct dlpixbuf_read_only_state {
    GdkPixbuf *self /* ReadOnly.type */;
    GBytes *bytes;
};

/* Makes an owner with a reference of its own to `self`. The caller keeps its reference. It can be exported any
 * number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlpixbuf_read_only_own(GdkPixbuf *self, dlb_owner **out, dlb_error *error);

/* Makes one managed tensor with a reference of its own to `self`. The caller keeps its reference.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlpixbuf_read_only_to_dlpack(GdkPixbuf *self, DLManagedTensorVersioned **out,
                                            dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlpixbuf_read_only_to_dlpack_legacy(GdkPixbuf *self, DLManagedTensor **out,
                                                   dlb_error *error);

/* Makes an owner of the object of `whole`, seen as a ReadOnly. `whole` is an owner of another class of GdkPixbuf,
 * and is kept alive. Returns 0, or -1 with `error` filled. */
DLB_EXTERN int dlpixbuf_read_only_part(dlb_owner *whole, dlb_owner **out, dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file. All functions need the GIL. They report failure as NULL or
 * -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlpixbuf_add_types(PyObject *module);

/* Makes a new Python object of class Pixbuf with a reference of its own to `self`. The caller keeps its reference.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlpixbuf_pixbuf_wrap(GdkPixbuf *self);

/* Returns the GdkPixbuf behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Pixbuf, or with a ValueError if it is closed. */
DLB_EXTERN GdkPixbuf *dlpixbuf_pixbuf_unwrap(PyObject *object);

/* Makes a new Python object of class ReadOnly with a reference of its own to `self`. The caller keeps its reference.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlpixbuf_read_only_wrap(GdkPixbuf *self);

/* Returns the GdkPixbuf behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class ReadOnly, or with a ValueError if it is closed. */
DLB_EXTERN GdkPixbuf *dlpixbuf_read_only_unwrap(PyObject *object);

/* These functions for extensions that are not linked with the module: the content of its capsule `_C_API`. */
typedef struct dlpixbuf_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*pixbuf_wrap)(GdkPixbuf *self);
    GdkPixbuf *(*pixbuf_unwrap)(PyObject *object);
    PyObject *(*read_only_wrap)(GdkPixbuf *self);
    GdkPixbuf *(*read_only_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of the prototypes above */
} dlpixbuf_c_api;

enum {
    DLPIXBUF_C_API_PROTOTYPES = 0x7fdd134b
};

/* Imports the module, "gdkpixbuf" or "package.gdkpixbuf", and returns its functions. They are valid until the process ends, so
 * call this once. Returns NULL with an exception on failure. */
static inline const dlpixbuf_c_api *dlpixbuf_import_c_api(const char *dl_module)
{
    PyObject *dl_imported = PyImport_ImportModule(dl_module);
    PyObject *dl_capsule =
        dl_imported != NULL ? PyObject_GetAttrString(dl_imported, "_C_API") : NULL;
    const dlpixbuf_c_api *dl_api = NULL;

    if (dl_capsule != NULL) {
        dl_api = DLB_FROM_VOID(const dlpixbuf_c_api *,
                               PyCapsule_GetPointer(dl_capsule, "gdkpixbuf._C_API"));
    }
    Py_XDECREF(dl_capsule);
    Py_XDECREF(dl_imported);
    if (dl_api != NULL &&
        (dl_api->size != sizeof(*dl_api) || dl_api->prototypes != DLPIXBUF_C_API_PROTOTYPES)) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built from another version of gdkpixbuf.yaml: rebuild both",
                     dl_module);
        return NULL;
    }
    return dl_api;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
