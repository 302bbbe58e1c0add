/* SPDX-License-Identifier: MIT-0
 * Generated from fftw.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef FFTW_DLPACK_H_
#define FFTW_DLPACK_H_

#include "dlb_core.h"

#include <fftw3.h>
#include <stdlib.h>
#include "dlb_array.h"

#if DLB_OLDEST_FORMAT > 32
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 32
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* InPlace: A transform of one array in place. Everything but ESTIMATE overwrites the array when it is made. */
DLB_EXTERN const dlb_type dlfftw_in_place_type;

/* The state of an owner of a InPlace. The functions below fill it. */
struct dlfftw_in_place_state {
    fftw_plan self /* InPlace.type */;
};

/* Moves `self` into an owner. `fftw_destroy_plan(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. The object is released with the GIL. */
DLB_EXTERN int dlfftw_in_place_own(fftw_plan self, dlb_owner **out, dlb_error *error);

/* Makes a new fftw_plan that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes writable complex128 arrays of 1 to 8 axes on the CPU, compact. When the last share is dropped, the
 * object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and `managed` still
 * belongs to the caller. */
DLB_EXTERN int dlfftw_in_place_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                           dlb_error *error, int sign, unsigned flags);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlfftw_in_place_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                  dlb_error *error, int sign, unsigned flags);

/* Transform: A transform of one array into another, both of which it keeps. Everything but ESTIMATE overwrites them
 * when it is made. */
DLB_EXTERN const dlb_type dlfftw_transform_type;

/* The state of an owner of a Transform. The functions below fill it. */
struct dlfftw_transform_state {
    fftw_plan self /* Transform.type */;
};

/* Moves `self` into an owner. `fftw_destroy_plan(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. The object is released with the GIL. */
DLB_EXTERN int dlfftw_transform_own(fftw_plan self, dlb_owner **out, dlb_error *error);

/* Plan: Transforms of complex arrays into others. What neither FFTW nor this module can check: Plan(n, src, dst)
 * needs as many elements in `src` and in `dst` as the product of `n`; execute() needs as many as the plan was made
 * for, in one array if `src` and `dst` were one, else in two that do not overlap. */
DLB_EXTERN const dlb_type dlfftw_plan_type;

/* The state of an owner of a Plan. The functions below fill it. */
struct dlfftw_plan_state {
    fftw_plan self /* Plan.type */;
};

/* Moves `self` into an owner. `fftw_destroy_plan(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. The object is released with the GIL. */
DLB_EXTERN int dlfftw_plan_own(fftw_plan self, dlb_owner **out, dlb_error *error);

/* RealPlan: Transforms of real arrays into half of their complex spectrum. What neither FFTW nor this module can
 * check: RealPlan(n, src, dst) needs as many elements in `src` as the product of `n`, and in `dst` as that with
 * n[-1] // 2 + 1 for the last extent; execute() needs as many as the plan was made for, in two arrays that do not
 * overlap. */
DLB_EXTERN const dlb_type dlfftw_real_plan_type;

/* The state of an owner of a RealPlan. The functions below fill it. */
struct dlfftw_real_plan_state {
    fftw_plan self /* RealPlan.type */;
};

/* Moves `self` into an owner. `fftw_destroy_plan(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. The object is released with the GIL. */
DLB_EXTERN int dlfftw_real_plan_own(fftw_plan self, dlb_owner **out, dlb_error *error);

/* InversePlan: The way back from half of a spectrum. What neither FFTW nor this module can check: InversePlan(n,
 * src, dst) needs as many elements in `dst` as the product of `n`, and in `src` as that with n[-1] // 2 + 1 for the
 * last extent; execute() needs as many as the plan was made for, in two arrays that do not overlap. */
DLB_EXTERN const dlb_type dlfftw_inverse_plan_type;

/* The state of an owner of a InversePlan. The functions below fill it. */
struct dlfftw_inverse_plan_state {
    fftw_plan self /* InversePlan.type */;
};

/* Moves `self` into an owner. `fftw_destroy_plan(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. The object is released with the GIL. */
DLB_EXTERN int dlfftw_inverse_plan_own(fftw_plan self, dlb_owner **out, dlb_error *error);

/* Array: An array that a function has made.
 * The array has `ndim` axes of the dtype that the struct says on the CPU. */
DLB_EXTERN const dlb_type dlfftw_array_type;

/* Moves `self` into an owner. `dlb_array_free(self)` is called when its last share is dropped. It can be exported
 * any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlfftw_array_own(dlb_array *self /* Array.type */, dlb_owner **out,
                                dlb_error *error);

