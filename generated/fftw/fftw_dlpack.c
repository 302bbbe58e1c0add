/* SPDX-License-Identifier: MIT-0
 * Generated from fftw.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "fftw_dlpack.h"

/* ---- InPlace ---- */

static void dl_dlfftw_in_place_release(void *object)
{
    struct dlfftw_in_place_state *state = object;

    fftw_destroy_plan(state->self); /* InPlace.release */
}

struct dlfftw_in_place_import_params {
    int sign;
    unsigned flags;
};

static const dlb_param dl_dlfftw_in_place_import_table[] = {
    DLB_PARAM(struct dlfftw_in_place_import_params, sign, 0),
    DLB_PARAM(struct dlfftw_in_place_import_params, flags, 0),
};

DLB_STRICT_BEGIN
static void dl_dlfftw_in_place_import_defaults(void *object)
{
    struct dlfftw_in_place_import_params *params = object;

    params->sign = FFTW_FORWARD;   /* InPlace.import.params.sign */
    params->flags = FFTW_ESTIMATE; /* InPlace.import.params.flags */
}
DLB_STRICT_END

DLB_STRICT_BEGIN
static void *dl_dlfftw_in_place_import(dlb_source *source, dlb_error *error)
{
    const struct dlfftw_in_place_import_params *params = source->params;
    void *data = source->data;
    const int ndim = source->ndim;
    const int64_t *shape = source->shape;
    const int sign = params->sign;
    const unsigned flags = params->flags;

    int n[8] = {0};
    for (int axis = 0; axis < ndim; axis++) {
        DLB_SET(source, n[axis], shape[axis]); /* InPlace.import.let.n */
    }
    if (dlb_source_failed(source, error)) {
        return NULL;
    }
    int rank;
    DLB_SET(source, rank, ndim); /* InPlace.import.let.rank */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }

    fftw_plan self = fftw_plan_dft(rank, n, data, data, sign, flags); /* InPlace.import.construct */
    if (self == NULL) {
        return dlb_source_call_failed(source, error,
                                      "fftw_plan_dft(rank, n, data, data, sign, flags)", NULL);
    }
    *(fftw_plan *)source->box = self;
    return source->box;
}
DLB_STRICT_END

static const dlb_requirements dl_dlfftw_in_place_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 8,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlfftw_in_place_importer = {
    .make = dl_dlfftw_in_place_import,
    .destroy = dl_dlfftw_in_place_release,
    .require = &dl_dlfftw_in_place_import_requirements,
    .box = DLB_STORAGE_FOR(fftw_plan),
    .params = dl_dlfftw_in_place_import_table,
    .param_count = 2,
    .params_size = sizeof(struct dlfftw_in_place_import_params),
    .defaults = dl_dlfftw_in_place_import_defaults,
};

const dlb_type dlfftw_in_place_type = {
    .name = "fftw.InPlace",
    .state = DLB_STORAGE_FOR(struct dlfftw_in_place_state),
    .value = sizeof(fftw_plan),
    .points = DLB_IS_POINTER_TYPE(fftw_plan),
    .shares = "fftw_plan",
    .release = dl_dlfftw_in_place_release,
    .release_on = DLB_RELEASE_GIL,
    .writable = 1,
    .importer = &dl_dlfftw_in_place_importer,
};

int dlfftw_in_place_own(fftw_plan self, dlb_owner **out, dlb_error *error)
{
    struct dlfftw_in_place_state state = {.self = self};

    return dlb_own(&dlfftw_in_place_type, &state, out, error);
}

int dlfftw_in_place_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                dlb_error *error, int sign, unsigned flags)
{
    const struct dlfftw_in_place_import_params params = {.sign = sign, .flags = flags};

    return dlb_import_with(&dlfftw_in_place_type, managed, &params, out, error);
}

int dlfftw_in_place_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out, dlb_error *error,
                                       int sign, unsigned flags)
{
    const struct dlfftw_in_place_import_params params = {.sign = sign, .flags = flags};

    return dlb_import_legacy_with(&dlfftw_in_place_type, managed, &params, out, error);
}

/* ---- Transform ---- */

static void dl_dlfftw_transform_release(void *object)
{
    struct dlfftw_transform_state *state = object;

    fftw_destroy_plan(state->self); /* Transform.release */
}

const dlb_type dlfftw_transform_type = {
    .name = "fftw.Transform",
    .state = DLB_STORAGE_FOR(struct dlfftw_transform_state),
    .value = sizeof(fftw_plan),
    .points = DLB_IS_POINTER_TYPE(fftw_plan),
    .shares = "fftw_plan",
    .release = dl_dlfftw_transform_release,
    .release_on = DLB_RELEASE_GIL,
    .writable = 1,
};

