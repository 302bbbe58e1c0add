/* SPDX-License-Identifier: MIT-0
 * Generated from gsl.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "gsl_dlpack.h"

/* ---- EigenSymmWorkspace ---- */

static void dl_dlgsl_eigen_symm_workspace_release(void *object)
{
    gsl_eigen_symm_workspace *self = object;

    gsl_eigen_symm_free(self); /* EigenSymmWorkspace.release */
}

const dlb_type dlgsl_eigen_symm_workspace_type = {
    .name = "gsl.EigenSymmWorkspace",
    .release = dl_dlgsl_eigen_symm_workspace_release,
    .writable = 1,
};

DLB_DEFINE_OWN(dlgsl_eigen_symm_workspace, gsl_eigen_symm_workspace *)

/* ---- Rng ---- */

static void dl_dlgsl_rng_release(void *object)
{
    gsl_rng *self = object;

    gsl_rng_free(self); /* Rng.release */
}

const dlb_type dlgsl_rng_type = {
    .name = "gsl.Rng",
    .release = dl_dlgsl_rng_release,
    .writable = 1,
};

DLB_DEFINE_OWN(dlgsl_rng, gsl_rng *)

/* ---- Matrix ---- */

static int dl_dlgsl_matrix_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix *self = object;

    DLB_ASSERT_STRUCT(*self, "Matrix.type: gsl_matrix must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLFloat, 64, "Matrix.data: self->data must be a pointer to float64");
    DLB_ASSERT_INTEGER(self->size1, "Matrix.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "Matrix.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "Matrix.strides.outer: self->tda must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLFloat, 64);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view, 2);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLFloat, 64), 2, error);
}

static void dl_dlgsl_matrix_release(void *object)
{
    gsl_matrix *self = object;

    gsl_matrix_free(self); /* Matrix.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_matrix_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]); /* Matrix.import.set.size1 */
    DLB_SET(source, self->size2, shape[1]); /* Matrix.import.set.size2 */
    DLB_SET(source, self->tda, strides[0]); /* Matrix.import.set.tda */
    self->data = data;                      /* Matrix.import.set.data */
    self->block = NULL;                     /* Matrix.import.set.block */
    self->owner = 0;                        /* Matrix.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_importer = {
    .make = dl_dlgsl_matrix_import,
    .require = &dl_dlgsl_matrix_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_matrix),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_matrix_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* Matrix.allocate.let.handler */

    gsl_matrix *result = gsl_matrix_calloc(shape[0], shape[1]); /* Matrix.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_matrix_calloc(shape[0], shape[1])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_allocator = {
    .make = dl_dlgsl_matrix_allocate,
    .destroy = dl_dlgsl_matrix_release,
    .require = &dl_dlgsl_matrix_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_matrix_describe_fast, dl_dlgsl_matrix_describe, 2)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_matrix_import_fast, dl_dlgsl_matrix_importer,
                       dl_dlgsl_matrix_describe)

const dlb_type dlgsl_matrix_type = {
    .name = "gsl.Matrix",
    .ndim = 2,
    .describe = dl_dlgsl_matrix_describe,
    .release = dl_dlgsl_matrix_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_matrix *)0)->data),
    .allocator = &dl_dlgsl_matrix_allocator,
    .importer = &dl_dlgsl_matrix_importer,
    .describe_fast = dl_dlgsl_matrix_describe_fast,
    .import_fast = dl_dlgsl_matrix_import_fast,
};

DLB_DEFINE_OWN(dlgsl_matrix, gsl_matrix *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_matrix_delete_one_shot, dl_dlgsl_matrix_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_matrix, gsl_matrix *, dl_dlgsl_matrix_describe, 2, NULL,
                          dl_dlgsl_matrix_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_matrix, gsl_matrix *)
DLB_DEFINE_VIEW(dlgsl_matrix, gsl_matrix *)
DLB_DEFINE_FROM_DLPACK(dlgsl_matrix)

/* ---- MatrixF32 ---- */

static int dl_dlgsl_matrix_f32_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix_float *self = object;

    DLB_ASSERT_STRUCT(*self, "MatrixF32.type: gsl_matrix_float must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLFloat, 32, "MatrixF32.data: self->data must be a pointer to float32");
    DLB_ASSERT_INTEGER(self->size1, "MatrixF32.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "MatrixF32.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "MatrixF32.strides.outer: self->tda must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view, 2);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLFloat, 32), 2, error);
}

static void dl_dlgsl_matrix_f32_release(void *object)
{
    gsl_matrix_float *self = object;

    gsl_matrix_float_free(self); /* MatrixF32.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_matrix_f32_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix_float *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]); /* MatrixF32.import.set.size1 */
    DLB_SET(source, self->size2, shape[1]); /* MatrixF32.import.set.size2 */
    DLB_SET(source, self->tda, strides[0]); /* MatrixF32.import.set.tda */
    self->data = data;                      /* MatrixF32.import.set.data */
    self->block = NULL;                     /* MatrixF32.import.set.block */
    self->owner = 0;                        /* MatrixF32.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_f32_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLFloat, 32, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_f32_importer = {
    .make = dl_dlgsl_matrix_f32_import,
    .require = &dl_dlgsl_matrix_f32_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_matrix_float),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_matrix_f32_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* MatrixF32.allocate.let.handler */

    gsl_matrix_float *result = gsl_matrix_float_calloc(shape[0], shape[1]); /* MatrixF32.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_matrix_float_calloc(shape[0], shape[1])",
                                     NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_f32_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLFloat, 32, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_f32_allocator = {
    .make = dl_dlgsl_matrix_f32_allocate,
    .destroy = dl_dlgsl_matrix_f32_release,
    .require = &dl_dlgsl_matrix_f32_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_matrix_f32_describe_fast, dl_dlgsl_matrix_f32_describe, 2)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_matrix_f32_import_fast, dl_dlgsl_matrix_f32_importer,
                       dl_dlgsl_matrix_f32_describe)

const dlb_type dlgsl_matrix_f32_type = {
    .name = "gsl.MatrixF32",
    .ndim = 2,
    .describe = dl_dlgsl_matrix_f32_describe,
    .release = dl_dlgsl_matrix_f32_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_matrix_float *)0)->data),
    .allocator = &dl_dlgsl_matrix_f32_allocator,
    .importer = &dl_dlgsl_matrix_f32_importer,
    .describe_fast = dl_dlgsl_matrix_f32_describe_fast,
    .import_fast = dl_dlgsl_matrix_f32_import_fast,
};

DLB_DEFINE_OWN(dlgsl_matrix_f32, gsl_matrix_float *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_matrix_f32_delete_one_shot, dl_dlgsl_matrix_f32_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_matrix_f32, gsl_matrix_float *, dl_dlgsl_matrix_f32_describe, 2,
                          NULL, dl_dlgsl_matrix_f32_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_matrix_f32, gsl_matrix_float *)
DLB_DEFINE_VIEW(dlgsl_matrix_f32, gsl_matrix_float *)
DLB_DEFINE_FROM_DLPACK(dlgsl_matrix_f32)

/* ---- MatrixI32 ---- */

static int dl_dlgsl_matrix_i32_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix_int *self = object;

    DLB_ASSERT_STRUCT(*self, "MatrixI32.type: gsl_matrix_int must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLInt, 32, "MatrixI32.data: self->data must be a pointer to int32");
    DLB_ASSERT_INTEGER(self->size1, "MatrixI32.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "MatrixI32.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "MatrixI32.strides.outer: self->tda must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLInt, 32);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view, 2);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLInt, 32), 2, error);
}

static void dl_dlgsl_matrix_i32_release(void *object)
{
    gsl_matrix_int *self = object;

    gsl_matrix_int_free(self); /* MatrixI32.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_matrix_i32_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix_int *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]); /* MatrixI32.import.set.size1 */
    DLB_SET(source, self->size2, shape[1]); /* MatrixI32.import.set.size2 */
    DLB_SET(source, self->tda, strides[0]); /* MatrixI32.import.set.tda */
    self->data = data;                      /* MatrixI32.import.set.data */
    self->block = NULL;                     /* MatrixI32.import.set.block */
    self->owner = 0;                        /* MatrixI32.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_i32_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLInt, 32, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_i32_importer = {
    .make = dl_dlgsl_matrix_i32_import,
    .require = &dl_dlgsl_matrix_i32_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_matrix_int),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_matrix_i32_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* MatrixI32.allocate.let.handler */

    gsl_matrix_int *result = gsl_matrix_int_calloc(shape[0], shape[1]); /* MatrixI32.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_matrix_int_calloc(shape[0], shape[1])",
                                     NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_i32_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLInt, 32, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_i32_allocator = {
    .make = dl_dlgsl_matrix_i32_allocate,
    .destroy = dl_dlgsl_matrix_i32_release,
    .require = &dl_dlgsl_matrix_i32_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_matrix_i32_describe_fast, dl_dlgsl_matrix_i32_describe, 2)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_matrix_i32_import_fast, dl_dlgsl_matrix_i32_importer,
                       dl_dlgsl_matrix_i32_describe)

const dlb_type dlgsl_matrix_i32_type = {
    .name = "gsl.MatrixI32",
    .ndim = 2,
    .describe = dl_dlgsl_matrix_i32_describe,
    .release = dl_dlgsl_matrix_i32_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_matrix_int *)0)->data),
    .allocator = &dl_dlgsl_matrix_i32_allocator,
    .importer = &dl_dlgsl_matrix_i32_importer,
    .describe_fast = dl_dlgsl_matrix_i32_describe_fast,
    .import_fast = dl_dlgsl_matrix_i32_import_fast,
};

DLB_DEFINE_OWN(dlgsl_matrix_i32, gsl_matrix_int *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_matrix_i32_delete_one_shot, dl_dlgsl_matrix_i32_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_matrix_i32, gsl_matrix_int *, dl_dlgsl_matrix_i32_describe, 2, NULL,
                          dl_dlgsl_matrix_i32_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_matrix_i32, gsl_matrix_int *)
DLB_DEFINE_VIEW(dlgsl_matrix_i32, gsl_matrix_int *)
DLB_DEFINE_FROM_DLPACK(dlgsl_matrix_i32)

/* ---- MatrixU16 ---- */

static int dl_dlgsl_matrix_u16_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix_ushort *self = object;

    DLB_ASSERT_STRUCT(*self, "MatrixU16.type: gsl_matrix_ushort must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLUInt, 16, "MatrixU16.data: self->data must be a pointer to uint16");
    DLB_ASSERT_INTEGER(self->size1, "MatrixU16.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "MatrixU16.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "MatrixU16.strides.outer: self->tda must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 16);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view, 2);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 16), 2, error);
}

static void dl_dlgsl_matrix_u16_release(void *object)
{
    gsl_matrix_ushort *self = object;

    gsl_matrix_ushort_free(self); /* MatrixU16.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_matrix_u16_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix_ushort *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]); /* MatrixU16.import.set.size1 */
    DLB_SET(source, self->size2, shape[1]); /* MatrixU16.import.set.size2 */
    DLB_SET(source, self->tda, strides[0]); /* MatrixU16.import.set.tda */
    self->data = data;                      /* MatrixU16.import.set.data */
    self->block = NULL;                     /* MatrixU16.import.set.block */
    self->owner = 0;                        /* MatrixU16.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_u16_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLUInt, 16, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_u16_importer = {
    .make = dl_dlgsl_matrix_u16_import,
    .require = &dl_dlgsl_matrix_u16_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_matrix_ushort),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_matrix_u16_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* MatrixU16.allocate.let.handler */

    gsl_matrix_ushort *result = gsl_matrix_ushort_calloc(shape[0], shape[1]); /* MatrixU16.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_matrix_ushort_calloc(shape[0], shape[1])",
                                     NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_u16_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLUInt, 16, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_u16_allocator = {
    .make = dl_dlgsl_matrix_u16_allocate,
    .destroy = dl_dlgsl_matrix_u16_release,
    .require = &dl_dlgsl_matrix_u16_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_matrix_u16_describe_fast, dl_dlgsl_matrix_u16_describe, 2)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_matrix_u16_import_fast, dl_dlgsl_matrix_u16_importer,
                       dl_dlgsl_matrix_u16_describe)

const dlb_type dlgsl_matrix_u16_type = {
    .name = "gsl.MatrixU16",
    .ndim = 2,
    .describe = dl_dlgsl_matrix_u16_describe,
    .release = dl_dlgsl_matrix_u16_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_matrix_ushort *)0)->data),
    .allocator = &dl_dlgsl_matrix_u16_allocator,
    .importer = &dl_dlgsl_matrix_u16_importer,
    .describe_fast = dl_dlgsl_matrix_u16_describe_fast,
    .import_fast = dl_dlgsl_matrix_u16_import_fast,
};

DLB_DEFINE_OWN(dlgsl_matrix_u16, gsl_matrix_ushort *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_matrix_u16_delete_one_shot, dl_dlgsl_matrix_u16_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_matrix_u16, gsl_matrix_ushort *, dl_dlgsl_matrix_u16_describe, 2,
                          NULL, dl_dlgsl_matrix_u16_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_matrix_u16, gsl_matrix_ushort *)
DLB_DEFINE_VIEW(dlgsl_matrix_u16, gsl_matrix_ushort *)
DLB_DEFINE_FROM_DLPACK(dlgsl_matrix_u16)

/* ---- MatrixU8 ---- */

static int dl_dlgsl_matrix_u8_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix_uchar *self = object;

    DLB_ASSERT_STRUCT(*self, "MatrixU8.type: gsl_matrix_uchar must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLUInt, 8, "MatrixU8.data: self->data must be a pointer to uint8");
    DLB_ASSERT_INTEGER(self->size1, "MatrixU8.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "MatrixU8.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "MatrixU8.strides.outer: self->tda must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view, 2);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 2, error);
}

static void dl_dlgsl_matrix_u8_release(void *object)
{
    gsl_matrix_uchar *self = object;

    gsl_matrix_uchar_free(self); /* MatrixU8.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_matrix_u8_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix_uchar *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]); /* MatrixU8.import.set.size1 */
    DLB_SET(source, self->size2, shape[1]); /* MatrixU8.import.set.size2 */
    DLB_SET(source, self->tda, strides[0]); /* MatrixU8.import.set.tda */
    self->data = data;                      /* MatrixU8.import.set.data */
    self->block = NULL;                     /* MatrixU8.import.set.block */
    self->owner = 0;                        /* MatrixU8.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_u8_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_u8_importer = {
    .make = dl_dlgsl_matrix_u8_import,
    .require = &dl_dlgsl_matrix_u8_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_matrix_uchar),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_matrix_u8_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* MatrixU8.allocate.let.handler */

    gsl_matrix_uchar *result = gsl_matrix_uchar_calloc(shape[0], shape[1]); /* MatrixU8.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_matrix_uchar_calloc(shape[0], shape[1])",
                                     NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_u8_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_u8_allocator = {
    .make = dl_dlgsl_matrix_u8_allocate,
    .destroy = dl_dlgsl_matrix_u8_release,
    .require = &dl_dlgsl_matrix_u8_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_matrix_u8_describe_fast, dl_dlgsl_matrix_u8_describe, 2)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_matrix_u8_import_fast, dl_dlgsl_matrix_u8_importer,
                       dl_dlgsl_matrix_u8_describe)

const dlb_type dlgsl_matrix_u8_type = {
    .name = "gsl.MatrixU8",
    .ndim = 2,
    .describe = dl_dlgsl_matrix_u8_describe,
    .release = dl_dlgsl_matrix_u8_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_matrix_uchar *)0)->data),
    .allocator = &dl_dlgsl_matrix_u8_allocator,
    .importer = &dl_dlgsl_matrix_u8_importer,
    .describe_fast = dl_dlgsl_matrix_u8_describe_fast,
    .import_fast = dl_dlgsl_matrix_u8_import_fast,
};

DLB_DEFINE_OWN(dlgsl_matrix_u8, gsl_matrix_uchar *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_matrix_u8_delete_one_shot, dl_dlgsl_matrix_u8_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_matrix_u8, gsl_matrix_uchar *, dl_dlgsl_matrix_u8_describe, 2, NULL,
                          dl_dlgsl_matrix_u8_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_matrix_u8, gsl_matrix_uchar *)
DLB_DEFINE_VIEW(dlgsl_matrix_u8, gsl_matrix_uchar *)
DLB_DEFINE_FROM_DLPACK(dlgsl_matrix_u8)

/* ---- MatrixLong ---- */

static int dl_dlgsl_matrix_long_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix_long *self = object;

    DLB_ASSERT_STRUCT(*self, "MatrixLong.type: gsl_matrix_long must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, DLB_CODE_OF(long), 8 * sizeof(long), "MatrixLong.data: self->data must be a pointer to long");
    DLB_ASSERT_INTEGER(self->size1, "MatrixLong.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "MatrixLong.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "MatrixLong.strides.outer: self->tda must be an integer");

    view->tensor->dtype = DLB_DTYPE_OF(long);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view, 2);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE_OF(long), 2, error);
}

static void dl_dlgsl_matrix_long_release(void *object)
{
    gsl_matrix_long *self = object;

    gsl_matrix_long_free(self); /* MatrixLong.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_matrix_long_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix_long *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]); /* MatrixLong.import.set.size1 */
    DLB_SET(source, self->size2, shape[1]); /* MatrixLong.import.set.size2 */
    DLB_SET(source, self->tda, strides[0]); /* MatrixLong.import.set.tda */
    self->data = data;                      /* MatrixLong.import.set.data */
    self->block = NULL;                     /* MatrixLong.import.set.block */
    self->owner = 0;                        /* MatrixLong.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_long_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(long), 8 * sizeof(long), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_long_importer = {
    .make = dl_dlgsl_matrix_long_import,
    .require = &dl_dlgsl_matrix_long_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_matrix_long),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_matrix_long_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* MatrixLong.allocate.let.handler */

    gsl_matrix_long *result = gsl_matrix_long_calloc(shape[0], shape[1]); /* MatrixLong.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_matrix_long_calloc(shape[0], shape[1])",
                                     NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_long_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(long), 8 * sizeof(long), 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_long_allocator = {
    .make = dl_dlgsl_matrix_long_allocate,
    .destroy = dl_dlgsl_matrix_long_release,
    .require = &dl_dlgsl_matrix_long_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_matrix_long_describe_fast, dl_dlgsl_matrix_long_describe, 2)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_matrix_long_import_fast, dl_dlgsl_matrix_long_importer,
                       dl_dlgsl_matrix_long_describe)

const dlb_type dlgsl_matrix_long_type = {
    .name = "gsl.MatrixLong",
    .ndim = 2,
    .describe = dl_dlgsl_matrix_long_describe,
    .release = dl_dlgsl_matrix_long_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_matrix_long *)0)->data),
    .allocator = &dl_dlgsl_matrix_long_allocator,
    .importer = &dl_dlgsl_matrix_long_importer,
    .describe_fast = dl_dlgsl_matrix_long_describe_fast,
    .import_fast = dl_dlgsl_matrix_long_import_fast,
};

DLB_DEFINE_OWN(dlgsl_matrix_long, gsl_matrix_long *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_matrix_long_delete_one_shot, dl_dlgsl_matrix_long_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_matrix_long, gsl_matrix_long *, dl_dlgsl_matrix_long_describe, 2,
                          NULL, dl_dlgsl_matrix_long_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_matrix_long, gsl_matrix_long *)
DLB_DEFINE_VIEW(dlgsl_matrix_long, gsl_matrix_long *)
DLB_DEFINE_FROM_DLPACK(dlgsl_matrix_long)

/* ---- MatrixC128 ---- */

static int dl_dlgsl_matrix_c128_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix_complex *self = object;

    DLB_ASSERT_STRUCT(*self, "MatrixC128.type: gsl_matrix_complex must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLComplex, 128, "MatrixC128.data: self->data must be a pointer to complex128");
    DLB_ASSERT_INTEGER(self->size1, "MatrixC128.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "MatrixC128.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "MatrixC128.strides.outer: self->tda must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLComplex, 128);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view, 2);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLComplex, 128), 2, error);
}

static void dl_dlgsl_matrix_c128_release(void *object)
{
    gsl_matrix_complex *self = object;

    gsl_matrix_complex_free(self); /* MatrixC128.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_matrix_c128_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix_complex *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]); /* MatrixC128.import.set.size1 */
    DLB_SET(source, self->size2, shape[1]); /* MatrixC128.import.set.size2 */
    DLB_SET(source, self->tda, strides[0]); /* MatrixC128.import.set.tda */
    self->data = data;                      /* MatrixC128.import.set.data */
    self->block = NULL;                     /* MatrixC128.import.set.block */
    self->owner = 0;                        /* MatrixC128.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_c128_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_c128_importer = {
    .make = dl_dlgsl_matrix_c128_import,
    .require = &dl_dlgsl_matrix_c128_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_matrix_complex),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_matrix_c128_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* MatrixC128.allocate.let.handler */

    gsl_matrix_complex *result = gsl_matrix_complex_calloc(shape[0], shape[1]); /* MatrixC128.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_matrix_complex_calloc(shape[0], shape[1])",
                                     NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_matrix_c128_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_matrix_c128_allocator = {
    .make = dl_dlgsl_matrix_c128_allocate,
    .destroy = dl_dlgsl_matrix_c128_release,
    .require = &dl_dlgsl_matrix_c128_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_matrix_c128_describe_fast, dl_dlgsl_matrix_c128_describe, 2)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_matrix_c128_import_fast, dl_dlgsl_matrix_c128_importer,
                       dl_dlgsl_matrix_c128_describe)

const dlb_type dlgsl_matrix_c128_type = {
    .name = "gsl.MatrixC128",
    .ndim = 2,
    .describe = dl_dlgsl_matrix_c128_describe,
    .release = dl_dlgsl_matrix_c128_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_matrix_complex *)0)->data),
    .allocator = &dl_dlgsl_matrix_c128_allocator,
    .importer = &dl_dlgsl_matrix_c128_importer,
    .describe_fast = dl_dlgsl_matrix_c128_describe_fast,
    .import_fast = dl_dlgsl_matrix_c128_import_fast,
};

DLB_DEFINE_OWN(dlgsl_matrix_c128, gsl_matrix_complex *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_matrix_c128_delete_one_shot, dl_dlgsl_matrix_c128_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_matrix_c128, gsl_matrix_complex *, dl_dlgsl_matrix_c128_describe, 2,
                          NULL, dl_dlgsl_matrix_c128_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_matrix_c128, gsl_matrix_complex *)
DLB_DEFINE_VIEW(dlgsl_matrix_c128, gsl_matrix_complex *)
DLB_DEFINE_FROM_DLPACK(dlgsl_matrix_c128)

/* ---- Vector ---- */

static int dl_dlgsl_vector_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_vector *self = object;

    DLB_ASSERT_STRUCT(*self, "Vector.type: gsl_vector must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLFloat, 64, "Vector.data: self->data must be a pointer to float64");
    DLB_ASSERT_INTEGER(self->size, "Vector.shape[0]: self->size must be an integer");
    DLB_ASSERT_INTEGER(self->stride, "Vector.strides[0]: self->stride must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLFloat, 64);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_stride(view, 0, DLB_INTEGER(self->stride));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLFloat, 64), 1, error);
}

static void dl_dlgsl_vector_release(void *object)
{
    gsl_vector *self = object;

    gsl_vector_free(self); /* Vector.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_vector_import(dlb_source *source, dlb_error *error)
{
    gsl_vector *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size, shape[0]);     /* Vector.import.set.size */
    DLB_SET(source, self->stride, strides[0]); /* Vector.import.set.stride */
    self->data = data;                         /* Vector.import.set.data */
    self->block = NULL;                        /* Vector.import.set.block */
    self->owner = 0;                           /* Vector.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_vector_importer = {
    .make = dl_dlgsl_vector_import,
    .require = &dl_dlgsl_vector_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_vector),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_vector_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* Vector.allocate.let.handler */

    gsl_vector *result = gsl_vector_calloc(shape[0]); /* Vector.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_vector_calloc(shape[0])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_allocate_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_vector_allocator = {
    .make = dl_dlgsl_vector_allocate,
    .destroy = dl_dlgsl_vector_release,
    .require = &dl_dlgsl_vector_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_vector_describe_fast, dl_dlgsl_vector_describe, 1)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_vector_import_fast, dl_dlgsl_vector_importer,
                       dl_dlgsl_vector_describe)

const dlb_type dlgsl_vector_type = {
    .name = "gsl.Vector",
    .ndim = 1,
    .describe = dl_dlgsl_vector_describe,
    .release = dl_dlgsl_vector_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_vector *)0)->data),
    .allocator = &dl_dlgsl_vector_allocator,
    .importer = &dl_dlgsl_vector_importer,
    .describe_fast = dl_dlgsl_vector_describe_fast,
    .import_fast = dl_dlgsl_vector_import_fast,
};

DLB_DEFINE_OWN(dlgsl_vector, gsl_vector *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_vector_delete_one_shot, dl_dlgsl_vector_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_vector, gsl_vector *, dl_dlgsl_vector_describe, 1, NULL,
                          dl_dlgsl_vector_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_vector, gsl_vector *)
DLB_DEFINE_VIEW(dlgsl_vector, gsl_vector *)
DLB_DEFINE_FROM_DLPACK(dlgsl_vector)

/* ---- VectorF32 ---- */

static int dl_dlgsl_vector_f32_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_vector_float *self = object;

    DLB_ASSERT_STRUCT(*self, "VectorF32.type: gsl_vector_float must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLFloat, 32, "VectorF32.data: self->data must be a pointer to float32");
    DLB_ASSERT_INTEGER(self->size, "VectorF32.shape[0]: self->size must be an integer");
    DLB_ASSERT_INTEGER(self->stride, "VectorF32.strides[0]: self->stride must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_stride(view, 0, DLB_INTEGER(self->stride));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLFloat, 32), 1, error);
}

static void dl_dlgsl_vector_f32_release(void *object)
{
    gsl_vector_float *self = object;

    gsl_vector_float_free(self); /* VectorF32.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_vector_f32_import(dlb_source *source, dlb_error *error)
{
    gsl_vector_float *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size, shape[0]);     /* VectorF32.import.set.size */
    DLB_SET(source, self->stride, strides[0]); /* VectorF32.import.set.stride */
    self->data = data;                         /* VectorF32.import.set.data */
    self->block = NULL;                        /* VectorF32.import.set.block */
    self->owner = 0;                           /* VectorF32.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_f32_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLFloat, 32, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_vector_f32_importer = {
    .make = dl_dlgsl_vector_f32_import,
    .require = &dl_dlgsl_vector_f32_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_vector_float),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_vector_f32_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* VectorF32.allocate.let.handler */

    gsl_vector_float *result = gsl_vector_float_calloc(shape[0]); /* VectorF32.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_vector_float_calloc(shape[0])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_f32_allocate_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .dtypes = (const DLDataType[]){{kDLFloat, 32, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_vector_f32_allocator = {
    .make = dl_dlgsl_vector_f32_allocate,
    .destroy = dl_dlgsl_vector_f32_release,
    .require = &dl_dlgsl_vector_f32_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_vector_f32_describe_fast, dl_dlgsl_vector_f32_describe, 1)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_vector_f32_import_fast, dl_dlgsl_vector_f32_importer,
                       dl_dlgsl_vector_f32_describe)

const dlb_type dlgsl_vector_f32_type = {
    .name = "gsl.VectorF32",
    .ndim = 1,
    .describe = dl_dlgsl_vector_f32_describe,
    .release = dl_dlgsl_vector_f32_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_vector_float *)0)->data),
    .allocator = &dl_dlgsl_vector_f32_allocator,
    .importer = &dl_dlgsl_vector_f32_importer,
    .describe_fast = dl_dlgsl_vector_f32_describe_fast,
    .import_fast = dl_dlgsl_vector_f32_import_fast,
};

DLB_DEFINE_OWN(dlgsl_vector_f32, gsl_vector_float *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_vector_f32_delete_one_shot, dl_dlgsl_vector_f32_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_vector_f32, gsl_vector_float *, dl_dlgsl_vector_f32_describe, 1,
                          NULL, dl_dlgsl_vector_f32_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_vector_f32, gsl_vector_float *)
DLB_DEFINE_VIEW(dlgsl_vector_f32, gsl_vector_float *)
DLB_DEFINE_FROM_DLPACK(dlgsl_vector_f32)

/* ---- VectorI32 ---- */

static int dl_dlgsl_vector_i32_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_vector_int *self = object;

    DLB_ASSERT_STRUCT(*self, "VectorI32.type: gsl_vector_int must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLInt, 32, "VectorI32.data: self->data must be a pointer to int32");
    DLB_ASSERT_INTEGER(self->size, "VectorI32.shape[0]: self->size must be an integer");
    DLB_ASSERT_INTEGER(self->stride, "VectorI32.strides[0]: self->stride must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLInt, 32);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_stride(view, 0, DLB_INTEGER(self->stride));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLInt, 32), 1, error);
}

static void dl_dlgsl_vector_i32_release(void *object)
{
    gsl_vector_int *self = object;

    gsl_vector_int_free(self); /* VectorI32.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_vector_i32_import(dlb_source *source, dlb_error *error)
{
    gsl_vector_int *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size, shape[0]);     /* VectorI32.import.set.size */
    DLB_SET(source, self->stride, strides[0]); /* VectorI32.import.set.stride */
    self->data = data;                         /* VectorI32.import.set.data */
    self->block = NULL;                        /* VectorI32.import.set.block */
    self->owner = 0;                           /* VectorI32.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_i32_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLInt, 32, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_vector_i32_importer = {
    .make = dl_dlgsl_vector_i32_import,
    .require = &dl_dlgsl_vector_i32_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_vector_int),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_vector_i32_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* VectorI32.allocate.let.handler */

    gsl_vector_int *result = gsl_vector_int_calloc(shape[0]); /* VectorI32.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_vector_int_calloc(shape[0])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_i32_allocate_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .dtypes = (const DLDataType[]){{kDLInt, 32, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_vector_i32_allocator = {
    .make = dl_dlgsl_vector_i32_allocate,
    .destroy = dl_dlgsl_vector_i32_release,
    .require = &dl_dlgsl_vector_i32_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_vector_i32_describe_fast, dl_dlgsl_vector_i32_describe, 1)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_vector_i32_import_fast, dl_dlgsl_vector_i32_importer,
                       dl_dlgsl_vector_i32_describe)

const dlb_type dlgsl_vector_i32_type = {
    .name = "gsl.VectorI32",
    .ndim = 1,
    .describe = dl_dlgsl_vector_i32_describe,
    .release = dl_dlgsl_vector_i32_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_vector_int *)0)->data),
    .allocator = &dl_dlgsl_vector_i32_allocator,
    .importer = &dl_dlgsl_vector_i32_importer,
    .describe_fast = dl_dlgsl_vector_i32_describe_fast,
    .import_fast = dl_dlgsl_vector_i32_import_fast,
};

DLB_DEFINE_OWN(dlgsl_vector_i32, gsl_vector_int *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_vector_i32_delete_one_shot, dl_dlgsl_vector_i32_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_vector_i32, gsl_vector_int *, dl_dlgsl_vector_i32_describe, 1, NULL,
                          dl_dlgsl_vector_i32_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_vector_i32, gsl_vector_int *)
DLB_DEFINE_VIEW(dlgsl_vector_i32, gsl_vector_int *)
DLB_DEFINE_FROM_DLPACK(dlgsl_vector_i32)

/* ---- VectorU16 ---- */

static int dl_dlgsl_vector_u16_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_vector_ushort *self = object;

    DLB_ASSERT_STRUCT(*self, "VectorU16.type: gsl_vector_ushort must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLUInt, 16, "VectorU16.data: self->data must be a pointer to uint16");
    DLB_ASSERT_INTEGER(self->size, "VectorU16.shape[0]: self->size must be an integer");
    DLB_ASSERT_INTEGER(self->stride, "VectorU16.strides[0]: self->stride must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 16);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_stride(view, 0, DLB_INTEGER(self->stride));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 16), 1, error);
}

static void dl_dlgsl_vector_u16_release(void *object)
{
    gsl_vector_ushort *self = object;

    gsl_vector_ushort_free(self); /* VectorU16.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_vector_u16_import(dlb_source *source, dlb_error *error)
{
    gsl_vector_ushort *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size, shape[0]);     /* VectorU16.import.set.size */
    DLB_SET(source, self->stride, strides[0]); /* VectorU16.import.set.stride */
    self->data = data;                         /* VectorU16.import.set.data */
    self->block = NULL;                        /* VectorU16.import.set.block */
    self->owner = 0;                           /* VectorU16.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_u16_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLUInt, 16, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_vector_u16_importer = {
    .make = dl_dlgsl_vector_u16_import,
    .require = &dl_dlgsl_vector_u16_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_vector_ushort),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_vector_u16_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* VectorU16.allocate.let.handler */

    gsl_vector_ushort *result = gsl_vector_ushort_calloc(shape[0]); /* VectorU16.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_vector_ushort_calloc(shape[0])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_u16_allocate_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .dtypes = (const DLDataType[]){{kDLUInt, 16, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_vector_u16_allocator = {
    .make = dl_dlgsl_vector_u16_allocate,
    .destroy = dl_dlgsl_vector_u16_release,
    .require = &dl_dlgsl_vector_u16_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_vector_u16_describe_fast, dl_dlgsl_vector_u16_describe, 1)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_vector_u16_import_fast, dl_dlgsl_vector_u16_importer,
                       dl_dlgsl_vector_u16_describe)

const dlb_type dlgsl_vector_u16_type = {
    .name = "gsl.VectorU16",
    .ndim = 1,
    .describe = dl_dlgsl_vector_u16_describe,
    .release = dl_dlgsl_vector_u16_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_vector_ushort *)0)->data),
    .allocator = &dl_dlgsl_vector_u16_allocator,
    .importer = &dl_dlgsl_vector_u16_importer,
    .describe_fast = dl_dlgsl_vector_u16_describe_fast,
    .import_fast = dl_dlgsl_vector_u16_import_fast,
};

DLB_DEFINE_OWN(dlgsl_vector_u16, gsl_vector_ushort *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_vector_u16_delete_one_shot, dl_dlgsl_vector_u16_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_vector_u16, gsl_vector_ushort *, dl_dlgsl_vector_u16_describe, 1,
                          NULL, dl_dlgsl_vector_u16_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_vector_u16, gsl_vector_ushort *)
DLB_DEFINE_VIEW(dlgsl_vector_u16, gsl_vector_ushort *)
DLB_DEFINE_FROM_DLPACK(dlgsl_vector_u16)

/* ---- VectorU8 ---- */

static int dl_dlgsl_vector_u8_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_vector_uchar *self = object;

    DLB_ASSERT_STRUCT(*self, "VectorU8.type: gsl_vector_uchar must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLUInt, 8, "VectorU8.data: self->data must be a pointer to uint8");
    DLB_ASSERT_INTEGER(self->size, "VectorU8.shape[0]: self->size must be an integer");
    DLB_ASSERT_INTEGER(self->stride, "VectorU8.strides[0]: self->stride must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_stride(view, 0, DLB_INTEGER(self->stride));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 1, error);
}

static void dl_dlgsl_vector_u8_release(void *object)
{
    gsl_vector_uchar *self = object;

    gsl_vector_uchar_free(self); /* VectorU8.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_vector_u8_import(dlb_source *source, dlb_error *error)
{
    gsl_vector_uchar *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size, shape[0]);     /* VectorU8.import.set.size */
    DLB_SET(source, self->stride, strides[0]); /* VectorU8.import.set.stride */
    self->data = data;                         /* VectorU8.import.set.data */
    self->block = NULL;                        /* VectorU8.import.set.block */
    self->owner = 0;                           /* VectorU8.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_u8_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_vector_u8_importer = {
    .make = dl_dlgsl_vector_u8_import,
    .require = &dl_dlgsl_vector_u8_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_vector_uchar),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_vector_u8_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* VectorU8.allocate.let.handler */

    gsl_vector_uchar *result = gsl_vector_uchar_calloc(shape[0]); /* VectorU8.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_vector_uchar_calloc(shape[0])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_u8_allocate_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_vector_u8_allocator = {
    .make = dl_dlgsl_vector_u8_allocate,
    .destroy = dl_dlgsl_vector_u8_release,
    .require = &dl_dlgsl_vector_u8_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_vector_u8_describe_fast, dl_dlgsl_vector_u8_describe, 1)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_vector_u8_import_fast, dl_dlgsl_vector_u8_importer,
                       dl_dlgsl_vector_u8_describe)

const dlb_type dlgsl_vector_u8_type = {
    .name = "gsl.VectorU8",
    .ndim = 1,
    .describe = dl_dlgsl_vector_u8_describe,
    .release = dl_dlgsl_vector_u8_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_vector_uchar *)0)->data),
    .allocator = &dl_dlgsl_vector_u8_allocator,
    .importer = &dl_dlgsl_vector_u8_importer,
    .describe_fast = dl_dlgsl_vector_u8_describe_fast,
    .import_fast = dl_dlgsl_vector_u8_import_fast,
};

DLB_DEFINE_OWN(dlgsl_vector_u8, gsl_vector_uchar *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_vector_u8_delete_one_shot, dl_dlgsl_vector_u8_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_vector_u8, gsl_vector_uchar *, dl_dlgsl_vector_u8_describe, 1, NULL,
                          dl_dlgsl_vector_u8_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_vector_u8, gsl_vector_uchar *)
DLB_DEFINE_VIEW(dlgsl_vector_u8, gsl_vector_uchar *)
DLB_DEFINE_FROM_DLPACK(dlgsl_vector_u8)

/* ---- VectorLong ---- */

static int dl_dlgsl_vector_long_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_vector_long *self = object;

    DLB_ASSERT_STRUCT(*self, "VectorLong.type: gsl_vector_long must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, DLB_CODE_OF(long), 8 * sizeof(long), "VectorLong.data: self->data must be a pointer to long");
    DLB_ASSERT_INTEGER(self->size, "VectorLong.shape[0]: self->size must be an integer");
    DLB_ASSERT_INTEGER(self->stride, "VectorLong.strides[0]: self->stride must be an integer");

    view->tensor->dtype = DLB_DTYPE_OF(long);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_stride(view, 0, DLB_INTEGER(self->stride));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE_OF(long), 1, error);
}

static void dl_dlgsl_vector_long_release(void *object)
{
    gsl_vector_long *self = object;

    gsl_vector_long_free(self); /* VectorLong.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_vector_long_import(dlb_source *source, dlb_error *error)
{
    gsl_vector_long *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size, shape[0]);     /* VectorLong.import.set.size */
    DLB_SET(source, self->stride, strides[0]); /* VectorLong.import.set.stride */
    self->data = data;                         /* VectorLong.import.set.data */
    self->block = NULL;                        /* VectorLong.import.set.block */
    self->owner = 0;                           /* VectorLong.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_long_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(long), 8 * sizeof(long), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_vector_long_importer = {
    .make = dl_dlgsl_vector_long_import,
    .require = &dl_dlgsl_vector_long_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_vector_long),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_vector_long_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* VectorLong.allocate.let.handler */

    gsl_vector_long *result = gsl_vector_long_calloc(shape[0]); /* VectorLong.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_vector_long_calloc(shape[0])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_long_allocate_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(long), 8 * sizeof(long), 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_vector_long_allocator = {
    .make = dl_dlgsl_vector_long_allocate,
    .destroy = dl_dlgsl_vector_long_release,
    .require = &dl_dlgsl_vector_long_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_vector_long_describe_fast, dl_dlgsl_vector_long_describe, 1)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_vector_long_import_fast, dl_dlgsl_vector_long_importer,
                       dl_dlgsl_vector_long_describe)

const dlb_type dlgsl_vector_long_type = {
    .name = "gsl.VectorLong",
    .ndim = 1,
    .describe = dl_dlgsl_vector_long_describe,
    .release = dl_dlgsl_vector_long_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_vector_long *)0)->data),
    .allocator = &dl_dlgsl_vector_long_allocator,
    .importer = &dl_dlgsl_vector_long_importer,
    .describe_fast = dl_dlgsl_vector_long_describe_fast,
    .import_fast = dl_dlgsl_vector_long_import_fast,
};

DLB_DEFINE_OWN(dlgsl_vector_long, gsl_vector_long *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_vector_long_delete_one_shot, dl_dlgsl_vector_long_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_vector_long, gsl_vector_long *, dl_dlgsl_vector_long_describe, 1,
                          NULL, dl_dlgsl_vector_long_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_vector_long, gsl_vector_long *)
DLB_DEFINE_VIEW(dlgsl_vector_long, gsl_vector_long *)
DLB_DEFINE_FROM_DLPACK(dlgsl_vector_long)

/* ---- VectorC128 ---- */

static int dl_dlgsl_vector_c128_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_vector_complex *self = object;

    DLB_ASSERT_STRUCT(*self, "VectorC128.type: gsl_vector_complex must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, kDLComplex, 128, "VectorC128.data: self->data must be a pointer to complex128");
    DLB_ASSERT_INTEGER(self->size, "VectorC128.shape[0]: self->size must be an integer");
    DLB_ASSERT_INTEGER(self->stride, "VectorC128.strides[0]: self->stride must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLComplex, 128);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_stride(view, 0, DLB_INTEGER(self->stride));
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLComplex, 128), 1, error);
}

static void dl_dlgsl_vector_c128_release(void *object)
{
    gsl_vector_complex *self = object;

    gsl_vector_complex_free(self); /* VectorC128.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_vector_c128_import(dlb_source *source, dlb_error *error)
{
    gsl_vector_complex *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size, shape[0]);     /* VectorC128.import.set.size */
    DLB_SET(source, self->stride, strides[0]); /* VectorC128.import.set.stride */
    self->data = data;                         /* VectorC128.import.set.data */
    self->block = NULL;                        /* VectorC128.import.set.block */
    self->owner = 0;                           /* VectorC128.import.set.owner */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_c128_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_vector_c128_importer = {
    .make = dl_dlgsl_vector_c128_import,
    .require = &dl_dlgsl_vector_c128_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_vector_complex),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlgsl_vector_c128_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    void *outcome = NULL;

    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* VectorC128.allocate.let.handler */

    gsl_vector_complex *result = gsl_vector_complex_calloc(shape[0]); /* VectorC128.allocate.construct (narrower types: let: [{int n: 'shape[0]'}]) */
    if (result == NULL) {
        (void)dlb_source_call_failed(source, error, "gsl_vector_complex_calloc(shape[0])", NULL);
        goto end_handler;
    }
    outcome = result;
end_handler:
    gsl_set_error_handler(handler);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_vector_c128_allocate_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlgsl_vector_c128_allocator = {
    .make = dl_dlgsl_vector_c128_allocate,
    .destroy = dl_dlgsl_vector_c128_release,
    .require = &dl_dlgsl_vector_c128_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlgsl_vector_c128_describe_fast, dl_dlgsl_vector_c128_describe, 1)

DLB_DEFINE_IMPORT_FAST(dl_dlgsl_vector_c128_import_fast, dl_dlgsl_vector_c128_importer,
                       dl_dlgsl_vector_c128_describe)

const dlb_type dlgsl_vector_c128_type = {
    .name = "gsl.VectorC128",
    .ndim = 1,
    .describe = dl_dlgsl_vector_c128_describe,
    .release = dl_dlgsl_vector_c128_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_vector_complex *)0)->data),
    .allocator = &dl_dlgsl_vector_c128_allocator,
    .importer = &dl_dlgsl_vector_c128_importer,
    .describe_fast = dl_dlgsl_vector_c128_describe_fast,
    .import_fast = dl_dlgsl_vector_c128_import_fast,
};

DLB_DEFINE_OWN(dlgsl_vector_c128, gsl_vector_complex *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlgsl_vector_c128_delete_one_shot, dl_dlgsl_vector_c128_release)
DLB_DEFINE_TO_DLPACK_FAST(dlgsl_vector_c128, gsl_vector_complex *, dl_dlgsl_vector_c128_describe, 1,
                          NULL, dl_dlgsl_vector_c128_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_vector_c128, gsl_vector_complex *)
DLB_DEFINE_VIEW(dlgsl_vector_c128, gsl_vector_complex *)
DLB_DEFINE_FROM_DLPACK(dlgsl_vector_c128)

/* ---- Permutation ---- */

static int dl_dlgsl_permutation_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_permutation *self = object;

    DLB_ASSERT_STRUCT(*self, "Permutation.type: gsl_permutation must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->data, DLB_CODE_OF(size_t), 8 * sizeof(size_t), "Permutation.data: self->data must be a pointer to size_t");
    DLB_ASSERT_INTEGER(self->size, "Permutation.shape[0]: self->size must be an integer");

    if (gsl_permutation_valid(self) != GSL_SUCCESS) { /* Permutation.require */
        return dlb_view_refuse(view, error, "not each index is there once");
    }

    view->tensor->dtype = DLB_DTYPE_OF(size_t);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size));
    dlb_compact(view, 1);
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_fixed(view, DLB_DTYPE_OF(size_t), 1, error);
}

static void dl_dlgsl_permutation_release(void *object)
{
    gsl_permutation *self = object;

    gsl_permutation_free(self); /* Permutation.release */
}

DLB_STRICT_BEGIN
static void *dl_dlgsl_permutation_import(dlb_source *source, dlb_error *error)
{
    gsl_permutation *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;

    DLB_SET(source, self->size, shape[0]); /* Permutation.import.set.size */
    self->data = data;                     /* Permutation.import.set.data */
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlgsl_permutation_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(size_t), 8 * sizeof(size_t), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlgsl_permutation_importer = {
    .make = dl_dlgsl_permutation_import,
    .require = &dl_dlgsl_permutation_import_requirements,
    .box = DLB_STORAGE_FOR(gsl_permutation),
};

const dlb_type dlgsl_permutation_type = {
    .name = "gsl.Permutation",
    .ndim = 1,
    .describe = dl_dlgsl_permutation_describe,
    .release = dl_dlgsl_permutation_release,
    .writable = DLB_POINTS_TO_WRITABLE(((gsl_permutation *)0)->data),
    .importer = &dl_dlgsl_permutation_importer,
};

DLB_DEFINE_OWN(dlgsl_permutation, gsl_permutation *)
DLB_DEFINE_TO_DLPACK(dlgsl_permutation, gsl_permutation *)
DLB_DEFINE_TO_DLPACK_LEGACY(dlgsl_permutation, gsl_permutation *)
DLB_DEFINE_VIEW(dlgsl_permutation, gsl_permutation *)
DLB_DEFINE_FROM_DLPACK(dlgsl_permutation)
