/* SPDX-License-Identifier: MIT-0
 * Generated from avframe.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_assert.h"
#include "dlb_emit.h"

#include "avframe_dlpack.h"

/* ---- Frame ---- */

static void dl_dlavframe_frame_release(void *object)
{
    AVFrame *self = object;

    av_frame_free(&self); /* Frame.release */
}

const dlb_type dlavframe_frame_type = {
    .name = "avframe.Frame",
    .shares = "AVFrame",
    .release = dl_dlavframe_frame_release,
    .writable = 1,
};

DLB_DEFINE_OWN(dlavframe_frame, AVFrame *)

static dlb_integer dl_dlavframe_frame_count_planes(void *object)
{
    AVFrame *self = object;

    return DLB_INTEGER(av_pix_fmt_count_planes(self->format)); /* Frame.parts.planes.count */
}

const dlb_parts dlavframe_frame_parts_planes = {
    .name = "planes",
    .of = &dlavframe_plane_type,
    .count = dl_dlavframe_frame_count_planes,
};

/* ---- Plane ---- */

static int dl_dlavframe_plane_describe(void *object, dlb_view *view, dlb_error *error)
{
    struct dlavframe_plane_state *state = object;
    AVFrame *self = state->self;
    const int plane = state->plane;

    DLB_ASSERT_STRUCT(*self, "Plane.type: AVFrame must be a struct with members (write 'pass: value' if it is a pointer)");
    DLB_ASSERT_ANY_DATA(self->data[plane], 0, 0, "Plane.data: self->data[plane] must be a pointer to elements of uint8, uint16 and float32 (cast it to void * if it is one)");
    DLB_ASSERT_INTEGER(self->linesize[plane], "Plane.strides.outer: self->linesize[plane] must be an integer");
    DLB_ASSERT_INTEGER(!state->writable, "Plane.readonly: !writable must be a condition: a comparison or an integer");
    DLB_ASSERT_KEY(self->format, AV_PIX_FMT_GRAY8, "Plane.match.of: self->format must be comparable with AV_PIX_FMT_GRAY8");
    DLB_ASSERT_VALUE(plane, "Plane.match.of: plane must be comparable");

    if (!(self->width > 0 && self->height > 0)) { /* Plane.require */
        return dlb_view_refuse(view, error, "the frame is not a picture");
    }
    if (!(plane >= 0 && plane < AV_NUM_DATA_POINTERS && self->data[plane] != NULL) /* Plane.require */) {
        return dlb_view_refuse(view, error, "no such plane");
    }

    int h;
    DLB_LET(view, h, self->height); /* Plane.let.h */
    int w;
    DLB_LET(view, w, self->width); /* Plane.let.w */
    if (dlb_view_failed(view, error)) {
        return -1;
    }
    int h2;
    DLB_LET(view, h2, (h + 1) / 2); /* Plane.let.h2 */
    int w2;
    DLB_LET(view, w2, (w + 1) / 2); /* Plane.let.w2 */
    if (dlb_view_failed(view, error)) {
        return -1;
    }

    DLB_ASSERT_INTEGER(h, "Plane.shape[0]: h must be an integer");
    DLB_ASSERT_INTEGER(w, "Plane.shape[1]: w must be an integer");
    DLB_ASSERT_INTEGER(h2, "Plane.shape[0]: h2 must be an integer");
    DLB_ASSERT_INTEGER(w2, "Plane.shape[1]: w2 must be an integer");

    if (self->format == AV_PIX_FMT_GRAY8 && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
    } else if (self->format == AV_PIX_FMT_GRAY16 && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 16);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
    } else if (self->format == AV_PIX_FMT_GRAYF32 && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
    } else if (self->format == AV_PIX_FMT_YA8 && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(2));
    } else if (self->format == AV_PIX_FMT_RGB24 && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(3));
    } else if (self->format == AV_PIX_FMT_BGR24 && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(3));
        dlb_one_way(view);
    } else if (self->format == AV_PIX_FMT_RGBA && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(4));
    } else if ((self->format == AV_PIX_FMT_BGRA || self->format == AV_PIX_FMT_ARGB ||
                self->format == AV_PIX_FMT_ABGR) &&
               plane == 0) {
        /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(4));
        dlb_one_way(view);
    } else if (self->format == AV_PIX_FMT_RGB48 && plane == 0) { /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 16);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_extent(view, 2, DLB_INTEGER(3));
    } else if ((self->format == AV_PIX_FMT_NV12 || self->format == AV_PIX_FMT_NV21 ||
                self->format == AV_PIX_FMT_YUV420P) &&
               plane == 0) {
        /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_one_way(view);
    } else if ((self->format == AV_PIX_FMT_NV12 || self->format == AV_PIX_FMT_NV21) && plane == 1 /* Plane.match */) {
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(3));
        dlb_extent(view, 0, DLB_INTEGER(h2));
        dlb_extent(view, 1, DLB_INTEGER(w2));
        dlb_extent(view, 2, DLB_INTEGER(2));
        dlb_one_way(view);
    } else if (self->format == AV_PIX_FMT_YUV420P && (plane == 1 || plane == 2) /* Plane.match */) {
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h2));
        dlb_extent(view, 1, DLB_INTEGER(w2));
        dlb_one_way(view);
    } else if (self->format == AV_PIX_FMT_YUV444P || self->format == AV_PIX_FMT_GBRP ||
               self->format == AV_PIX_FMT_GBRAP) {
        /* Plane.match */
        view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
        dlb_rank(view, DLB_INTEGER(2));
        dlb_extent(view, 0, DLB_INTEGER(h));
        dlb_extent(view, 1, DLB_INTEGER(w));
        dlb_one_way(view);
    } else {
        return dlb_view_unmatched(view, error, "dtype, shape",
                                  (const dlb_integer[]){DLB_VALUE(self->format), DLB_VALUE(plane)},
                                  2);
    }
    view->tensor->device = DLB_CPU;
    dlb_compact(view, view->tensor->ndim);
    dlb_byte_stride(view, view->tensor->dtype, 0, DLB_INTEGER(self->linesize[plane]));
    DLB_DATA(view, self->data[plane]);
    DLB_STAYS_WITHIN(view, self->data, self->data[plane]);
    dlb_readonly(view, !state->writable);
    return dlb_view_finish(view, error);
}

