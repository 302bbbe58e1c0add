/* SPDX-License-Identifier: MIT */
/* Owners with a state: params, held values, clones, parts of a whole. */
#include "check.h"
#include "dlb_emit.h"

#include <stdlib.h>

static dlb_error error;

/* A library with handles: several to one picture, each with its own count of uses. */
typedef struct frame {
    uint8_t *planes[2];
    int height;
    int width;
    int cloned_from; /* number of the frame that this one was made of */
    int number;
} frame;

static int frames_living, frames_made, frames_released, retained, clones_to_fail;
static uint8_t memory[2][12];

static frame *frame_new(int cloned_from)
{
    frame *const self = calloc(1, sizeof *self);

    *self = (frame){{memory[0], memory[1]}, 3, 4, cloned_from, ++frames_made};
    frames_living++;
    return self;
}

static void frame_free(frame *self)
{
    frames_living--;
    frames_released++;
    free(self);
}

/* ---- Types as in a generated file ---- */

typedef struct plane_state {
    frame *self;
    int plane;
    int held; /* the number of the frame when the owner was made */
} plane_state;

static int holds, hold_fails;

static int plane_hold(void *object, dlb_error *failure)
{
    plane_state *const state = object;

    holds++;
    if (hold_fails) {
        return dlb_call_failed(failure, "states.Plane", "frame_number(self)", NULL);
    }
    state->held = state->self->number;
    return 0;
}

static int plane_clone(void *object, dlb_error *failure)
{
    plane_state *const state = object;

    if (clones_to_fail > 0) {
        clones_to_fail--;
        return dlb_call_failed(failure, "states.Plane", "frame_clone(self)", "no more frames");
    }
    state->self = frame_new(state->self->number);
    return 0;
}

static void plane_release(void *object)
{
    frame_free(((plane_state *)object)->self);
}

static void plane_retain(void *object)
{
    (void)object;
    retained++;
}

static int plane_describe(void *object, dlb_view *view, dlb_error *failure)
{
    const plane_state *const state = object;

    if (state->plane < 0 || state->plane > 1) {
        return dlb_view_refuse(view, failure, "no such plane");
    }
    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(state->self->height));
    dlb_extent(view, 1, DLB_INTEGER(state->self->width));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, state->self->planes[state->plane]);
    dlb_readonly(view, state->held == 0);
    return dlb_view_finish(view, failure);
}

static void plane_defaults(void *state)
{
    ((plane_state *)state)->plane = 1;
}

static const dlb_param plane_params[] = {DLB_PARAM(plane_state, plane, 0)};

#define PLANE                                                                                                          \
    .ndim = 2, .describe = plane_describe, .state = sizeof(plane_state), .shares = "frame", .params = plane_params,    \
    .param_count = 1, .defaults = plane_defaults, .hold = plane_hold
static const dlb_type cloned_type = {.name = "states.Plane", PLANE, .clone = plane_clone, .release = plane_release};
static const dlb_type moved_type = {.name = "states.Plane", PLANE, .release = plane_release};
static const dlb_type retained_type = {.name = "states.Plane", PLANE, .retain = plane_retain};

static void frame_release(void *object)
{
    frame_free(object);
}
static const dlb_type frame_type = {.name = "states.Frame", .shares = "frame", .release = frame_release};
static const dlb_type stranger_type = {.name = "states.Stranger", .shares = "stranger", .ndim = 2};
static const dlb_type lonely_type = {.name = "states.Lonely", .ndim = 2};

/* ---- One owner ---- */

