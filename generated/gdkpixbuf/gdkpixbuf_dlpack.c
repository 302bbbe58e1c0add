/* SPDX-License-Identifier: MIT-0
 * Generated from gdkpixbuf.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "gdkpixbuf_dlpack.h"

/* ---- Pixbuf ---- */

static int dl_dlpixbuf_pixbuf_describe(void *object, dlb_view *view, dlb_error *error)
{
    GdkPixbuf *self = object;

    DLB_ASSERT_DATA(gdk_pixbuf_get_pixels(self), kDLUInt, 8, "Pixbuf.data: gdk_pixbuf_get_pixels(self) must be a pointer to uint8");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_height(self), "Pixbuf.shape[0]: gdk_pixbuf_get_height(self) must be an integer");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_width(self), "Pixbuf.shape[1]: gdk_pixbuf_get_width(self) must be an integer");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_n_channels(self), "Pixbuf.shape[2]: gdk_pixbuf_get_n_channels(self) must be an integer");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_rowstride(self), "Pixbuf.strides.outer: gdk_pixbuf_get_rowstride(self) must be an integer");

    if (gdk_pixbuf_get_bits_per_sample(self) != 8) { /* Pixbuf.require */
        return dlb_view_refuse(view, error, "samples are not bytes");
    }

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(gdk_pixbuf_get_height(self)));
    dlb_extent(view, 1, DLB_INTEGER(gdk_pixbuf_get_width(self)));
    dlb_extent(view, 2, DLB_INTEGER(gdk_pixbuf_get_n_channels(self)));
    dlb_compact(view, 3);
    dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 0, DLB_INTEGER(gdk_pixbuf_get_rowstride(self)));
    DLB_DATA(view, gdk_pixbuf_get_pixels(self));
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 3, error);
}

static void dl_dlpixbuf_pixbuf_retain(void *object)
{
    GdkPixbuf *self = object;

    g_object_ref(self); /* Pixbuf.retain */
}

static void dl_dlpixbuf_pixbuf_release(void *object)
{
    GdkPixbuf *self = object;

    g_object_unref(self); /* Pixbuf.release */
}

static void dl_dlpixbuf_pixbuf_deleter(guchar *data, gpointer user)
{
    (void)data;
    dlb_lease_end(user);
}

DLB_STRICT_BEGIN
static void *dl_dlpixbuf_pixbuf_import(dlb_source *source, dlb_error *error)
{
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *byte_strides = dlb_byte_strides(source);
    struct dlb_lease *user = source->user;

    if (!(shape[0] > 0 && shape[1] > 0)) { /* Pixbuf.import.require */
        return dlb_source_refuse(source, error, "a pixbuf has at least one pixel");
    }
    if (!(shape[2] == 3 || shape[2] == 4)) { /* Pixbuf.import.require */
        return dlb_source_refuse(source, error, "a pixbuf has 3 or 4 channels");
    }
    int height;
    DLB_SET(source, height, shape[0]); /* Pixbuf.import.let.height */
    int width;
    DLB_SET(source, width, shape[1]); /* Pixbuf.import.let.width */
    int pitch;
    DLB_SET(source, pitch, byte_strides[0]); /* Pixbuf.import.let.pitch */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }

    /* Pixbuf.import.construct */
    GdkPixbuf *result = gdk_pixbuf_new_from_data(data, GDK_COLORSPACE_RGB, shape[2] == 4, 8, width,
                                                 height, pitch, dl_dlpixbuf_pixbuf_deleter, user);
    if (result == NULL) {
        return dlb_source_call_failed(
            source, error,
            "gdk_pixbuf_new_from_data(data, GDK_COLORSPACE_RGB, shape[2] == 4, 8, width, height, pitch, deleter, user)",
            NULL);
    }
    return result;
}
DLB_STRICT_END

