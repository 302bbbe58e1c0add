/* SPDX-License-Identifier: MIT */
/* A library that keeps memory until it calls back, and the arrays that the tests give to it.
 * For one file per program. */
#ifndef BLOB_H_
#define BLOB_H_

#include "dlb_emit.h"
#include "foreign.h"

#include <stdlib.h>

static const DLDataType uint16 = {kDLUInt, 16, 1};
static uint16_t memory[64]; /* of all foreign arrays */

typedef struct blob {
    uint16_t *data;
    int64_t height, width, pitch, step;
    void *user;
    int plane;
} blob;

static int blobs_living, ended;
static blob *kept; /* the library still needs its memory after it was freed */
static enum { FINE, REFUSES, REFUSES_LATE, LIES, LIES_AND_KEEPS, KEEPS } mood;
static int readonly_seen, plane_seen;

/* The params of the import. */
typedef struct blob_params {
    int plane;
    const char *label;
} blob_params;

static inline void blob_end(blob *self)
{
    ended++;
    if (self->user != NULL) {
        dlb_lease_end(self->user);
    }
    free(self);
}

static inline void blob_free(void *object)
{
    blobs_living--;
    if (mood >= LIES_AND_KEEPS) {
        kept = object;
    } else {
        blob_end(object);
    }
}

static inline void *blob_make(dlb_source *source, dlb_error *failure)
{
    const blob_params *const params = source->params;
    blob *self;

    readonly_seen = source->readonly;
    if (mood == REFUSES) {
        return dlb_source_call_failed(source, failure, "blob_wrap(data)", NULL);
    }
    self = calloc(1, sizeof *self);
    self->data = source->data;
    self->height = source->shape[0];
    self->width = source->shape[1];
    self->pitch = source->strides[0];
    self->step = source->strides[1];
    self->user = source->user;
    self->plane = plane_seen = params != NULL ? params->plane : -1;
    if (mood == REFUSES_LATE) {
        blob_end(self);
        return dlb_source_call_failed(source, failure, "blob_wrap(data)", NULL);
    }
    if (mood == LIES || mood == LIES_AND_KEEPS) {
        self->width++;
    }
    blobs_living++;
    return self;
}

static inline int blob_describe(void *object, dlb_view *view, dlb_error *failure)
{
    const blob *const self = object;

    view->tensor->dtype = uint16;
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(self->height));
    dlb_extent(view, 1, DLB_INTEGER(self->width));
    dlb_stride(view, 0, DLB_INTEGER(self->pitch));
    dlb_stride(view, 1, DLB_INTEGER(self->step));
    DLB_DATA(view, self->data);
    return dlb_view_finish(view, failure);
}

/* Members of requirements and of a factory for these, and a type with such a factory. */
#define REQUIRE                                                                                                        \
    .min_ndim = 2, .max_ndim = 2, .dtypes = &uint16, .dtype_count = 1, .devices = (const DLDeviceType[]){kDLCPU},      \
    .device_count = 1
#define FACTORY .make = blob_make, .destroy = blob_free
#define TYPE(factory) {.name = "blobs.Blob", .ndim = 2, .describe = blob_describe, .importer = &(factory)}

static const dlb_requirements blob_requirements = {REQUIRE};

static inline DLManagedTensorVersioned *arrive(foreign *source)
{
    static const int64_t shape[] = {3, 4}, strides[] = {8, 2};

    return foreign_array(source, memory, uint16, 2, shape, strides);
}

#endif
