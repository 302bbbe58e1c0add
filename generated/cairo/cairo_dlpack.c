/* SPDX-License-Identifier: MIT-0
 * Generated from cairo.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "cairo_dlpack.h"

/* ---- Surface ---- */

static int dl_dlcairo_surface_describe(void *object, dlb_view *view, dlb_error *error)
{
    cairo_surface_t *self = object;

    DLB_ASSERT_ANY_DATA(cairo_image_surface_get_data(self), 0, 0, "Surface.data: cairo_image_surface_get_data(self) must be a pointer to elements of uint8, uint16, uint32 and float32 (cast it to void * if it is one)");
    DLB_ASSERT_INTEGER(cairo_image_surface_get_stride(self), "Surface.strides.outer: cairo_image_surface_get_stride(self) must be an integer");
    DLB_ASSERT_KEY(cairo_image_surface_get_format(self), CAIRO_FORMAT_ARGB32, "Surface.match.of: cairo_image_surface_get_format(self) must be comparable with CAIRO_FORMAT_ARGB32");

    if (cairo_surface_get_type(self) != CAIRO_SURFACE_TYPE_IMAGE) { /* Surface.require */
        return dlb_view_refuse(view, error, "not an image surface");
    }
    if (view->exporting) {
        cairo_surface_flush(self); /* Surface.before_read */
    }

    cairo_surface_has_show_text_glyphs(self);                 /* Surface.let */
    if (cairo_surface_status(self) != CAIRO_STATUS_SUCCESS) { /* Surface.let */
        return dlb_view_refuse(view, error, cairo_status_to_string(cairo_surface_status(self))); /* Surface.let */
    }
    int h;
    DLB_LET(view, h, cairo_image_surface_get_height(self)); /* Surface.let.h */
    int w;
    DLB_LET(view, w, cairo_image_surface_get_width(self)); /* Surface.let.w */
    if (dlb_view_failed(view, error)) {
        return -1;
    }

    DLB_ASSERT_INTEGER(h, "Surface.shape[0]: h must be an integer");
    DLB_ASSERT_INTEGER(w, "Surface.shape[1]: w must be an integer");

    DLB_KEEP(key, cairo_image_surface_get_format(self)); /* Surface.match.of */
    if (key == CAIRO_FORMAT_ARGB32) {                    /* Surface.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(4));
    } else if (key == CAIRO_FORMAT_RGB24) { /* Surface.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(4));
        dlb_one_way(view);
    } else if (key == CAIRO_FORMAT_A8) { /* Surface.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
    } else if (key == CAIRO_FORMAT_RGB16_565) { /* Surface.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 16);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
    } else if (key == CAIRO_FORMAT_RGB30) { /* Surface.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 32);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
#if CAIRO_VERSION >= CAIRO_VERSION_ENCODE(1, 17, 2)
    } else if (key == CAIRO_FORMAT_RGBA128F) { /* Surface.match */
        view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(4));
    } else if (key == CAIRO_FORMAT_RGB96F) { /* Surface.match */
        view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(3));
#endif
    } else {
        return dlb_view_unmapped(view, error, "dtype, shape",
                                 DLB_VALUE(cairo_image_surface_get_format(self)));
    }
    view->tensor->device = DLB_CPU;
    dlb_compact(view, view->tensor->ndim);
    dlb_byte_stride(view, view->tensor->dtype, 0,
                    DLB_INTEGER(cairo_image_surface_get_stride(self)));
    DLB_DATA(view, cairo_image_surface_get_data(self));
    return dlb_view_finish(view, error);
}

static void dl_dlcairo_surface_retain(void *object)
{
    cairo_surface_t *self = object;

    cairo_surface_reference(self); /* Surface.retain */
}

static void dl_dlcairo_surface_release(void *object)
{
    cairo_surface_t *self = object;

    cairo_surface_destroy(self); /* Surface.release */
}