static void test_a_state_is_copied_and_cloned(void)
{
    frame *const object = frame_new(0);
    plane_state state = {object, 1, 0};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;
    dlb_view view;

    holds = 0;
    CHECK(dlb_own(&cloned_type, &state, &owner, &error) == 0);
    CHECK(state.self == object && state.held == 0); /* the caller's state is only read */
    state.plane = 7;
    CHECK(((frame *)dlb_owner_object(owner))->cloned_from == object->number);
    CHECK((uintptr_t)owner % 8 == 0);
    object->height = 99; /* not what the owner holds */
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK(managed->dl_tensor.data == memory[1] && managed->dl_tensor.shape[0] == 3);
    CHECK_EQUAL(managed->flags, 0); /* hold came before clone, and once */
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK_EQUAL(holds, 1);
    CHECK_EQUAL(frames_living, 2);
    dlb_owner_drop(owner);
    managed->deleter(managed);
    CHECK_EQUAL(frames_living, 1);
    frame_free(object);
}

static void test_a_state_can_be_moved_and_retained(void)
{
    plane_state state = {frame_new(0), 0, 0};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;

    retained = 0;
    CHECK(dlb_own(&retained_type, &state, &owner, &error) == 0);
    CHECK_EQUAL(retained, 1);
    CHECK(dlb_owner_object(owner) == state.self);
    dlb_owner_drop(owner);
    CHECK_EQUAL(frames_living, 1);
    CHECK(dlb_to_dlpack(&moved_type, &state, &managed, &error) == 0);
    CHECK(managed->dl_tensor.data == memory[0]);
    managed->deleter(managed);
    CHECK_EQUAL(frames_living, 0);
}

/* Whatever fails leaves the object with the caller, and nothing behind. */
static void test_failures_leave_the_object_with_the_caller(void)
{
    frame *const object = frame_new(0);
    plane_state state = {object, 2, 0};
    DLManagedTensorVersioned *managed = NULL;
    dlb_owner *owner = NULL;

    CHECK_FAILS(dlb_to_dlpack(&cloned_type, &state, &managed, &error), error, DLB_BUFFER_ERROR,
                "states.Plane: no such plane");
    CHECK_EQUAL(frames_living, 1); /* the clone is gone */
    CHECK_FAILS(dlb_to_dlpack(&moved_type, &state, &managed, &error), error, DLB_BUFFER_ERROR,
                "states.Plane: no such plane");
    CHECK_EQUAL(frames_living, 1); /* it has not moved */
    clones_to_fail = 2;
    CHECK_FAILS(dlb_own(&cloned_type, &state, &owner, &error), error, DLB_RUNTIME_ERROR,
                "states.Plane: frame_clone(self) failed: no more frames");
    CHECK(dlb_own(&cloned_type, &state, &owner, NULL) == -1);
    hold_fails = 1;
    retained = 0;
    CHECK_FAILS(dlb_own(&retained_type, &state, &owner, &error), error, DLB_RUNTIME_ERROR,
                "states.Plane: frame_number(self) failed");
    CHECK_FAILS(dlb_own(&cloned_type, &state, &owner, &error), error, DLB_RUNTIME_ERROR,
                "states.Plane: frame_number(self) failed");
    CHECK_EQUAL(retained, 0);
    hold_fails = 0;
    state.self = NULL;
    CHECK_FAILS(dlb_own(&moved_type, &state, &owner, &error), error, DLB_VALUE_ERROR,
                "states.Plane: the object is NULL");
    CHECK_FAILS(dlb_own(&moved_type, NULL, &owner, &error), error, DLB_VALUE_ERROR,
                "states.Plane: the object is NULL");
    CHECK(owner == NULL && managed == NULL);
    CHECK_EQUAL(frames_living, 1);
    frame_free(object);
}

static void test_a_view_holds_for_itself(void)
{
    frame *const object = frame_new(0);
    plane_state state = {object, 1, 0};
    dlb_view view;

    holds = 0;
    CHECK(dlb_describe(&cloned_type, &state, &view, &error) == 0);
    CHECK(view.tensor->data == memory[1]);
    CHECK_EQUAL(view.flags, 0);
    CHECK_EQUAL(state.held, object->number);
    CHECK_EQUAL(holds, 1);
    hold_fails = 1;
    CHECK(dlb_describe(&cloned_type, &state, &view, &error) == -1);
    hold_fails = 0;
    CHECK_EQUAL(frames_living, 1);
    frame_free(object);
}