static const dlb_requirements dl_dlpixbuf_pixbuf_import_requirements = {
    .min_ndim = 3,
    .max_ndim = 3,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlpixbuf_pixbuf_importer = {
    .make = dl_dlpixbuf_pixbuf_import,
    .destroy = dl_dlpixbuf_pixbuf_release,
    .require = &dl_dlpixbuf_pixbuf_import_requirements,
    .lease = 1,
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlpixbuf_pixbuf_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;

    if (!(shape[0] > 0 && shape[1] > 0)) { /* Pixbuf.allocate.require */
        return dlb_source_refuse(source, error, "a pixbuf has at least one pixel");
    }
    if (!(shape[2] == 3 || shape[2] == 4)) { /* Pixbuf.allocate.require */
        return dlb_source_refuse(source, error, "a pixbuf has 3 or 4 channels");
    }
    int height;
    DLB_SET(source, height, shape[0]); /* Pixbuf.allocate.let.height */
    int width;
    DLB_SET(source, width, shape[1]); /* Pixbuf.allocate.let.width */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }

    GdkPixbuf *result = gdk_pixbuf_new(GDK_COLORSPACE_RGB, shape[2] == 4, 8, width, height); /* Pixbuf.allocate.construct */
    if (result == NULL) {
        return dlb_source_call_failed(
            source, error, "gdk_pixbuf_new(GDK_COLORSPACE_RGB, shape[2] == 4, 8, width, height)",
            NULL);
    }
    return result;
}
DLB_STRICT_END

static const dlb_requirements dl_dlpixbuf_pixbuf_allocate_requirements = {
    .min_ndim = 3,
    .max_ndim = 3,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
};

static const dlb_factory dl_dlpixbuf_pixbuf_allocator = {
    .make = dl_dlpixbuf_pixbuf_allocate,
    .destroy = dl_dlpixbuf_pixbuf_release,
    .require = &dl_dlpixbuf_pixbuf_allocate_requirements,
};

const dlb_type dlpixbuf_pixbuf_type = {
    .name = "gdkpixbuf.Pixbuf",
    .ndim = 3,
    .describe = dl_dlpixbuf_pixbuf_describe,
    .shares = "GdkPixbuf",
    .retain = dl_dlpixbuf_pixbuf_retain,
    .release = dl_dlpixbuf_pixbuf_release,
    .allocator = &dl_dlpixbuf_pixbuf_allocator,
    .importer = &dl_dlpixbuf_pixbuf_importer,
};

DLB_DEFINE_OWN(dlpixbuf_pixbuf, GdkPixbuf *)
DLB_DEFINE_TO_DLPACK(dlpixbuf_pixbuf, GdkPixbuf *)
DLB_DEFINE_TO_DLPACK_LEGACY(dlpixbuf_pixbuf, GdkPixbuf *)
DLB_DEFINE_VIEW(dlpixbuf_pixbuf, GdkPixbuf *)
DLB_DEFINE_FROM_DLPACK(dlpixbuf_pixbuf)

int dlpixbuf_pixbuf_part(dlb_owner *whole, dlb_owner **out, dlb_error *error)
{
    return dlb_own_part(whole, &dlpixbuf_pixbuf_type, NULL, out, error);
}

/* ---- ReadOnly ---- */

static int dl_dlpixbuf_read_only_describe(void *object, dlb_view *view, dlb_error *error)
{
    struct dlpixbuf_read_only_state *state = object;
    GdkPixbuf *self = state->self;

    DLB_ASSERT_DATA(g_bytes_get_data(state->bytes, NULL), kDLUInt, 8, "ReadOnly.data: g_bytes_get_data(bytes, NULL) must be a pointer to uint8");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_height(self), "ReadOnly.shape[0]: gdk_pixbuf_get_height(self) must be an integer");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_width(self), "ReadOnly.shape[1]: gdk_pixbuf_get_width(self) must be an integer");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_n_channels(self), "ReadOnly.shape[2]: gdk_pixbuf_get_n_channels(self) must be an integer");
    DLB_ASSERT_INTEGER(gdk_pixbuf_get_rowstride(self), "ReadOnly.strides.outer: gdk_pixbuf_get_rowstride(self) must be an integer");

    if (gdk_pixbuf_get_bits_per_sample(self) != 8) { /* ReadOnly.require */
        return dlb_view_refuse(view, error, "samples are not bytes");
    }

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(gdk_pixbuf_get_height(self)));
    dlb_extent(view, 1, DLB_INTEGER(gdk_pixbuf_get_width(self)));
    dlb_extent(view, 2, DLB_INTEGER(gdk_pixbuf_get_n_channels(self)));
    dlb_compact(view, 3);
    dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 0, DLB_INTEGER(gdk_pixbuf_get_rowstride(self)));
    DLB_DATA(view, g_bytes_get_data(state->bytes, NULL));
    return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 3, error);
}

