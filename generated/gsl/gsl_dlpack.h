/* SPDX-License-Identifier: MIT-0
 * Generated from gsl.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef GSL_DLPACK_H_
#define GSL_DLPACK_H_

#include "dlb_runtime.h"

#include <gsl/gsl_matrix.h>

#if DLB_OLDEST_FORMAT > 1
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 1
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Matrix: A matrix of doubles, stored by rows.
 * The array is float64[size1, size2] on the CPU. */
extern const dlb_type dlgsl_matrix_type;

/* Moves `self` into an owner; `gsl_matrix_free(self)` runs when its last share goes. It can be exported as often as
 * wanted.
 * Returns 0, or -1 with `error` filled (it may be NULL) and `self` still the caller's. Any thread. */
int dlgsl_matrix_own(gsl_matrix *self, dlb_owner **out, dlb_error *error);

/* Moves `self` into one managed tensor; `gsl_matrix_free(self)` runs when its last share goes.
 * Returns as above. */
int dlgsl_matrix_to_dlpack(gsl_matrix *self, DLManagedTensorVersioned **out, dlb_error *error);

/* Describes `self` without owning it. Allocates nothing; `out` is valid while `self` is neither freed nor resized. */
int dlgsl_matrix_view(gsl_matrix *self, dlb_view *out, dlb_error *error);

/* Shows the memory of `tensor` as a new gsl_matrix, and makes an owner of both: dlb_owner_object() gives the object. With
 * the last share go first the object, then `tensor`. Returns as above, on failure with `tensor` still the caller's. */
int dlgsl_matrix_from_dlpack(DLManagedTensorVersioned *tensor, dlb_owner **out, dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file; all with the GIL, NULL or -1 with an exception set. */

/* Adds the classes to `module`. */
int dlgsl_add_types(PyObject *module);

/* Moves `self` into a new Python object of class Matrix; `gsl_matrix_free(self)` runs when its last share goes.
 * On failure `self` is still the caller's. */
PyObject *dlgsl_matrix_wrap(gsl_matrix *self);

/* The gsl_matrix behind `object`, for as long as `object` lives; NULL with a TypeError if it is no Matrix. */
gsl_matrix *dlgsl_matrix_unwrap(PyObject *object);

#endif

#ifdef __cplusplus
}
#endif
#endif