static void dl_dlcairo_surface_after_write(void *object)
{
    cairo_surface_t *self = object;

    cairo_surface_flush(self);      /* Surface.after_write */
    cairo_surface_mark_dirty(self); /* Surface.after_write */
}

struct dlcairo_surface_import_params {
    int opaque;
};

static const dlb_param dl_dlcairo_surface_import_table[] = {
    DLB_PARAM(struct dlcairo_surface_import_params, opaque, 0),
};

DLB_STRICT_BEGIN
static void dl_dlcairo_surface_import_defaults(void *object)
{
    struct dlcairo_surface_import_params *params = object;

    params->opaque = 0; /* Surface.import.params.opaque */
}
DLB_STRICT_END

static void dl_dlcairo_surface_deleter(void *user)
{
    dlb_lease_end(user);
}

DLB_STRICT_BEGIN
static void *dl_dlcairo_surface_import(dlb_source *source, dlb_error *error)
{
    const struct dlcairo_surface_import_params *params = source->params;
    void *data = source->data;
    const int ndim = source->ndim;
    const int64_t *shape = source->shape;
    const int64_t *byte_strides = dlb_byte_strides(source);
    struct dlb_lease *user = source->user;
    const int opaque = params->opaque;
    /* The keys of the spec, read backwards. */
    DLB_TYPE_OF(cairo_image_surface_get_format(((cairo_surface_t *)0))) code;

    if (!(!opaque || ndim == 3)) { /* Surface.import.require */
        return dlb_source_refuse(source, error, "only pixels of four channels can be opaque");
    }
    if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 3 &&
        source->shape[2] == 4) {
        code = CAIRO_FORMAT_ARGB32;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 2) {
        code = CAIRO_FORMAT_A8;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 16)) && source->ndim == 2) {
        code = CAIRO_FORMAT_RGB16_565;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 32)) && source->ndim == 2) {
        code = CAIRO_FORMAT_RGB30;
#if CAIRO_VERSION >= CAIRO_VERSION_ENCODE(1, 17, 2)
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 32)) && source->ndim == 3 &&
               source->shape[2] == 4) {
        code = CAIRO_FORMAT_RGBA128F;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 32)) && source->ndim == 3 &&
               source->shape[2] == 3) {
        code = CAIRO_FORMAT_RGB96F;
#endif
    } else {
        return dlb_source_unmatched(source, error);
    }

    int h;
    DLB_SET(source, h, shape[0]); /* Surface.import.let.h */
    int w;
    DLB_SET(source, w, shape[1]); /* Surface.import.let.w */
    int pitch;
    DLB_SET(source, pitch, byte_strides[0]); /* Surface.import.let.pitch */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }
    static cairo_user_data_key_t key = {0}; /* Surface.import.let.key */

    /* Surface.import.construct */
    cairo_surface_t *self =
        cairo_image_surface_create_for_data(data, opaque ? CAIRO_FORMAT_RGB24 : code, w, h, pitch);
    if (cairo_surface_status(self) != CAIRO_STATUS_SUCCESS) {
        /* Surface.import.error */
        return dlb_source_call_failed(
            source, error,
            "cairo_image_surface_create_for_data(data, opaque ? CAIRO_FORMAT_RGB24 : code, w, h, pitch)",
            cairo_status_to_string(cairo_surface_status(self)));
    }
    if (cairo_surface_set_user_data(self, &key, user, dl_dlcairo_surface_deleter) != CAIRO_STATUS_SUCCESS /* Surface.import.attach */) {
        (void)dlb_source_call_failed(
            source, error, "cairo_surface_set_user_data(self, &key, user, deleter)", NULL);
        cairo_surface_destroy(self);
        return NULL;
    }
    return self;
}
DLB_STRICT_END

