/* SPDX-License-Identifier: MIT-0
 * Generated from cfi.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "cfi_dlpack.h"

/* ---- Array ---- */

static int dl_dlcfi_array_describe(void *object, dlb_view *view, dlb_error *error)
{
    CFI_cdesc_t *self = object;

    DLB_ASSERT_STRUCT(*self, "Array.type: CFI_cdesc_t must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_ANY_DATA(self->base_addr, 0, 0, "Array.data: self->base_addr must be a pointer to elements of 9 dtypes (cast it to void * if it is one)");
    DLB_ASSERT_INTEGER(self->rank, "Array.shape.ndim: self->rank must be an integer");
    DLB_ASSERT_INTEGER(self->dim[0].extent, "Array.shape.each: self->dim[axis].extent must be an integer");
    DLB_ASSERT_INTEGER(self->dim[0].sm, "Array.strides.each: self->dim[axis].sm must be an integer");
    DLB_ASSERT_KEY(self->type, CFI_type_int8_t, "Array.dtype.of: self->type must be comparable with CFI_type_int8_t");

    if (self->base_addr == NULL) { /* Array.require */
        return dlb_view_refuse(view, error, "the array is not allocated");
    }
    if (!(self->rank == 0 || self->dim[self->rank - 1].extent >= 0)) { /* Array.require */
        return dlb_view_refuse(view, error, "an assumed-size array has no last extent");
    }

    if (self->type == CFI_type_int8_t) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 8);
    } else if (self->type == CFI_type_int16_t) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 16);
    } else if (self->type == CFI_type_int32_t) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 32);
    } else if (self->type == CFI_type_int64_t) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLInt, 64);
    } else if (self->type == CFI_type_float) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
    } else if (self->type == CFI_type_double) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLFloat, 64);
    } else if (self->type == CFI_type_float_Complex) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLComplex, 64);
    } else if (self->type == CFI_type_double_Complex) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLComplex, 128);
    } else if (self->type == CFI_type_Bool) { /* Array.dtype */
        view->tensor->dtype = DLB_DTYPE(kDLBool, 8);
    } else {
        return dlb_view_unmapped(view, error, "dtype", DLB_VALUE(self->type));
    }
    view->tensor->device = DLB_CPU;
    DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->dim);
    for (int axis = 0; axis < view->tensor->ndim; axis++) {
        dlb_extent(view, axis, DLB_INTEGER(self->dim[axis].extent));
        dlb_byte_stride(view, view->tensor->dtype, axis, DLB_INTEGER(self->dim[axis].sm));
    }
    DLB_DATA_MEMBER(view, self->base_addr);
    return dlb_view_finish_strided(view, error);
}

struct dl_dlcfi_array_import_box {
    CFI_CDESC_T(CFI_MAX_RANK) object;
};

DLB_STRICT_BEGIN
static void *dl_dlcfi_array_import(dlb_source *source, dlb_error *error)
{
    struct dl_dlcfi_array_import_box *box = source->box;
    DLB_ASSERT_STORAGE(CFI_CDESC_T(CFI_MAX_RANK), CFI_cdesc_t, "Array.import.box: CFI_CDESC_T(CFI_MAX_RANK) must be as large as CFI_cdesc_t");
    CFI_cdesc_t *self = (CFI_cdesc_t *)(void *)&box->object;
    void *data = source->data;
    const int ndim = source->ndim;
    const int64_t *shape = source->shape;
    const int64_t *byte_strides = dlb_byte_strides(source);
    const int64_t itemsize = dlb_itemsize(source->dtype);
    /* The keys of the spec, read backwards. */
    DLB_TYPE_OF(((CFI_cdesc_t *)0)->type) code;

    if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 8))) {
        code = CFI_type_int8_t;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 16))) {
        code = CFI_type_int16_t;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 32))) {
        code = CFI_type_int32_t;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLInt, 64))) {
        code = CFI_type_int64_t;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 32))) {
        code = CFI_type_float;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 64))) {
        code = CFI_type_double;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLComplex, 64))) {
        code = CFI_type_float_Complex;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLComplex, 128))) {
        code = CFI_type_double_Complex;
    } else {
        code = CFI_type_Bool;
    }

    DLB_ASSERT_LENGTH(self->dim, 15, "Array.import.set: dim must be at least 15 elements long");
    self->base_addr = data;                                /* Array.import.set.base_addr */
    DLB_SET(source, self->elem_len, itemsize);             /* Array.import.set.elem_len */
    DLB_SET(source, self->version, CFI_VERSION);           /* Array.import.set.version */
    DLB_SET(source, self->rank, ndim);                     /* Array.import.set.rank */
    DLB_SET(source, self->attribute, CFI_attribute_other); /* Array.import.set.attribute */
    DLB_SET(source, self->type, code);                     /* Array.import.set.type */
    for (int axis = 0; axis < ndim; axis++) {
        DLB_SET(source, self->dim[axis].extent, shape[axis]); /* Array.import.set.dim[axis].extent */
        DLB_SET(source, self->dim[axis].sm, byte_strides[axis]); /* Array.import.set.dim[axis].sm */
    }
    return dlb_source_failed(source, error) ? NULL : self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlcfi_array_import_requirements = {
    .max_ndim = 15,
    .layout = DLB_WRITABLE,
    .order = DLB_ORDER_F,
    .dtypes = (const DLDataType[]){{kDLInt, 8, 1},
                                   {kDLInt, 16, 1},
                                   {kDLInt, 32, 1},
                                   {kDLInt, 64, 1},
                                   {kDLFloat, 32, 1},
                                   {kDLFloat, 64, 1},
                                   {kDLComplex, 64, 1},
                                   {kDLComplex, 128, 1},
                                   {kDLBool, 8, 1}},
    .dtype_count = 9,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlcfi_array_importer = {
    .make = dl_dlcfi_array_import,
    .require = &dl_dlcfi_array_import_requirements,
    .box = DLB_STORAGE_FOR(struct dl_dlcfi_array_import_box),
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlcfi_array_describe_fast, dl_dlcfi_array_describe, -1)

DLB_DEFINE_IMPORT_FAST(dl_dlcfi_array_import_fast, dl_dlcfi_array_importer, dl_dlcfi_array_describe)

const dlb_type dlcfi_array_type = {
    .name = "cfi.Array",
    .ndim = -1,
    .describe = dl_dlcfi_array_describe,
    .writable = DLB_POINTS_TO_WRITABLE(((CFI_cdesc_t *)0)->base_addr),
    .importer = &dl_dlcfi_array_importer,
    .describe_fast = dl_dlcfi_array_describe_fast,
    .import_fast = dl_dlcfi_array_import_fast,
};

DLB_DEFINE_OWN(dlcfi_array, CFI_cdesc_t *)
DLB_DEFINE_TO_DLPACK_FAST(dlcfi_array, CFI_cdesc_t *, dl_dlcfi_array_describe, -1, NULL,
                          dlb_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(dlcfi_array, CFI_cdesc_t *)
DLB_DEFINE_VIEW(dlcfi_array, CFI_cdesc_t *)
DLB_DEFINE_FROM_DLPACK(dlcfi_array)