int dlfftw_transform_own(fftw_plan self, dlb_owner **out, dlb_error *error)
{
    struct dlfftw_transform_state state = {.self = self};

    return dlb_own(&dlfftw_transform_type, &state, out, error);
}

/* ---- Plan ---- */

static void dl_dlfftw_plan_release(void *object)
{
    struct dlfftw_plan_state *state = object;

    fftw_destroy_plan(state->self); /* Plan.release */
}

const dlb_type dlfftw_plan_type = {
    .name = "fftw.Plan",
    .state = DLB_STORAGE_FOR(struct dlfftw_plan_state),
    .value = sizeof(fftw_plan),
    .points = DLB_IS_POINTER_TYPE(fftw_plan),
    .shares = "fftw_plan",
    .release = dl_dlfftw_plan_release,
    .release_on = DLB_RELEASE_GIL,
    .writable = 1,
};

int dlfftw_plan_own(fftw_plan self, dlb_owner **out, dlb_error *error)
{
    struct dlfftw_plan_state state = {.self = self};

    return dlb_own(&dlfftw_plan_type, &state, out, error);
}

/* ---- RealPlan ---- */

static void dl_dlfftw_real_plan_release(void *object)
{
    struct dlfftw_real_plan_state *state = object;

    fftw_destroy_plan(state->self); /* RealPlan.release */
}

const dlb_type dlfftw_real_plan_type = {
    .name = "fftw.RealPlan",
    .state = DLB_STORAGE_FOR(struct dlfftw_real_plan_state),
    .value = sizeof(fftw_plan),
    .points = DLB_IS_POINTER_TYPE(fftw_plan),
    .shares = "fftw_plan",
    .release = dl_dlfftw_real_plan_release,
    .release_on = DLB_RELEASE_GIL,
    .writable = 1,
};

int dlfftw_real_plan_own(fftw_plan self, dlb_owner **out, dlb_error *error)
{
    struct dlfftw_real_plan_state state = {.self = self};

    return dlb_own(&dlfftw_real_plan_type, &state, out, error);
}

/* ---- InversePlan ---- */

static void dl_dlfftw_inverse_plan_release(void *object)
{
    struct dlfftw_inverse_plan_state *state = object;

    fftw_destroy_plan(state->self); /* InversePlan.release */
}

const dlb_type dlfftw_inverse_plan_type = {
    .name = "fftw.InversePlan",
    .state = DLB_STORAGE_FOR(struct dlfftw_inverse_plan_state),
    .value = sizeof(fftw_plan),
    .points = DLB_IS_POINTER_TYPE(fftw_plan),
    .shares = "fftw_plan",
    .release = dl_dlfftw_inverse_plan_release,
    .release_on = DLB_RELEASE_GIL,
    .writable = 1,
};

int dlfftw_inverse_plan_own(fftw_plan self, dlb_owner **out, dlb_error *error)
{
    struct dlfftw_inverse_plan_state state = {.self = self};

    return dlb_own(&dlfftw_inverse_plan_type, &state, out, error);
}

/* ---- Array ---- */

