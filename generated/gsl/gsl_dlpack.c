/* SPDX-License-Identifier: MIT-0
 * Generated from gsl.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "gsl_dlpack.h"

#include "dlb_describe.h"

/* ---- Matrix ---- */

static int dlgsl_matrix_describe(void *object, dlb_view *view, dlb_error *error)
{
    gsl_matrix *self = object;

    DLB_ASSERT_POINTER(self->data, "Matrix.data: self->data must be a pointer");
    DLB_ASSERT_INTEGER(self->size1, "Matrix.shape[0]: self->size1 must be an integer");
    DLB_ASSERT_INTEGER(self->size2, "Matrix.shape[1]: self->size2 must be an integer");
    DLB_ASSERT_INTEGER(self->tda, "Matrix.strides.outer: self->tda must be an integer");

    view->tensor.dtype = DLB_DTYPE(kDLFloat, 64);
    view->tensor.device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->size1));
    dlb_extent(view, 1, DLB_INTEGER(self->size2));
    dlb_compact(view);
    dlb_stride(view, 0, DLB_INTEGER(self->tda));
    DLB_DATA(view, self->data);
    return dlb_view_finish(view, error);
}

static void dlgsl_matrix_release(void *object)
{
    gsl_matrix *self = object;

    gsl_matrix_free(self);
}

DLB_STRICT_BEGIN
static void *dlgsl_matrix_import(dlb_source *source, dlb_error *error)
{
    gsl_matrix *self = source->box;
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;

    DLB_SET(source, self->size1, shape[0]);
    DLB_SET(source, self->size2, shape[1]);
    DLB_SET(source, self->tda, strides[0]);
    DLB_SET(source, self->data, data);
    DLB_SET(source, self->block, NULL);
    DLB_SET(source, self->owner, 0);
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_maker dlgsl_matrix_importer = {
    .make = dlgsl_matrix_import,
    .box = sizeof(gsl_matrix),
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dlgsl_matrix_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;

    if (!(shape[0] > 0 && shape[1] > 0)) {
        return dlb_source_refuse(source, error, "GSL has no empty matrices");
    }

    gsl_matrix *result = gsl_matrix_calloc(shape[0], shape[1]);
    if (result == NULL) {
        return dlb_source_call_failed(source, error, "gsl_matrix_calloc(shape[0], shape[1])", NULL);
    }
    return result;
}
DLB_STRICT_END

static const dlb_maker dlgsl_matrix_allocator = {
    .make = dlgsl_matrix_allocate,
    .destroy = dlgsl_matrix_release,
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
};

const dlb_type dlgsl_matrix_type = {
    .name = "gsl.Matrix",
    .ndim = 2,
    .describe = dlgsl_matrix_describe,
    .release = dlgsl_matrix_release,
    .importer = &dlgsl_matrix_importer,
    .allocator = &dlgsl_matrix_allocator,
};

int dlgsl_matrix_own(gsl_matrix *self, dlb_owner **out, dlb_error *error)
{
    return dlb_own(&dlgsl_matrix_type, self, out, error);
}

int dlgsl_matrix_to_dlpack(gsl_matrix *self, DLManagedTensorVersioned **out, dlb_error *error)
{
    return dlb_to_dlpack(&dlgsl_matrix_type, self, out, error);
}

int dlgsl_matrix_view(gsl_matrix *self, dlb_view *out, dlb_error *error)
{
    return dlb_describe(&dlgsl_matrix_type, self, out, error);
}

int dlgsl_matrix_from_dlpack(DLManagedTensorVersioned *tensor, dlb_owner **out, dlb_error *error)
{
    return dlb_import(&dlgsl_matrix_type, tensor, out, error);
}