DLB_STRICT_BEGIN
static int dl_dlpixbuf_read_only_hold(void *object, dlb_error *error)
{
    struct dlpixbuf_read_only_state *state = object;
    (void)error;

    state->bytes = NULL; /* ReadOnly.hold.bytes */
    return 0;
}
DLB_STRICT_END

static void dl_dlpixbuf_read_only_retain(void *object)
{
    struct dlpixbuf_read_only_state *state = object;
    GdkPixbuf *self = state->self;

    g_object_ref(self); /* ReadOnly.retain */
}

static void dl_dlpixbuf_read_only_release(void *object)
{
    struct dlpixbuf_read_only_state *state = object;
    GdkPixbuf *self = state->self;

    g_object_unref(self); /* ReadOnly.release */
}

static int dl_dlpixbuf_read_only_acquire(void *object, dlb_error *error)
{
    struct dlpixbuf_read_only_state *state = object;
    GdkPixbuf *self = state->self;

    if (gdk_pixbuf_get_bits_per_sample(self) != 8) { /* ReadOnly.require */
        return dlb_refuse(error, "gdkpixbuf.ReadOnly", "samples are not bytes");
    }
    if ((state->bytes = gdk_pixbuf_read_pixel_bytes(self)) == NULL) { /* ReadOnly.acquire */
        return dlb_call_failed(error, "gdkpixbuf.ReadOnly",
                               "bytes = gdk_pixbuf_read_pixel_bytes(self)", NULL);
    }
    return 0;
}

static void dl_dlpixbuf_read_only_restore(void *object)
{
    struct dlpixbuf_read_only_state *state = object;

    g_bytes_unref(state->bytes); /* ReadOnly.restore */
}

const dlb_type dlpixbuf_read_only_type = {
    .name = "gdkpixbuf.ReadOnly",
    .ndim = 3,
    .describe = dl_dlpixbuf_read_only_describe,
    .state = DLB_STORAGE_FOR(struct dlpixbuf_read_only_state),
    .shares = "GdkPixbuf",
    .hold = dl_dlpixbuf_read_only_hold,
    .retain = dl_dlpixbuf_read_only_retain,
    .release = dl_dlpixbuf_read_only_release,
    .acquire = dl_dlpixbuf_read_only_acquire,
    .restore = dl_dlpixbuf_read_only_restore,
};

int dlpixbuf_read_only_own(GdkPixbuf *self, dlb_owner **out, dlb_error *error)
{
    struct dlpixbuf_read_only_state state = {.self = self};

    return dlb_own(&dlpixbuf_read_only_type, &state, out, error);
}

int dlpixbuf_read_only_to_dlpack(GdkPixbuf *self, DLManagedTensorVersioned **out, dlb_error *error)
{
    struct dlpixbuf_read_only_state state = {.self = self};

    return dlb_to_dlpack(&dlpixbuf_read_only_type, &state, out, error);
}

int dlpixbuf_read_only_to_dlpack_legacy(GdkPixbuf *self, DLManagedTensor **out, dlb_error *error)
{
    struct dlpixbuf_read_only_state state = {.self = self};

    return dlb_to_dlpack_legacy(&dlpixbuf_read_only_type, &state, out, error);
}

int dlpixbuf_read_only_part(dlb_owner *whole, dlb_owner **out, dlb_error *error)
{
    struct dlpixbuf_read_only_state state = {0};

    return dlb_own_part(whole, &dlpixbuf_read_only_type, &state, out, error);
}