static int dl_dlfftw_array_describe(void *object, dlb_view *view, dlb_error *error)
{
    dlb_array *self = object;

    DLB_ASSERT_STRUCT(*self, "Array.type: dlb_array must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_POINTER(self->data, "Array.data: self->data must be a pointer");
    DLB_ASSERT_INTEGER(self->dtype.code, "Array.dtype.code: self->dtype.code must be an integer");
    DLB_ASSERT_INTEGER(self->dtype.bits, "Array.dtype.bits: self->dtype.bits must be an integer");
    DLB_ASSERT_INTEGER(self->dtype.lanes, "Array.dtype.lanes: self->dtype.lanes must be an integer");
    DLB_ASSERT_INTEGER(self->ndim, "Array.shape.ndim: self->ndim must be an integer");
    DLB_ASSERT_INTEGER(self->shape[0], "Array.shape.each: self->shape[axis] must be an integer");
    DLB_ASSERT_INTEGER(self->strides == NULL, "Array.strides.compact_when: self->strides == NULL must be a condition: a comparison or an integer");
    DLB_ASSERT_INTEGER(self->strides[0], "Array.strides.each: self->strides[axis] must be an integer");

    dlb_dtype(view, DLB_INTEGER(self->dtype.code), DLB_INTEGER(self->dtype.bits),
              DLB_INTEGER(self->dtype.lanes));
    view->tensor->device = DLB_CPU;
    DLB_RANK_WITHIN(view, DLB_INTEGER(self->ndim), self->shape);
    for (int axis = 0; axis < view->tensor->ndim; axis++) {
        dlb_extent(view, axis, DLB_INTEGER(self->shape[axis]));
    }
    if (self->strides == NULL) {
        dlb_compact(view, view->tensor->ndim);
    } else {
        DLB_RANK_WITHIN(view, DLB_INTEGER(self->ndim), self->strides);
        for (int axis = 0; axis < view->tensor->ndim; axis++) {
            dlb_stride(view, axis, DLB_INTEGER(self->strides[axis]));
        }
    }
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_strided(view, error);
}

static void dl_dlfftw_array_release(void *object)
{
    dlb_array *self = object;

    dlb_array_free(self); /* Array.release */
}

struct dl_dlfftw_array_import_box {
    dlb_array_box object;
};

DLB_STRICT_BEGIN
static void *dl_dlfftw_array_import(dlb_source *source, dlb_error *error)
{
    struct dl_dlfftw_array_import_box *box = source->box;
    DLB_ASSERT_STORAGE(dlb_array_box, dlb_array, "Array.import.box: dlb_array_box must be as large as dlb_array");
    dlb_array *self = (dlb_array *)(void *)&box->object;
    void *data = source->data;
    const int ndim = source->ndim;
    const int64_t *shape = source->shape;
    const int64_t *strides = source->strides;
    const DLDataType dtype = source->dtype;

    self->data = data;                   /* Array.import.set.data */
    DLB_SET(source, self->dtype, dtype); /* Array.import.set.dtype */
    DLB_SET(source, self->ndim, ndim);   /* Array.import.set.ndim */
    DLB_SET(source, self->shape, ((dlb_array_box *)self)->shape); /* Array.import.set.shape */
    DLB_SET(source, self->strides, ((dlb_array_box *)self)->strides); /* Array.import.set.strides */
    for (int axis = 0; axis < ndim; axis++) {
        DLB_SET(source, self->shape[axis], shape[axis]); /* Array.import.set.shape[axis] */
        DLB_SET(source, self->strides[axis], strides[axis]); /* Array.import.set.strides[axis] */
    }
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlfftw_array_import_requirements = {
    .max_ndim =
        DLB_LEAST(DLB_LENGTH(((dlb_array *)0)->shape), DLB_LENGTH(((dlb_array *)0)->strides)),
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlfftw_array_importer = {
    .make = dl_dlfftw_array_import,
    .require = &dl_dlfftw_array_import_requirements,
    .box = DLB_STORAGE_FOR(struct dl_dlfftw_array_import_box),
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlfftw_array_allocate(dlb_source *source, dlb_error *error)
{
    const int ndim = source->ndim;
    const int64_t *shape = source->shape;
    const DLDataType dtype = source->dtype;

    dlb_array *result = dlb_array_new(ndim, shape, dtype); /* Array.allocate.construct */
    if (result == NULL) {
        return dlb_source_call_failed(source, error, "dlb_array_new(ndim, shape, dtype)", "no memory"); /* Array.allocate.error */
    }
    return result;
}
DLB_STRICT_END

static const dlb_requirements dl_dlfftw_array_allocate_requirements = {
    .max_ndim = DLB_MAX_NDIM,
};

static const dlb_factory dl_dlfftw_array_allocator = {
    .make = dl_dlfftw_array_allocate,
    .destroy = dl_dlfftw_array_release,
    .require = &dl_dlfftw_array_allocate_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlfftw_array_describe_fast, dl_dlfftw_array_describe, -1)

DLB_DEFINE_IMPORT_FAST(dl_dlfftw_array_import_fast, dl_dlfftw_array_importer,
                       dl_dlfftw_array_describe)

const dlb_type dlfftw_array_type = {
    .name = "fftw.Array",
    .ndim = -1,
    .describe = dl_dlfftw_array_describe,
    .release = dl_dlfftw_array_release,
    .writable = DLB_POINTS_TO_WRITABLE(((dlb_array *)0)->data),
    .allocator = &dl_dlfftw_array_allocator,
    .importer = &dl_dlfftw_array_importer,
    .describe_fast = dl_dlfftw_array_describe_fast,
    .import_fast = dl_dlfftw_array_import_fast,
};

DLB_DEFINE_OWN(dlfftw_array, dlb_array *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlfftw_array_delete_one_shot, dl_dlfftw_array_release)
DLB_DEFINE_TO_DLPACK_FAST(dlfftw_array, dlb_array *, dl_dlfftw_array_describe, -1, NULL,
                          dl_dlfftw_array_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlfftw_array, dlb_array *)
DLB_DEFINE_VIEW(dlfftw_array, dlb_array *)
DLB_DEFINE_FROM_DLPACK(dlfftw_array)
