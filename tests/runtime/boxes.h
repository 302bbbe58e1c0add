/* SPDX-License-Identifier: MIT */
/* Boxes, which a library counts references of, and the types that a spec may say of them. For one file per program. */
#ifndef BOXES_H_
#define BOXES_H_

#include "check.h"
#include "dlb_emit.h"
#include "mallocs.h"

#include <stdlib.h>

static dlb_error error;

/* A library that counts references. */
typedef struct box {
    int references;
    int number;
} box;

static int boxes_living, released, retained, hold_fails;

static inline box *box_new(int number)
{
    box *const self = calloc(1, sizeof *self);

    *self = (box){1, number};
    boxes_living++;
    return self;
}

static inline void box_unref(box *self)
{
    released++;
    if (--self->references == 0) {
        boxes_living--;
        free(self);
    }
}

/* ---- Types as in a generated file ---- */

static inline void box_release(void *object)
{
    box_unref(object);
}

static inline void box_retain(void *object)
{
    ((box *)object)->references++;
    retained++;
}

typedef struct box_state {
    box *self;
    int held; /* the number of the box */
} box_state;

static int held_at_release;

static inline int state_hold(void *object, dlb_error *failure)
{
    box_state *const state = object;

    if (hold_fails) {
        return dlb_refuse(failure, "boxes.Held", "no number");
    }
    state->held = state->self->number;
    return 0;
}

static inline int state_clone(void *object, dlb_error *failure)
{
    (void)failure;
    box_retain(((box_state *)object)->self);
    return 0;
}

static inline void state_release(void *object)
{
    held_at_release = ((box_state *)object)->held;
    box_unref(((box_state *)object)->self);
}

/* One byte, which is the object itself. */
static inline int byte_describe(void *object, dlb_view *view, dlb_error *failure)
{
    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(1));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, (uint8_t *)object);
    return dlb_view_finish(view, failure);
}

static inline void *byte_make(dlb_source *source, dlb_error *failure)
{
    (void)failure;
    return source->data;
}

#define STATE .state = sizeof(box_state), .hold = state_hold, .release = state_release
static const dlb_type plain_type = {.name = "boxes.Plain", .shares = "box", .release = box_release};
static const dlb_type counted_type = {.name = "boxes.Counted", .retain = box_retain, .release = box_release};
static const dlb_type held_type = {.name = "boxes.Held", STATE};
static const dlb_type cloned_type = {.name = "boxes.Cloned", STATE, .clone = state_clone};
static const dlb_type borrowed_type = {.name = "boxes.Borrowed"};
static const dlb_type creator_type = {
    .name = "boxes.Creator", .release = box_release, .release_on = DLB_RELEASE_CREATOR};
static const DLDeviceType devices[] = {kDLCPU};
static const dlb_requirements byte_requirements = {.min_ndim = 1, .max_ndim = 1, .devices = devices, .device_count = 1};
static const dlb_factory byte_factory = {.make = byte_make, .require = &byte_requirements};
static const dlb_type byte_type = {.name = "boxes.Byte", .ndim = 1, .describe = byte_describe, .importer = &byte_factory};
static const dlb_type other_type = {.name = "boxes.Other", .shares = "box"};

static inline void start_counting(void)
{
    released = 0;
    retained = 0;
    held_at_release = 0;
}

#endif
