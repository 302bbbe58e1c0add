/* SPDX-License-Identifier: MIT-0
 * Generated from imaging.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "imaging_dlpack.h"

/* ---- Image ---- */

static int dl_imaging_image_describe(void *object, dlb_view *view, dlb_error *error)
{
    image_t *self = object;

    DLB_ASSERT_STRUCT(*self, "Image.type: image_t must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_DATA(self->pixels, kDLUInt, 8, "Image.data: self->pixels must be a pointer to uint8");
    DLB_ASSERT_INTEGER(self->height, "Image.shape[0]: self->height must be an integer");
    DLB_ASSERT_INTEGER(self->width, "Image.shape[1]: self->width must be an integer");
    DLB_ASSERT_INTEGER(self->channels, "Image.shape[2]: self->channels must be an integer");
    DLB_ASSERT_INTEGER(self->pitch, "Image.strides.outer: self->pitch must be an integer");

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->height));
    dlb_extent(view, 1, DLB_INTEGER(self->width));
    dlb_extent(view, 2, DLB_INTEGER(self->channels));
    dlb_compact(view, 3);
    dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 0, DLB_INTEGER(self->pitch));
    DLB_DATA_MEMBER(view, self->pixels);
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 3, error);
}

static void dl_imaging_image_retain(void *object)
{
    image_t *self = object;

    image_ref(self); /* Image.retain */
}

static void dl_imaging_image_release(void *object)
{
    image_t *self = object;

    image_unref(self); /* Image.release */
}

DLB_STRICT_BEGIN
static void *dl_imaging_image_import(dlb_source *source, dlb_error *error)
{
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *byte_strides = dlb_byte_strides(source);

    int height;
    DLB_SET(source, height, shape[0]); /* Image.import.let.height */
    int width;
    DLB_SET(source, width, shape[1]); /* Image.import.let.width */
    int channels;
    DLB_SET(source, channels, shape[2]); /* Image.import.let.channels */
    ptrdiff_t pitch;
    DLB_SET(source, pitch, byte_strides[0]); /* Image.import.let.pitch */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }

    image_t *result = image_wrap(data, width, height, channels, pitch); /* Image.import.construct */
    if (result == NULL) {
        return dlb_source_call_failed(source, error,
                                      "image_wrap(data, width, height, channels, pitch)", NULL);
    }
    return result;
}
DLB_STRICT_END

static const dlb_requirements dl_imaging_image_import_requirements = {
    .min_ndim = 3,
    .max_ndim = 3,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_imaging_image_importer = {
    .make = dl_imaging_image_import,
    .destroy = dl_imaging_image_release,
    .require = &dl_imaging_image_import_requirements,
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_imaging_image_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;

    int height;
    DLB_SET(source, height, shape[0]); /* Image.allocate.let.height */
    int width;
    DLB_SET(source, width, shape[1]); /* Image.allocate.let.width */
    int channels;
    DLB_SET(source, channels, shape[2]); /* Image.allocate.let.channels */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }

    image_t *result = image_create(width, height, channels); /* Image.allocate.construct */
    if (result == NULL) {
        return dlb_source_call_failed(source, error, "image_create(width, height, channels)", NULL);
    }
    return result;
}
DLB_STRICT_END

static const dlb_requirements dl_imaging_image_allocate_requirements = {
    .min_ndim = 3,
    .max_ndim = 3,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_imaging_image_allocator = {
    .make = dl_imaging_image_allocate,
    .destroy = dl_imaging_image_release,
    .require = &dl_imaging_image_allocate_requirements,
};

DLB_FLATTEN static int dl_imaging_image_describe_fast(DLTensor *tensor, int64_t *axes, void *object,
                                                      dlb_otherwise *otherwise)
{
    return dlb_describe_plain(dl_imaging_image_describe, 3, tensor, axes, object, otherwise);
}

const dlb_type imaging_image_type = {
    .name = "imaging.Image",
    .ndim = 3,
    .describe = dl_imaging_image_describe,
    .retain = dl_imaging_image_retain,
    .release = dl_imaging_image_release,
    .writable = DLB_POINTS_TO_WRITABLE(((image_t *)0)->pixels),
    .allocator = &dl_imaging_image_allocator,
    .importer = &dl_imaging_image_importer,
    .describe_fast = dl_imaging_image_describe_fast,
};

int imaging_image_own(image_t *self, dlb_owner **out, dlb_error *error)
{
    return dlb_own(&imaging_image_type, self, out, error);
}

static void dl_imaging_image_delete_one_shot(DLManagedTensorVersioned *managed)
{
    dl_imaging_image_release(dlb_end_one_shot(managed));
}

DLB_FLATTEN int imaging_image_to_dlpack(image_t *self, DLManagedTensorVersioned **out,
                                        dlb_error *error)
{
    return dlb_to_dlpack_fast(&imaging_image_type, dl_imaging_image_describe, 3,
                              dl_imaging_image_retain, dl_imaging_image_delete_one_shot, self, out,
                              error);
}

int imaging_image_to_dlpack_legacy(image_t *self, DLManagedTensor **out, dlb_error *error)
{
    return dlb_to_dlpack_legacy(&imaging_image_type, self, out, error);
}

int imaging_image_view(image_t *self, dlb_view *out, dlb_error *error)
{
    return dlb_describe(&imaging_image_type, self, out, error);
}

int imaging_image_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out, dlb_error *error)
{
    return dlb_import(&imaging_image_type, managed, out, error);
}

int imaging_image_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out, dlb_error *error)
{
    return dlb_import_legacy(&imaging_image_type, managed, out, error);
}