static void test_undoing_an_owner_leaves_the_object_alive(void)
{
    frame *const object = frame_new(0);
    plane_state state = {object, 1, 0};
    dlb_owner *owner;

    CHECK(dlb_own(&moved_type, &state, &owner, &error) == 0);
    dlb_owner_undo(owner);
    CHECK_EQUAL(frames_living, 1);
    CHECK(dlb_own(&cloned_type, &state, &owner, &error) == 0);
    CHECK_EQUAL(frames_living, 2);
    dlb_owner_undo(owner);
    CHECK_EQUAL(frames_living, 1);
    frame_free(object);
}

/* ---- Parts ---- */

static void test_parts_keep_the_whole(void)
{
    frame *const object = frame_new(0);
    plane_state state = {NULL, 1, 0};
    DLManagedTensorVersioned *managed;
    dlb_owner *whole, *part, *again;
    dlb_view view;

    CHECK(dlb_own(&frame_type, object, &whole, &error) == 0);
    CHECK_FAILS(dlb_export(whole, &managed, &error), error, DLB_TYPE_ERROR, "states.Frame is not an array");
    CHECK(dlb_export_copy(whole, &managed, NULL) == -1);
    CHECK(dlb_export_legacy(whole, NULL, NULL) == -1);
    CHECK(dlb_owner_view(whole, &view, NULL) == -1);
    CHECK_FAILS(dlb_describe(&frame_type, object, &view, &error), error, DLB_TYPE_ERROR, "states.Frame is not an array");

    frames_released = 0;
    CHECK(dlb_own_part(whole, &cloned_type, &state, &part, &error) == 0);
    CHECK(dlb_owner_object(part) == object); /* a part neither clones */
    CHECK(state.self == NULL);
    state.plane = 0;
    CHECK(dlb_own_part(part, &moved_type, &state, &again, &error) == 0); /* of a part: of its whole */
    CHECK(dlb_owner_object(again) == object);
    dlb_owner_drop(whole);
    dlb_owner_drop(part);
    CHECK(dlb_export(again, &managed, &error) == 0);
    CHECK(managed->dl_tensor.data == memory[0]);
    dlb_owner_drop(again);
    CHECK_EQUAL(frames_released, 0);
    managed->deleter(managed);
    CHECK_EQUAL(frames_released, 1); /* nor releases */
    CHECK_EQUAL(frames_living, 0);
}

static void test_parts_of_another_type_are_refused(void)
{
    plane_state state = {NULL, 1, 0};
    dlb_owner *whole, *part = NULL;

    CHECK(dlb_own(&frame_type, frame_new(0), &whole, &error) == 0);
    CHECK_FAILS(dlb_own_part(whole, &stranger_type, NULL, &part, &error), error, DLB_TYPE_ERROR,
                "states.Stranger cannot be made of states.Frame: they are of different C types");
    CHECK(dlb_own_part(whole, &lonely_type, NULL, &part, NULL) == -1);
    hold_fails = 1;
    CHECK(dlb_own_part(whole, &cloned_type, &state, &part, &error) == -1);
    hold_fails = 0;
    CHECK(part == NULL);
    /* No params given: their defaults. */
    CHECK(dlb_own_part(whole, &cloned_type, NULL, &part, &error) == 0);
    dlb_owner_drop(whole);
    CHECK_EQUAL(frames_living, 1);
    {
        dlb_view view;

        CHECK(dlb_owner_view(part, &view, &error) == 0);
        CHECK(view.tensor->data == memory[1]);
    }
    dlb_owner_drop(part);
    CHECK_EQUAL(frames_living, 0);
}

int main(void)
{
    test_a_state_is_copied_and_cloned();
    test_a_state_can_be_moved_and_retained();
    test_failures_leave_the_object_with_the_caller();
    test_a_view_holds_for_itself();
    test_undoing_an_owner_leaves_the_object_alive();
    test_parts_keep_the_whole();
    test_parts_of_another_type_are_refused();
    CHECK_EQUAL(frames_living, 0);
    return checks_result();
}
