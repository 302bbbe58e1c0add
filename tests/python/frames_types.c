/* SPDX-License-Identifier: MIT */
/* What a generator would say about frames, and every function that a type can have. */
#include <Python.h>

#include "frames.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARED "frame_t *"

/* ---- Functions of several types; without a state `object` is the frame ---- */

static void describe_bytes(dlb_view *view, const frame_t *self, int64_t plane)
{
    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    dlb_device(view, (DLDeviceType)self->device, DLB_INTEGER(self->device_id));
    dlb_extent(view, 0, DLB_INTEGER(self->rows));
    dlb_extent(view, 1, DLB_INTEGER(self->columns));
    dlb_compact(view, view->tensor->ndim);
    dlb_data(view, self->bytes + plane * self->rows * self->columns, self->readonly);
}

static int describe_frame(void *object, dlb_view *view, dlb_error *error)
{
    describe_bytes(view, object, 0);
    return dlb_view_finish(view, error);
}

static void retain_frame(void *object)
{
    frame_ref(object);
}

static void release_frame(void *object)
{
    frame_unref(object);
}

static void release_state(void *object)
{
    frame_unref(*(frame_t **)object);
}

static int failing(const frame_t *self, int hook, const char *name, dlb_error *error)
{
    return (self->fails & hook) == 0 ? 0 : dlb_fail(error, DLB_RUNTIME_ERROR, "the frame fails to %s", name);
}

/* ---- A frame, and its planes ---- */

static dlb_integer count_planes(void *object)
{
    const frame_t *const self = object;

    return DLB_INTEGER(self->count);
}

const dlb_type frames_frame_type = {
    .name = "frames.Frame", .shares = SHARED, .retain = retain_frame, .release = release_frame};

typedef struct plane_state {
    frame_t *self;
    int plane;
    int step;
    const char *label;
    int held;
} plane_state;

static void plane_defaults(void *object)
{
    plane_state *const state = object;

    state->step = 1;
    state->label = "none";
}

static int plane_hold(void *object, dlb_error *error)
{
    plane_state *const state = object;

    state->held = ++state->self->held;
    return failing(state->self, FRAME_FAIL_HOLD, "hold", error);
}

static int plane_clone(void *object, dlb_error *error)
{
    plane_state *const state = object;

    if (failing(state->self, FRAME_FAIL_CLONE, "clone", error) != 0) {
        return -1;
    }
    frame_ref(state->self);
    return 0;
}

static int plane_describe(void *object, dlb_view *view, dlb_error *error)
{
    const plane_state *const state = object;
    const frame_t *const self = state->self;

    if (state->plane < 0 || state->plane >= self->planes) {
        return dlb_view_refuse(view, error, "no such plane");
    }
    if (strcmp(state->label, "refused") == 0) {
        return dlb_view_refuse(view, error, state->label);
    }
    describe_bytes(view, self, state->plane);
    dlb_stride(view, 1, DLB_INTEGER(state->step));
    return dlb_view_finish(view, error);
}

static const dlb_param plane_params[] = {DLB_PARAM(plane_state, plane, 1), DLB_PARAM(plane_state, step, 0),
                                         DLB_PARAM(plane_state, label, 0)};

const dlb_type frames_plane_type = {
    .name = "frames.Plane",
    .ndim = 2,
    .describe = plane_describe,
    .release = release_state,
    .state = sizeof(plane_state),
    .shares = SHARED,
    .params = plane_params,
    .param_count = 3,
    .defaults = plane_defaults,
    .hold = plane_hold,
    .clone = plane_clone,
};

const dlb_parts frames_frame_planes = {"planes", &frames_plane_type, count_planes};

const dlb_type frames_whole_type = {.name = "frames.Whole",
                                    .ndim = 2,
                                    .describe = describe_frame,
                                    .retain = retain_frame,
                                    .release = release_frame,
                                    .shares = SHARED};

static int settings_describe(void *object, dlb_view *view, dlb_error *error)
{
    describe_bytes(view, ((settings *)object)->self, 0);
    return dlb_view_finish(view, error);
}

static void settings_defaults(void *object)
{
    settings *const state = object;

    state->u8 = 8;
    state->f = 0.5F;
    state->text = "default";
}

static const dlb_param settings_params[] = {
    DLB_PARAM(settings, i8, 0),  DLB_PARAM(settings, u8, 0),  DLB_PARAM(settings, i16, 0), DLB_PARAM(settings, u16, 0),
    DLB_PARAM(settings, i32, 0), DLB_PARAM(settings, u32, 0), DLB_PARAM(settings, i64, 0), DLB_PARAM(settings, u64, 0),
    DLB_PARAM(settings, f, 0),   DLB_PARAM(settings, d, 0),   DLB_PARAM(settings, ld, 0),  DLB_PARAM(settings, b, 0),
    DLB_PARAM(settings, text, 0), {"other", DLB_OTHER, offsetof(settings, large), 1, 0, NULL, NULL},
};

const dlb_type frames_settings_type = {
    .name = "frames.Settings",
    .ndim = 2,
    .describe = settings_describe,
    .release = release_state,
    .state = sizeof(settings),
    .shares = SHARED,
    .params = settings_params,
    .param_count = sizeof settings_params / sizeof settings_params[0],
    .defaults = settings_defaults,
};

const dlb_parts frames_frame_few = {"few", &frames_settings_type, count_planes};

/* ---- Devices, locks, copies ---- */