/* Moves `self` into one managed tensor. `dlb_array_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlfftw_array_to_dlpack(dlb_array *self, DLManagedTensorVersioned **out,
                                      dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlfftw_array_to_dlpack_legacy(dlb_array *self, DLManagedTensor **out,
                                             dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlfftw_array_view(dlb_array *self, dlb_view *out, dlb_error *error);

/* Makes a new dlb_array that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes arrays on the CPU. When the last share is dropped, the object is released, and then `managed` is
 * deleted. Returns 0; or -1 with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlfftw_array_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                        dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlfftw_array_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                               dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file. All functions need the GIL. They report failure as NULL or
 * -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlfftw_add_types(PyObject *module);

/* Moves `self` into a new Python object of class InPlace. `fftw_destroy_plan(self)` is called when its last share is
 * dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlfftw_in_place_wrap(fftw_plan self);

/* Returns the fftw_plan behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class InPlace, or with a ValueError if it is closed. */
DLB_EXTERN fftw_plan *dlfftw_in_place_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class Transform. `fftw_destroy_plan(self)` is called when its last share
 * is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlfftw_transform_wrap(fftw_plan self);

/* Returns the fftw_plan behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Transform, or with a ValueError if it is closed. */
DLB_EXTERN fftw_plan *dlfftw_transform_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class Plan. `fftw_destroy_plan(self)` is called when its last share is
 * dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlfftw_plan_wrap(fftw_plan self);

/* Returns the fftw_plan behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Plan, or with a ValueError if it is closed. */
DLB_EXTERN fftw_plan *dlfftw_plan_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class RealPlan. `fftw_destroy_plan(self)` is called when its last share
 * is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlfftw_real_plan_wrap(fftw_plan self);

/* Returns the fftw_plan behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class RealPlan, or with a ValueError if it is closed. */
DLB_EXTERN fftw_plan *dlfftw_real_plan_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class InversePlan. `fftw_destroy_plan(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlfftw_inverse_plan_wrap(fftw_plan self);

/* Returns the fftw_plan behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class InversePlan, or with a ValueError if it is closed. */
DLB_EXTERN fftw_plan *dlfftw_inverse_plan_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class Array. `dlb_array_free(self)` is called when its last share is
 * dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlfftw_array_wrap(dlb_array *self);

/* Returns the dlb_array behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Array, or with a ValueError if it is closed. */
DLB_EXTERN dlb_array *dlfftw_array_unwrap(PyObject *object);

/* These functions for extensions that are not linked with the module: the content of its capsule `_C_API`. */
typedef struct dlfftw_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*in_place_wrap)(fftw_plan self);
    fftw_plan *(*in_place_unwrap)(PyObject *object);
    PyObject *(*transform_wrap)(fftw_plan self);
    fftw_plan *(*transform_unwrap)(PyObject *object);
    PyObject *(*plan_wrap)(fftw_plan self);
    fftw_plan *(*plan_unwrap)(PyObject *object);
    PyObject *(*real_plan_wrap)(fftw_plan self);
    fftw_plan *(*real_plan_unwrap)(PyObject *object);
    PyObject *(*inverse_plan_wrap)(fftw_plan self);
    fftw_plan *(*inverse_plan_unwrap)(PyObject *object);
    PyObject *(*array_wrap)(dlb_array *self);
    dlb_array *(*array_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of the prototypes above */
} dlfftw_c_api;

enum {
    DLFFTW_C_API_PROTOTYPES = 0x4a3d8c67
};

/* Imports the module, "fftw" or "package.fftw", and returns its functions. They are valid until the process ends, so
 * call this once. Returns NULL with an exception on failure. */
static inline const dlfftw_c_api *dlfftw_import_c_api(const char *dl_module)
{
    PyObject *dl_imported = PyImport_ImportModule(dl_module);
    PyObject *dl_capsule =
        dl_imported != NULL ? PyObject_GetAttrString(dl_imported, "_C_API") : NULL;
    const dlfftw_c_api *dl_api = NULL;

    if (dl_capsule != NULL) {
        dl_api =
            DLB_FROM_VOID(const dlfftw_c_api *, PyCapsule_GetPointer(dl_capsule, "fftw._C_API"));
    }
    Py_XDECREF(dl_capsule);
    Py_XDECREF(dl_imported);
    if (dl_api != NULL &&
        (dl_api->size != sizeof(*dl_api) || dl_api->prototypes != DLFFTW_C_API_PROTOTYPES)) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built from another version of fftw.yaml: rebuild both", dl_module);
        return NULL;
    }
    return dl_api;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