static const dlb_requirements dl_dlcairo_surface_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 3,
    .layout = DLB_WRITABLE | DLB_INNER_COMPACT,
    .alignment = 4,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlcairo_surface_importer = {
    .make = dl_dlcairo_surface_import,
    .destroy = dl_dlcairo_surface_release,
    .require = &dl_dlcairo_surface_import_requirements,
    .lease = 1,
    .params = dl_dlcairo_surface_import_table,
    .param_count = 1,
    .params_size = sizeof(struct dlcairo_surface_import_params),
    .defaults = dl_dlcairo_surface_import_defaults,
};

DLB_STRICT_NONNEGATIVE_BEGIN
static void *dl_dlcairo_surface_allocate(dlb_source *source, dlb_error *error)
{
    const int64_t *shape = source->shape;
    /* The keys of the spec, read backwards. */
    DLB_TYPE_OF(cairo_image_surface_get_format(((cairo_surface_t *)0))) code;

    if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 3 &&
        source->shape[2] == 4) {
        code = CAIRO_FORMAT_ARGB32;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 2) {
        code = CAIRO_FORMAT_A8;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 16)) && source->ndim == 2) {
        code = CAIRO_FORMAT_RGB16_565;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 32)) && source->ndim == 2) {
        code = CAIRO_FORMAT_RGB30;
#if CAIRO_VERSION >= CAIRO_VERSION_ENCODE(1, 17, 2)
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 32)) && source->ndim == 3 &&
               source->shape[2] == 4) {
        code = CAIRO_FORMAT_RGBA128F;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 32)) && source->ndim == 3 &&
               source->shape[2] == 3) {
        code = CAIRO_FORMAT_RGB96F;
#endif
    } else {
        return dlb_source_unmatched(source, error);
    }

    int h;
    DLB_SET(source, h, shape[0]); /* Surface.allocate.let.h */
    int w;
    DLB_SET(source, w, shape[1]); /* Surface.allocate.let.w */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }

    cairo_surface_t *result = cairo_image_surface_create(code, w, h); /* Surface.allocate.construct */
    if (cairo_surface_status(result) != CAIRO_STATUS_SUCCESS) {
        /* Surface.allocate.error */
        return dlb_source_call_failed(source, error, "cairo_image_surface_create(code, w, h)",
                                      cairo_status_to_string(cairo_surface_status(result)));
    }
    return result;
}
DLB_STRICT_END

static const dlb_requirements dl_dlcairo_surface_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 3,
};

static const dlb_factory dl_dlcairo_surface_allocator = {
    .make = dl_dlcairo_surface_allocate,
    .destroy = dl_dlcairo_surface_release,
    .require = &dl_dlcairo_surface_allocate_requirements,
};

const dlb_type dlcairo_surface_type = {
    .name = "cairo.Surface",
    .ndim = -1,
    .describe = dl_dlcairo_surface_describe,
    .retain = dl_dlcairo_surface_retain,
    .release = dl_dlcairo_surface_release,
    .after_write = dl_dlcairo_surface_after_write,
    .allocator = &dl_dlcairo_surface_allocator,
    .importer = &dl_dlcairo_surface_importer,
};

DLB_DEFINE_OWN(dlcairo_surface, cairo_surface_t *)
DLB_DEFINE_TO_DLPACK(dlcairo_surface, cairo_surface_t *)
DLB_DEFINE_TO_DLPACK_LEGACY(dlcairo_surface, cairo_surface_t *)
DLB_DEFINE_VIEW(dlcairo_surface, cairo_surface_t *)

int dlcairo_surface_from_dlpack(DLManagedTensorVersioned *managed, dlb_owner **out,
                                dlb_error *error, int opaque)
{
    const struct dlcairo_surface_import_params params = {.opaque = opaque};

    return dlb_import_with(&dlcairo_surface_type, managed, &params, out, error);
}

int dlcairo_surface_from_dlpack_legacy(DLManagedTensor *managed, dlb_owner **out, dlb_error *error,
                                       int opaque)
{
    const struct dlcairo_surface_import_params params = {.opaque = opaque};

    return dlb_import_legacy_with(&dlcairo_surface_type, managed, &params, out, error);
}