static void dl_dlavframe_plane_defaults(void *object)
{
    struct dlavframe_plane_state *state = object;

    state->plane = 0; /* Plane.params.plane */
}

DLB_STRICT_BEGIN
static int dl_dlavframe_plane_hold(void *object, dlb_error *error)
{
    struct dlavframe_plane_state *state = object;
    AVFrame *self = state->self;

    state->counted = self->buf[0] != NULL; /* Plane.hold.counted */
    if (state->counted == 0) {
        /* Plane.hold.counted */
        return dlb_call_failed(error, "avframe.Plane", "self->buf[0] != NULL",
                               "the frame is not reference-counted");
    }
    state->writable = av_frame_is_writable(self); /* Plane.hold.writable */
    return 0;
}
DLB_STRICT_END

static int dl_dlavframe_plane_clone(void *object, dlb_error *error)
{
    struct dlavframe_plane_state *state = object;
    AVFrame *self = state->self;

    AVFrame *result = av_frame_clone(self); /* Plane.clone */
    if (result == NULL) {
        return dlb_call_failed(error, "avframe.Plane", "av_frame_clone(self)", NULL);
    }
    state->self = result;
    return 0;
}

static void dl_dlavframe_plane_release(void *object)
{
    struct dlavframe_plane_state *state = object;
    AVFrame *self = state->self;

    av_frame_free(&self); /* Plane.release */
}

static void dl_dlavframe_plane_deleter(void *user, uint8_t *data)
{
    (void)data;
    dlb_lease_end(user);
}

DLB_STRICT_BEGIN
static void *dl_dlavframe_plane_import(dlb_source *source, dlb_error *error)
{
    void *data = source->data;
    const int64_t *shape = source->shape;
    const int64_t *byte_strides = dlb_byte_strides(source);
    const int64_t nbytes = dlb_source_nbytes(source);
    const int readonly = source->readonly;
    struct dlb_lease *user = source->user;
    /* The keys of the spec, read backwards. */
    DLB_TYPE_OF_KEYS(((AVFrame *)0)->format,
                     DLB_KEY(AV_PIX_FMT_GRAY8) | DLB_KEY(AV_PIX_FMT_YA8) |
                         DLB_KEY(AV_PIX_FMT_RGB24) | DLB_KEY(AV_PIX_FMT_RGBA) |
                         DLB_KEY(AV_PIX_FMT_GRAY16) | DLB_KEY(AV_PIX_FMT_GRAYF32) |
                         DLB_KEY(AV_PIX_FMT_RGB48))
    code_0;
    void *outcome = NULL;

    if (!(shape[0] > 0 && shape[1] > 0)) { /* Plane.import.require */
        return dlb_source_refuse(source, error, "a frame has at least one pixel");
    }
    if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 2) {
        code_0 = AV_PIX_FMT_GRAY8;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 3 &&
               source->shape[2] == 2) {
        code_0 = AV_PIX_FMT_YA8;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 3 &&
               source->shape[2] == 3) {
        code_0 = AV_PIX_FMT_RGB24;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 3 &&
               source->shape[2] == 4) {
        code_0 = AV_PIX_FMT_RGBA;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 16)) && source->ndim == 2) {
        code_0 = AV_PIX_FMT_GRAY16;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLFloat, 32)) && source->ndim == 2) {
        code_0 = AV_PIX_FMT_GRAYF32;
    } else if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 16)) && source->ndim == 3 &&
               source->shape[2] == 3) {
        code_0 = AV_PIX_FMT_RGB48;
    } else {
        return dlb_source_unmatched(source, error);
    }

    int height;
    DLB_SET(source, height, shape[0]); /* Plane.import.let.height */
    int width;
    DLB_SET(source, width, shape[1]); /* Plane.import.let.width */
    int pitch;
    DLB_SET(source, pitch, byte_strides[0]); /* Plane.import.let.pitch */
    size_t size;
    DLB_SET(source, size, byte_strides[0] * (shape[0] - 1) + nbytes / shape[0]); /* Plane.import.let.size */
    if (dlb_source_failed(source, error)) {
        return NULL;
    }
    AVFrame *frame = av_frame_alloc(); /* Plane.import.let.frame */
    if (frame == NULL) {
        return dlb_source_call_failed(source, error, "av_frame_alloc()", NULL);
    }
    frame->format = code_0;     /* Plane.import.let */
    frame->width = width;       /* Plane.import.let */
    frame->height = height;     /* Plane.import.let */
    frame->data[0] = data;      /* Plane.import.let */
    frame->linesize[0] = pitch; /* Plane.import.let */
    if ((frame->buf[0] = av_buffer_create(data, size, dl_dlavframe_plane_deleter, user,
                                          readonly ? AV_BUFFER_FLAG_READONLY : 0)) == NULL) {
        /* Plane.import.let */
        (void)dlb_source_call_failed(
            source, error,
            "frame->buf[0] = av_buffer_create(data, size, deleter, user, readonly ? AV_BUFFER_FLAG_READONLY : 0)",
            NULL);
        goto end_frame;
    }

    outcome = frame;
