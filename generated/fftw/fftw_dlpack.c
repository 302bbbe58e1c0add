/* SPDX-License-Identifier: MIT-0
 * Generated from fftw.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_describe.h"

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

static const dlb_maker dl_dlfftw_in_place_importer = {
    .make = dl_dlfftw_in_place_import,
    .destroy = dl_dlfftw_in_place_release,
    .box = DLB_ROOM_FOR(fftw_plan),
    .min_ndim = 1,
    .max_ndim = 8,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
    .params = dl_dlfftw_in_place_import_table,
    .param_count = 2,
    .params_size = sizeof(struct dlfftw_in_place_import_params),
    .defaults = dl_dlfftw_in_place_import_defaults,
};

const dlb_type dlfftw_in_place_type = {
    .name = "fftw.InPlace",
    .state = DLB_ROOM_FOR(struct dlfftw_in_place_state),
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

/* ---- Plan ---- */

static void dl_dlfftw_plan_release(void *object)
{
    struct dlfftw_plan_state *state = object;

    fftw_destroy_plan(state->self); /* Plan.release */
}

const dlb_type dlfftw_plan_type = {
    .name = "fftw.Plan",
    .state = DLB_ROOM_FOR(struct dlfftw_plan_state),
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
    .state = DLB_ROOM_FOR(struct dlfftw_real_plan_state),
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
    .state = DLB_ROOM_FOR(struct dlfftw_inverse_plan_state),
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
