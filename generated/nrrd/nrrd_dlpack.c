/* SPDX-License-Identifier: MIT-0
 * Generated from nrrd.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "nrrd_dlpack.h"

/* ---- Nrrd ---- */

static int dl_dlnrrd_nrrd_describe(void *object, dlb_view *view, dlb_error *error)
{
    Nrrd *self = object;

    DLB_ASSERT_STRUCT(*self, "Nrrd.type: Nrrd must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_ANY_DATA(self->data, 0, 0, "Nrrd.data: self->data must be a pointer to elements of 10 dtypes (cast it to void * if it is one)");
    DLB_ASSERT_INTEGER(self->dim, "Nrrd.shape.ndim: self->dim must be an integer");
    DLB_ASSERT_INTEGER(self->axis[0].size, "Nrrd.shape.each: self->axis[axis].size must be an integer");
    DLB_ASSERT_KEY(self->type, nrrdTypeChar, "Nrrd.dtype.of: self->type must be comparable with nrrdTypeChar");

    if (self->type == nrrdTypeChar) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 8);
    } else if (self->type == nrrdTypeUChar) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    } else if (self->type == nrrdTypeShort) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 16);
    } else if (self->type == nrrdTypeUShort) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 16);
    } else if (self->type == nrrdTypeInt) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 32);
    } else if (self->type == nrrdTypeUInt) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 32);
    } else if (self->type == nrrdTypeLLong) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 64);
    } else if (self->type == nrrdTypeULLong) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 64);
    } else if (self->type == nrrdTypeFloat) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
    } else if (self->type == nrrdTypeDouble) { /* Nrrd.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLFloat, 64);
    } else {
        return dlb_view_unmapped(view, error, "dtype", DLB_VALUE(self->type));
    }
    view->tensor->device = DLB_CPU;
    DLB_RANK_WITHIN(view, DLB_INTEGER(self->dim), self->axis);
    for (int axis = 0; axis < view->tensor->ndim; axis++) {
        dlb_extent(view, axis, DLB_INTEGER(self->axis[axis].size));
    }
    dlb_reverse(view->tensor->shape, view->tensor->ndim);
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA_MEMBER(view, self->data);
    return dlb_view_finish_strided(view, error);
}

static void dl_dlnrrd_nrrd_release(void *object)
{
    Nrrd *self = object;

    nrrdNuke(self); /* Nrrd.release */
}

static void dl_dlnrrd_nrrd_destroy(void *object)
{
    Nrrd *self = object;

    nrrdNix(self); /* Nrrd.import.destroy */
}

DLB_STRICT_BEGIN
static void *dl_dlnrrd_nrrd_import(dlb_source *source, dlb_error *error)
{
    void *data = source->data;
    const int ndim = source->ndim;
    const int64_t *shape = source->shape;
    /* The keys of the spec, read backwards. */
    DLB_TYPE_OF_KEYS(((Nrrd *)0)->type, DLB_KEY(nrrdTypeChar) | DLB_KEY(nrrdTypeUChar) |
                                            DLB_KEY(nrrdTypeShort) | DLB_KEY(nrrdTypeUShort) |
                                            DLB_KEY(nrrdTypeInt) | DLB_KEY(nrrdTypeUInt) |
                                            DLB_KEY(nrrdTypeLLong) | DLB_KEY(nrrdTypeULLong) |
                                            DLB_KEY(nrrdTypeFloat) | DLB_KEY(nrrdTypeDouble))
    code;
    void *outcome = NULL;

    if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 8))) {
        code = nrrdTypeChar;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8))) {
        code = nrrdTypeUChar;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 16))) {
        code = nrrdTypeShort;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 16))) {
        code = nrrdTypeUShort;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 32))) {
        code = nrrdTypeInt;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 32))) {
        code = nrrdTypeUInt;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 64))) {
        code = nrrdTypeLLong;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 64))) {
        code = nrrdTypeULLong;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 32))) {
        code = nrrdTypeFloat;
    } else {
        code = nrrdTypeDouble;
    }

    size_t size[16] = {0};
    for (int axis = 0; axis < ndim; axis++) {
        DLB_SET(source, size[axis], shape[axis]); /* Nrrd.import.let.size */
    }
    if (dlb_source_failed(source, error)) {
        return NULL;
    }
    unsigned rank;
    DLB_SET(source, rank, ndim); /* Nrrd.import.let.rank */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }
    char *log = NULL;       /* Nrrd.import.let.log */
    Nrrd *made = nrrdNew(); /* Nrrd.import.let.made */
    if (made == NULL) {
        (void)dlb_source_call_failed(source, error, "nrrdNew()", NULL);
        goto end_log;
    }

    Nrrd *result = nrrdWrap_nva(made, data, code, rank, size) == 0 ? made : NULL; /* Nrrd.import.construct */
    if (result == NULL) {
        /* Nrrd.import.error */
        (void)dlb_source_call_failed(
            source, error, "nrrdWrap_nva(made, data, code, rank, size) == 0 ? made : NULL",
            (log = biffGetDone(NRRD)));
        goto end_made;
    }
    outcome = result;
end_made:
    if (outcome == NULL) {
        nrrdNix(made);
    }
end_log:
    free(log);
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlnrrd_nrrd_import_requirements = {
    .min_ndim = 1,
    .max_ndim = 16,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .order = DLB_ORDER_REVERSED,
    .dtypes = (const DLDataType[]){{kDLInt, 8, 1},
                                   {kDLUInt, 8, 1},
                                   {kDLInt, 16, 1},
                                   {kDLUInt, 16, 1},
                                   {kDLInt, 32, 1},
                                   {kDLUInt, 32, 1},
                                   {kDLInt, 64, 1},
                                   {kDLUInt, 64, 1},
                                   {kDLFloat, 32, 1},
                                   {kDLFloat, 64, 1}},
    .dtype_count = 10,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlnrrd_nrrd_importer = {
    .make = dl_dlnrrd_nrrd_import,
    .destroy = dl_dlnrrd_nrrd_destroy,
    .require = &dl_dlnrrd_nrrd_import_requirements,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlnrrd_nrrd_describe_fast, dl_dlnrrd_nrrd_describe, -1)

const dlb_type dlnrrd_nrrd_type = {
    .name = "nrrd.Nrrd",
    .ndim = -1,
    .describe = dl_dlnrrd_nrrd_describe,
    .release = dl_dlnrrd_nrrd_release,
    .writable = DLB_POINTS_TO_WRITABLE(((Nrrd *)0)->data),
    .importer = &dl_dlnrrd_nrrd_importer,
    .describe_fast = dl_dlnrrd_nrrd_describe_fast,
};

DLB_DEFINE_OWN(dlnrrd_nrrd, Nrrd *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_dlnrrd_nrrd_delete_one_shot, dl_dlnrrd_nrrd_release)
DLB_DEFINE_TO_DLPACK_FAST(dlnrrd_nrrd, Nrrd *, dl_dlnrrd_nrrd_describe, -1, NULL,
                          dl_dlnrrd_nrrd_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlnrrd_nrrd, Nrrd *)
DLB_DEFINE_VIEW(dlnrrd_nrrd, Nrrd *)
DLB_DEFINE_FROM_DLPACK(dlnrrd_nrrd)