static int remote_sync(void *object, intptr_t stream, dlb_error *error)
{
    frame_log("sync %" PRIdPTR "\n", stream);
    return failing(object, FRAME_FAIL_SYNC, "sync", error);
}

static int remote_to_cpu(void *object, void *dst, int64_t nbytes, dlb_error *error)
{
    const frame_t *const self = object;

    frame_log("to_cpu %" PRId64 "\n", nbytes);
    memcpy(dst, self->bytes, (size_t)nbytes);
    return failing(self, FRAME_FAIL_TO_CPU, "download", error);
}

const dlb_type frames_remote_type = {.name = "frames.Remote",
                                     .ndim = 2,
                                     .describe = describe_frame,
                                     .retain = retain_frame,
                                     .release = release_frame,
                                     .sync = remote_sync,
                                     .to_cpu = remote_to_cpu};

const dlb_type frames_silent_type = {.name = "frames.Silent",
                                     .ndim = 2,
                                     .describe = describe_frame,
                                     .retain = retain_frame,
                                     .release = release_frame,
                                     .to_cpu = remote_to_cpu};

static int locked_acquire(void *object, dlb_error *error)
{
    frame_log("acquire\n");
    return failing(object, FRAME_FAIL_ACQUIRE, "lock", error);
}

static void locked_restore(void *object)
{
    (void)object;
    frame_log("restore\n");
}

static void locked_after_write(void *object)
{
    (void)object;
    frame_log("after_write\n");
}

const dlb_type frames_locked_type = {.name = "frames.Locked",
                                     .ndim = 2,
                                     .describe = describe_frame,
                                     .retain = retain_frame,
                                     .release = release_frame,
                                     .acquire = locked_acquire,
                                     .restore = locked_restore,
                                     .after_write = locked_after_write};

const dlb_type frames_frozen_type = {.name = "frames.Frozen",
                                     .ndim = 2,
                                     .describe = describe_frame,
                                     .retain = retain_frame,
                                     .release = release_frame,
                                     .legacy_copy = 1};

const dlb_type frames_copied_type = {.name = "frames.Copied",
                                     .ndim = 2,
                                     .describe = describe_frame,
                                     .retain = retain_frame,
                                     .release = release_frame,
                                     .copy = DLB_COPY_ALWAYS};

/* ---- A struct that is passed by value ---- */

static int value_describe(void *object, dlb_view *view, dlb_error *error)
{
    describe_bytes(view, object, 0);
    return dlb_view_finish(view, error);
}

/* A copy of the struct shows memory of the frame that it was copied from. */
const dlb_type frames_value_type = {.name = "frames.Value",
                                    .ndim = 2,
                                    .describe = value_describe,
                                    .state = sizeof(frame_t),
                                    .value = sizeof(frame_t)};

/* ---- Released with the GIL only ---- */

static atomic_int without_gil;
static atomic_int leaving; /* releases leave an exception */

void frames_leave(int whether);
void frames_leave(int whether)
{
    atomic_store(&leaving, whether);
}

int frames_without_gil(void);
int frames_without_gil(void)
{
    return atomic_exchange(&without_gil, 0);
}

static bool is_attached(void)
{
#if defined(Py_LIMITED_API)
    return PyThreadState_GetDict() != NULL;
#else
    return PyGILState_Check() != 0;
#endif
}

static void gil_release(void *object)
{
    if (!Py_IsInitialized() || !is_attached() || PyErr_Occurred() != NULL) {
        (void)atomic_fetch_add(&without_gil, 1);
    } else if (atomic_load(&leaving)) {
        PyErr_SetString(PyExc_ZeroDivisionError, "left by a release");
    }
    frame_unref(object);
}

imported_with frames_imported;

static void import_defaults(void *params)
{
    ((import_params *)params)->label = "no label";
}

static void *gil_make(dlb_source *source, dlb_error *error)
{
    frame_t *const made = frame_new(1, 0, 0);

    (void)error;
    if (source->params != NULL) {
        const import_params *const params = source->params;

        frames_imported.rate = params->rate;
        (void)snprintf(frames_imported.label, sizeof frames_imported.label, "%s", params->label);
    }
    if (made != NULL) {
        made->rows = source->shape[0];
        made->columns = source->shape[1];
        made->bytes = source->data;
    }
    return made;
}

static void *gil_allocate(dlb_source *source, dlb_error *error)
{
    (void)error;
    return frame_new(1, source->shape[0], source->shape[1]);
}

static const dlb_param gil_import_params[] = {DLB_PARAM(import_params, rate, 1), DLB_PARAM(import_params, label, 0)};

static const dlb_requirements gil_import_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_COMPACT | DLB_WRITABLE,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory gil_importer = {
    .make = gil_make,
    .destroy = gil_release,
    .require = &gil_import_requirements,
    .params = gil_import_params,
    .param_count = 2,
    .params_size = sizeof(import_params),
    .defaults = import_defaults,
};

static const dlb_requirements gil_allocate_requirements = {
    .min_ndim = 2,
    .max_ndim = 2,
    .dtypes = (const DLDataType[]){{kDLUInt, 8, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_factory gil_allocator = {
    .make = gil_allocate,
    .destroy = gil_release,
    .require = &gil_allocate_requirements,
};

const dlb_type frames_gil_type = {.name = "frames.Gil",
                                  .ndim = 2,
                                  .describe = describe_frame,
                                  .retain = retain_frame,
                                  .release = gil_release,
                                  .importer = &gil_importer,
                                  .allocator = &gil_allocator,
                                  .shares = SHARED,
                                  .release_on = DLB_RELEASE_GIL};
