/* SPDX-License-Identifier: MIT-0
 * Generated from gsl.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#ifndef GSL_DLPACK_H_
#define GSL_DLPACK_H_

#include "dlb_core.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>
#include <gsl/gsl_version.h>

#if DLB_OLDEST_FORMAT > 32
#error "older than the runtime: run `dlpack-bindgen generate` again"
#elif DLB_FORMAT < 32
#error "newer than the runtime: update the runtime, it comes with dlpack-bindgen"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* EigenSymmWorkspace: Room for eigen_symm() to work in. */
DLB_EXTERN const dlb_type dlgsl_eigen_symm_workspace_type;

/* Moves `self` into an owner. `gsl_eigen_symm_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_eigen_symm_workspace_own(
    gsl_eigen_symm_workspace *self /* EigenSymmWorkspace.type */, dlb_owner **out,
    dlb_error *error);

/* Rng: A generator of random numbers. */
DLB_EXTERN const dlb_type dlgsl_rng_type;

/* Moves `self` into an owner. `gsl_rng_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_rng_own(gsl_rng *self /* Rng.type */, dlb_owner **out, dlb_error *error);

/* Matrix: A gsl_matrix, stored by rows.
 * The array is float64[size1, size2], its rows `tda` elements apart, on the CPU. */
DLB_EXTERN const dlb_type dlgsl_matrix_type;