end_frame:
    if (outcome == NULL) {
        av_frame_free(&frame);
    }
    return outcome;
}
DLB_STRICT_END

static const dlb_requirements dl_dlavframe_plane_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 3,
    .layout = DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}, {kDLUInt, 16, 1}, {kDLFloat, 32, 1}},
    .dtype_count = 3,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory dl_dlavframe_plane_importer = {
    .make = dl_dlavframe_plane_import,
    .destroy = dl_dlavframe_plane_release,
    .require = &dl_dlavframe_plane_import_requirements,
    .lease = 1,
};

DLB_DEFINE_DESCRIBE_FAST(dl_dlavframe_plane_describe_fast, dl_dlavframe_plane_describe, -1)

static const dlb_param dl_dlavframe_plane_params[] = {
    DLB_PARAM(struct dlavframe_plane_state, plane, 0),
};

const dlb_type dlavframe_plane_type = {
    .name = "avframe.Plane",
    .ndim = -1,
    .describe = dl_dlavframe_plane_describe,
    .state = DLB_STORAGE_FOR(struct dlavframe_plane_state),
    .shares = "AVFrame",
    .params = dl_dlavframe_plane_params,
    .param_count = 1,
    .params_checked = 1,
    .defaults = dl_dlavframe_plane_defaults,
    .hold = dl_dlavframe_plane_hold,
    .clone = dl_dlavframe_plane_clone,
    .release = dl_dlavframe_plane_release,
    .declares_readonly = 1,
    .importer = &dl_dlavframe_plane_importer,
    .describe_fast = dl_dlavframe_plane_describe_fast,
};

int dlavframe_plane_own(AVFrame *self, int plane, dlb_owner **out, dlb_error *error)
{
    struct dlavframe_plane_state state = {.self = self, .plane = plane};

    return dlb_own(&dlavframe_plane_type, &state, out, error);
}

int dlavframe_plane_to_dlpack(AVFrame *self, int plane, DLManagedTensorVersioned **out,
                              dlb_error *error)
{
    struct dlavframe_plane_state state = {.self = self, .plane = plane};

    return dlb_to_dlpack(&dlavframe_plane_type, &state, out, error);
}

int dlavframe_plane_to_dlpack_legacy(AVFrame *self, int plane, DLManagedTensor **out,
                                     dlb_error *error)
{
    struct dlavframe_plane_state state = {.self = self, .plane = plane};

    return dlb_to_dlpack_legacy(&dlavframe_plane_type, &state, out, error);
}

int dlavframe_plane_view(AVFrame *self, int plane, dlb_view *out, dlb_error *error)
{
    struct dlavframe_plane_state state = {.self = self, .plane = plane};

    return dlb_describe(&dlavframe_plane_type, &state, out, error);
}

DLB_DEFINE_FROM_DLPACK(dlavframe_plane)

int dlavframe_plane_part(dlb_owner *whole, int plane, dlb_owner **out, dlb_error *error)
{
    struct dlavframe_plane_state state = {.plane = plane};

    return dlb_own_part(whole, &dlavframe_plane_type, &state, out, error);
}
