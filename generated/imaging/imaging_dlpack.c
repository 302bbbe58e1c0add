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

DLB_DEFINE_DESCRIBE_FAST(dl_imaging_image_describe_fast, dl_imaging_image_describe, 3)

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

DLB_DEFINE_OWN(imaging_image, image_t *)
DLB_DEFINE_ONE_SHOT_DELETER(dl_imaging_image_delete_one_shot, dl_imaging_image_release)
DLB_DEFINE_TO_DLPACK_FAST(imaging_image, image_t *, dl_imaging_image_describe, 3,
                          dl_imaging_image_retain, dl_imaging_image_delete_one_shot)
DLB_DEFINE_TO_DLPACK_LEGACY(imaging_image, image_t *)
DLB_DEFINE_VIEW(imaging_image, image_t *)
DLB_DEFINE_FROM_DLPACK(imaging_image)