/* Moves `self` into an owner. `gsl_matrix_free(self)` is called when its last share is dropped. It can be exported
 * any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_matrix_own(gsl_matrix *self /* Matrix.type */, dlb_owner **out,
                                dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_matrix_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_to_dlpack(gsl_matrix *self, DLManagedTensorVersioned **out,
                                      dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_matrix_to_dlpack_legacy(gsl_matrix *self, DLManagedTensor **out,
                                             dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_matrix_view(gsl_matrix *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_matrix that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes writable float64 arrays of 2 axes on the CPU, compact but for the outermost axis, without negative
 * strides. When the last share is dropped, the object is released, and then `managed` is deleted. Returns 0; or -1
 * with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                        dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_matrix_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                               dlb_error *error);

/* MatrixF32: A gsl_matrix_float, stored by rows.
 * The array is float32[size1, size2], its rows `tda` elements apart, on the CPU. */
DLB_EXTERN const dlb_type dlgsl_matrix_f32_type;

/* Moves `self` into an owner. `gsl_matrix_float_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_matrix_f32_own(gsl_matrix_float *self /* MatrixF32.type */, dlb_owner **out,
                                    dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_matrix_float_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_f32_to_dlpack(gsl_matrix_float *self, DLManagedTensorVersioned **out,
                                          dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_matrix_f32_to_dlpack_legacy(gsl_matrix_float *self, DLManagedTensor **out,
                                                 dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_matrix_f32_view(gsl_matrix_float *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_matrix_float that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable float32 arrays of 2 axes on the CPU, compact but for the outermost axis, without
 * negative strides. When the last share is dropped, the object is released, and then `managed` is deleted. Returns
 * 0; or -1 with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_f32_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                            dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_matrix_f32_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                   dlb_error *error);

/* MatrixI32: A gsl_matrix_int, stored by rows.
 * The array is int32[size1, size2], its rows `tda` elements apart, on the CPU. */
DLB_EXTERN const dlb_type dlgsl_matrix_i32_type;

/* Moves `self` into an owner. `gsl_matrix_int_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_matrix_i32_own(gsl_matrix_int *self /* MatrixI32.type */, dlb_owner **out,
                                    dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_matrix_int_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_i32_to_dlpack(gsl_matrix_int *self, DLManagedTensorVersioned **out,
                                          dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_matrix_i32_to_dlpack_legacy(gsl_matrix_int *self, DLManagedTensor **out,
                                                 dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_matrix_i32_view(gsl_matrix_int *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_matrix_int that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable int32 arrays of 2 axes on the CPU, compact but for the outermost axis, without negative
 * strides. When the last share is dropped, the object is released, and then `managed` is deleted. Returns 0; or -1
 * with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_i32_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                            dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_matrix_i32_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                   dlb_error *error);

/* MatrixU16: A gsl_matrix_ushort, stored by rows.
 * The array is uint16[size1, size2], its rows `tda` elements apart, on the CPU. */
DLB_EXTERN const dlb_type dlgsl_matrix_u16_type;

/* Moves `self` into an owner. `gsl_matrix_ushort_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_matrix_u16_own(gsl_matrix_ushort *self /* MatrixU16.type */, dlb_owner **out,
                                    dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_matrix_ushort_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_u16_to_dlpack(gsl_matrix_ushort *self, DLManagedTensorVersioned **out,
                                          dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_matrix_u16_to_dlpack_legacy(gsl_matrix_ushort *self, DLManagedTensor **out,
                                                 dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_matrix_u16_view(gsl_matrix_ushort *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_matrix_ushort that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable uint16 arrays of 2 axes on the CPU, compact but for the outermost axis, without
 * negative strides. When the last share is dropped, the object is released, and then `managed` is deleted. Returns
 * 0; or -1 with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_u16_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                            dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_matrix_u16_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                   dlb_error *error);

/* MatrixU8: A gsl_matrix_uchar, stored by rows.
 * The array is uint8[size1, size2], its rows `tda` elements apart, on the CPU. */
DLB_EXTERN const dlb_type dlgsl_matrix_u8_type;

/* Moves `self` into an owner. `gsl_matrix_uchar_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_matrix_u8_own(gsl_matrix_uchar *self /* MatrixU8.type */, dlb_owner **out,
                                   dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_matrix_uchar_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_u8_to_dlpack(gsl_matrix_uchar *self, DLManagedTensorVersioned **out,
                                         dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_matrix_u8_to_dlpack_legacy(gsl_matrix_uchar *self, DLManagedTensor **out,
                                                dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_matrix_u8_view(gsl_matrix_uchar *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_matrix_uchar that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable uint8 arrays of 2 axes on the CPU, compact but for the outermost axis, without negative
 * strides. When the last share is dropped, the object is released, and then `managed` is deleted. Returns 0; or -1
 * with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_u8_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                           dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_matrix_u8_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                  dlb_error *error);

/* MatrixLong: A gsl_matrix_long, stored by rows.
 * The array is long[size1, size2], its rows `tda` elements apart, on the CPU. */
DLB_EXTERN const dlb_type dlgsl_matrix_long_type;

/* Moves `self` into an owner. `gsl_matrix_long_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_matrix_long_own(gsl_matrix_long *self /* MatrixLong.type */, dlb_owner **out,
                                     dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_matrix_long_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_long_to_dlpack(gsl_matrix_long *self, DLManagedTensorVersioned **out,
                                           dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_matrix_long_to_dlpack_legacy(gsl_matrix_long *self, DLManagedTensor **out,
                                                  dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_matrix_long_view(gsl_matrix_long *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_matrix_long that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable long arrays of 2 axes on the CPU, compact but for the outermost axis, without negative
 * strides. When the last share is dropped, the object is released, and then `managed` is deleted. Returns 0; or -1
 * with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_long_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                             dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_matrix_long_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                    dlb_error *error);

/* MatrixC128: A gsl_matrix_complex, stored by rows.
 * The array is complex128[size1, size2], its rows `tda` elements apart, on the CPU. */
DLB_EXTERN const dlb_type dlgsl_matrix_c128_type;

/* Moves `self` into an owner. `gsl_matrix_complex_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_matrix_c128_own(gsl_matrix_complex *self /* MatrixC128.type */,
                                     dlb_owner **out, dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_matrix_complex_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_c128_to_dlpack(gsl_matrix_complex *self, DLManagedTensorVersioned **out,
                                           dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_matrix_c128_to_dlpack_legacy(gsl_matrix_complex *self, DLManagedTensor **out,
                                                  dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_matrix_c128_view(gsl_matrix_complex *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_matrix_complex that shows the memory of `managed`, and an owner of both. dlb_owner_object()
 * returns the object. Takes writable complex128 arrays of 2 axes on the CPU, compact but for the outermost axis,
 * without negative strides. When the last share is dropped, the object is released, and then `managed` is deleted.
 * Returns 0; or -1 with `error` filled, and `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_matrix_c128_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                             dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_matrix_c128_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                    dlb_error *error);

/* Vector: A gsl_vector, whose elements may lie apart.
 * The array is float64[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_vector_type;

/* Moves `self` into an owner. `gsl_vector_free(self)` is called when its last share is dropped. It can be exported
 * any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_vector_own(gsl_vector *self /* Vector.type */, dlb_owner **out,
                                dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_vector_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_to_dlpack(gsl_vector *self, DLManagedTensorVersioned **out,
                                      dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_vector_to_dlpack_legacy(gsl_vector *self, DLManagedTensor **out,
                                             dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_vector_view(gsl_vector *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_vector that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns the
 * object. Takes writable float64 arrays of 1 axis on the CPU, without negative strides. When the last share is
 * dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                        dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_vector_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                               dlb_error *error);

/* VectorF32: A gsl_vector_float, whose elements may lie apart.
 * The array is float32[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_vector_f32_type;

/* Moves `self` into an owner. `gsl_vector_float_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_vector_f32_own(gsl_vector_float *self /* VectorF32.type */, dlb_owner **out,
                                    dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_vector_float_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_f32_to_dlpack(gsl_vector_float *self, DLManagedTensorVersioned **out,
                                          dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_vector_f32_to_dlpack_legacy(gsl_vector_float *self, DLManagedTensor **out,
                                                 dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_vector_f32_view(gsl_vector_float *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_vector_float that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable float32 arrays of 1 axis on the CPU, without negative strides. When the last share is
 * dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_f32_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                            dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_vector_f32_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                   dlb_error *error);

/* VectorI32: A gsl_vector_int, whose elements may lie apart.
 * The array is int32[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_vector_i32_type;

/* Moves `self` into an owner. `gsl_vector_int_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_vector_i32_own(gsl_vector_int *self /* VectorI32.type */, dlb_owner **out,
                                    dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_vector_int_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_i32_to_dlpack(gsl_vector_int *self, DLManagedTensorVersioned **out,
                                          dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_vector_i32_to_dlpack_legacy(gsl_vector_int *self, DLManagedTensor **out,
                                                 dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_vector_i32_view(gsl_vector_int *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_vector_int that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable int32 arrays of 1 axis on the CPU, without negative strides. When the last share is
 * dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_i32_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                            dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_vector_i32_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                   dlb_error *error);

/* VectorU16: A gsl_vector_ushort, whose elements may lie apart.
 * The array is uint16[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_vector_u16_type;

/* Moves `self` into an owner. `gsl_vector_ushort_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_vector_u16_own(gsl_vector_ushort *self /* VectorU16.type */, dlb_owner **out,
                                    dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_vector_ushort_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_u16_to_dlpack(gsl_vector_ushort *self, DLManagedTensorVersioned **out,
                                          dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_vector_u16_to_dlpack_legacy(gsl_vector_ushort *self, DLManagedTensor **out,
                                                 dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_vector_u16_view(gsl_vector_ushort *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_vector_ushort that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable uint16 arrays of 1 axis on the CPU, without negative strides. When the last share is
 * dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_u16_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                            dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_vector_u16_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                   dlb_error *error);

/* VectorU8: A gsl_vector_uchar, whose elements may lie apart.
 * The array is uint8[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_vector_u8_type;

/* Moves `self` into an owner. `gsl_vector_uchar_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_vector_u8_own(gsl_vector_uchar *self /* VectorU8.type */, dlb_owner **out,
                                   dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_vector_uchar_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_u8_to_dlpack(gsl_vector_uchar *self, DLManagedTensorVersioned **out,
                                         dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_vector_u8_to_dlpack_legacy(gsl_vector_uchar *self, DLManagedTensor **out,
                                                dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_vector_u8_view(gsl_vector_uchar *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_vector_uchar that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable uint8 arrays of 1 axis on the CPU, without negative strides. When the last share is
 * dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_u8_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                           dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_vector_u8_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                  dlb_error *error);

/* VectorLong: A gsl_vector_long, whose elements may lie apart.
 * The array is long[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_vector_long_type;

/* Moves `self` into an owner. `gsl_vector_long_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_vector_long_own(gsl_vector_long *self /* VectorLong.type */, dlb_owner **out,
                                     dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_vector_long_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_long_to_dlpack(gsl_vector_long *self, DLManagedTensorVersioned **out,
                                           dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_vector_long_to_dlpack_legacy(gsl_vector_long *self, DLManagedTensor **out,
                                                  dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_vector_long_view(gsl_vector_long *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_vector_long that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable long arrays of 1 axis on the CPU, without negative strides. When the last share is
 * dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_long_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                             dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_vector_long_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                    dlb_error *error);

/* VectorC128: A gsl_vector_complex, whose elements may lie apart.
 * The array is complex128[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_vector_c128_type;

/* Moves `self` into an owner. `gsl_vector_complex_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_vector_c128_own(gsl_vector_complex *self /* VectorC128.type */,
                                     dlb_owner **out, dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_vector_complex_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_c128_to_dlpack(gsl_vector_complex *self, DLManagedTensorVersioned **out,
                                           dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_vector_c128_to_dlpack_legacy(gsl_vector_complex *self, DLManagedTensor **out,
                                                  dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_vector_c128_view(gsl_vector_complex *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_vector_complex that shows the memory of `managed`, and an owner of both. dlb_owner_object()
 * returns the object. Takes writable complex128 arrays of 1 axis on the CPU, without negative strides. When the last
 * share is dropped, the object is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and
 * `managed` still belongs to the caller. */
DLB_EXTERN int dlgsl_vector_c128_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                             dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_vector_c128_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                    dlb_error *error);

/* Permutation: A gsl_permutation, the index of each element.
 * The array is size_t[size] on the CPU. */
DLB_EXTERN const dlb_type dlgsl_permutation_type;

/* Moves `self` into an owner. `gsl_permutation_free(self)` is called when its last share is dropped. It can be
 * exported any number of times.
 * Returns 0; or -1 with `error` filled (it may be NULL), and `self` still belongs to the caller. Any thread may call
 * it. */
DLB_EXTERN int dlgsl_permutation_own(gsl_permutation *self /* Permutation.type */, dlb_owner **out,
                                     dlb_error *error);

/* Moves `self` into one managed tensor. `gsl_permutation_free(self)` is called when its last share is dropped.
 * Returns 0; or -1 with `error` filled, and `self` still belongs to the caller. */
DLB_EXTERN int dlgsl_permutation_to_dlpack(gsl_permutation *self, DLManagedTensorVersioned **out,
                                           dlb_error *error);

/* Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is refused. */
DLB_EXTERN int dlgsl_permutation_to_dlpack_legacy(gsl_permutation *self, DLManagedTensor **out,
                                                  dlb_error *error);

/* Describes `self` without owning it. Allocates nothing. `out` is valid until `self` is freed or resized. Returns 0, or -1
 * with `error` filled. */
DLB_EXTERN int dlgsl_permutation_view(gsl_permutation *self, dlb_view *out, dlb_error *error);

/* Makes a new gsl_permutation that shows the memory of `managed`, and an owner of both. dlb_owner_object() returns
 * the object. Takes writable size_t arrays of 1 axis on the CPU, compact. When the last share is dropped, the object
 * is released, and then `managed` is deleted. Returns 0; or -1 with `error` filled, and `managed` still belongs to
 * the caller. */
DLB_EXTERN int dlgsl_permutation_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                             dlb_error *error);

/* Does so with a managed tensor of DLPack before 1.0. It cannot mark read-only data, and counts as writable. */
DLB_EXTERN int dlgsl_permutation_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out,
                                                    dlb_error *error);

#ifdef Py_PYTHON_H
/* For extension modules that include Python.h before this file. All functions need the GIL. They report failure as NULL or
 * -1 with an exception set. */

/* Adds the classes to `module`. */
DLB_EXTERN int dlgsl_add_types(PyObject *module);

/* Moves `self` into a new Python object of class EigenSymmWorkspace. `gsl_eigen_symm_free(self)` is called when its
 * last share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_eigen_symm_workspace_wrap(gsl_eigen_symm_workspace *self);

/* Returns the gsl_eigen_symm_workspace behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class EigenSymmWorkspace, or with a ValueError if it is closed. */
DLB_EXTERN gsl_eigen_symm_workspace *dlgsl_eigen_symm_workspace_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class Rng. `gsl_rng_free(self)` is called when its last share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_rng_wrap(gsl_rng *self);

/* Returns the gsl_rng behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Rng, or with a ValueError if it is closed. */
DLB_EXTERN gsl_rng *dlgsl_rng_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class Matrix. `gsl_matrix_free(self)` is called when its last share is
 * dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_matrix_wrap(gsl_matrix *self);

/* Returns the gsl_matrix behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Matrix, or with a ValueError if it is closed. */
DLB_EXTERN gsl_matrix *dlgsl_matrix_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class MatrixF32. `gsl_matrix_float_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_matrix_f32_wrap(gsl_matrix_float *self);

/* Returns the gsl_matrix_float behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class MatrixF32, or with a ValueError if it is closed. */
DLB_EXTERN gsl_matrix_float *dlgsl_matrix_f32_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class MatrixI32. `gsl_matrix_int_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_matrix_i32_wrap(gsl_matrix_int *self);

/* Returns the gsl_matrix_int behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class MatrixI32, or with a ValueError if it is closed. */
DLB_EXTERN gsl_matrix_int *dlgsl_matrix_i32_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class MatrixU16. `gsl_matrix_ushort_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_matrix_u16_wrap(gsl_matrix_ushort *self);

/* Returns the gsl_matrix_ushort behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class MatrixU16, or with a ValueError if it is closed. */
DLB_EXTERN gsl_matrix_ushort *dlgsl_matrix_u16_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class MatrixU8. `gsl_matrix_uchar_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_matrix_u8_wrap(gsl_matrix_uchar *self);

/* Returns the gsl_matrix_uchar behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class MatrixU8, or with a ValueError if it is closed. */
DLB_EXTERN gsl_matrix_uchar *dlgsl_matrix_u8_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class MatrixLong. `gsl_matrix_long_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_matrix_long_wrap(gsl_matrix_long *self);

/* Returns the gsl_matrix_long behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class MatrixLong, or with a ValueError if it is closed. */
DLB_EXTERN gsl_matrix_long *dlgsl_matrix_long_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class MatrixC128. `gsl_matrix_complex_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_matrix_c128_wrap(gsl_matrix_complex *self);

/* Returns the gsl_matrix_complex behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class MatrixC128, or with a ValueError if it is closed. */
DLB_EXTERN gsl_matrix_complex *dlgsl_matrix_c128_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class Vector. `gsl_vector_free(self)` is called when its last share is
 * dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_vector_wrap(gsl_vector *self);

/* Returns the gsl_vector behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Vector, or with a ValueError if it is closed. */
DLB_EXTERN gsl_vector *dlgsl_vector_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class VectorF32. `gsl_vector_float_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_vector_f32_wrap(gsl_vector_float *self);

/* Returns the gsl_vector_float behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class VectorF32, or with a ValueError if it is closed. */
DLB_EXTERN gsl_vector_float *dlgsl_vector_f32_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class VectorI32. `gsl_vector_int_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_vector_i32_wrap(gsl_vector_int *self);

/* Returns the gsl_vector_int behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class VectorI32, or with a ValueError if it is closed. */
DLB_EXTERN gsl_vector_int *dlgsl_vector_i32_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class VectorU16. `gsl_vector_ushort_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_vector_u16_wrap(gsl_vector_ushort *self);

/* Returns the gsl_vector_ushort behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class VectorU16, or with a ValueError if it is closed. */
DLB_EXTERN gsl_vector_ushort *dlgsl_vector_u16_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class VectorU8. `gsl_vector_uchar_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_vector_u8_wrap(gsl_vector_uchar *self);

/* Returns the gsl_vector_uchar behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class VectorU8, or with a ValueError if it is closed. */
DLB_EXTERN gsl_vector_uchar *dlgsl_vector_u8_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class VectorLong. `gsl_vector_long_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_vector_long_wrap(gsl_vector_long *self);

/* Returns the gsl_vector_long behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class VectorLong, or with a ValueError if it is closed. */
DLB_EXTERN gsl_vector_long *dlgsl_vector_long_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class VectorC128. `gsl_vector_complex_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_vector_c128_wrap(gsl_vector_complex *self);

/* Returns the gsl_vector_complex behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class VectorC128, or with a ValueError if it is closed. */
DLB_EXTERN gsl_vector_complex *dlgsl_vector_c128_unwrap(PyObject *object);

/* Moves `self` into a new Python object of class Permutation. `gsl_permutation_free(self)` is called when its last
 * share is dropped.
 * On failure `self` still belongs to the caller. */
DLB_EXTERN PyObject *dlgsl_permutation_wrap(gsl_permutation *self);

/* Returns the gsl_permutation behind `object`, valid until the object is closed or destroyed. Returns NULL with a TypeError if
 * `object` is not of class Permutation, or with a ValueError if it is closed. */
DLB_EXTERN gsl_permutation *dlgsl_permutation_unwrap(PyObject *object);

/* These functions for extensions that are not linked with the module: the content of its capsule `_C_API`. */
typedef struct dlgsl_c_api {
    size_t size; /* of this struct, as the module was compiled */
    PyObject *(*eigen_symm_workspace_wrap)(gsl_eigen_symm_workspace *self);
    gsl_eigen_symm_workspace *(*eigen_symm_workspace_unwrap)(PyObject *object);
    PyObject *(*rng_wrap)(gsl_rng *self);
    gsl_rng *(*rng_unwrap)(PyObject *object);
    PyObject *(*matrix_wrap)(gsl_matrix *self);
    gsl_matrix *(*matrix_unwrap)(PyObject *object);
    PyObject *(*matrix_f32_wrap)(gsl_matrix_float *self);
    gsl_matrix_float *(*matrix_f32_unwrap)(PyObject *object);
    PyObject *(*matrix_i32_wrap)(gsl_matrix_int *self);
    gsl_matrix_int *(*matrix_i32_unwrap)(PyObject *object);
    PyObject *(*matrix_u16_wrap)(gsl_matrix_ushort *self);
    gsl_matrix_ushort *(*matrix_u16_unwrap)(PyObject *object);
    PyObject *(*matrix_u8_wrap)(gsl_matrix_uchar *self);
    gsl_matrix_uchar *(*matrix_u8_unwrap)(PyObject *object);
    PyObject *(*matrix_long_wrap)(gsl_matrix_long *self);
    gsl_matrix_long *(*matrix_long_unwrap)(PyObject *object);
    PyObject *(*matrix_c128_wrap)(gsl_matrix_complex *self);
    gsl_matrix_complex *(*matrix_c128_unwrap)(PyObject *object);
    PyObject *(*vector_wrap)(gsl_vector *self);
    gsl_vector *(*vector_unwrap)(PyObject *object);
    PyObject *(*vector_f32_wrap)(gsl_vector_float *self);
    gsl_vector_float *(*vector_f32_unwrap)(PyObject *object);
    PyObject *(*vector_i32_wrap)(gsl_vector_int *self);
    gsl_vector_int *(*vector_i32_unwrap)(PyObject *object);
    PyObject *(*vector_u16_wrap)(gsl_vector_ushort *self);
    gsl_vector_ushort *(*vector_u16_unwrap)(PyObject *object);
    PyObject *(*vector_u8_wrap)(gsl_vector_uchar *self);
    gsl_vector_uchar *(*vector_u8_unwrap)(PyObject *object);
    PyObject *(*vector_long_wrap)(gsl_vector_long *self);
    gsl_vector_long *(*vector_long_unwrap)(PyObject *object);
    PyObject *(*vector_c128_wrap)(gsl_vector_complex *self);
    gsl_vector_complex *(*vector_c128_unwrap)(PyObject *object);
    PyObject *(*permutation_wrap)(gsl_permutation *self);
    gsl_permutation *(*permutation_unwrap)(PyObject *object);
    uint32_t prototypes; /* a checksum of the prototypes above */
} dlgsl_c_api;

enum {
    DLGSL_C_API_PROTOTYPES = 0x550838c1
};

/* Imports the module, "gsl" or "package.gsl", and returns its functions. They are valid until the process ends, so
 * call this once. Returns NULL with an exception on failure. */
static inline const dlgsl_c_api *dlgsl_import_c_api(const char *dl_module)
{
    PyObject *dl_imported = PyImport_ImportModule(dl_module);
    PyObject *dl_capsule =
        dl_imported != NULL ? PyObject_GetAttrString(dl_imported, "_C_API") : NULL;
    const dlgsl_c_api *dl_api = NULL;

    if (dl_capsule != NULL) {
        dl_api = DLB_FROM_VOID(const dlgsl_c_api *, PyCapsule_GetPointer(dl_capsule, "gsl._C_API"));
    }
    Py_XDECREF(dl_capsule);
    Py_XDECREF(dl_imported);
    if (dl_api != NULL &&
        (dl_api->size != sizeof(*dl_api) || dl_api->prototypes != DLGSL_C_API_PROTOTYPES)) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built from another version of gsl.yaml: rebuild both", dl_module);
        return NULL;
    }
    return dl_api;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
