/* SPDX-License-Identifier: MIT */
/* Imports that copy, that lend their memory to the library, that have params, and that make a state. */
#include "check.h"
#include "dlb_describe.h"
#include "foreign.h"

#include <stdlib.h>

static dlb_error error;
static const DLDataType uint16 = {kDLUInt, 16, 1};
static uint16_t memory[64];

/* A library that keeps memory until it calls back. */
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

static void blob_end(blob *self)
{
    ended++;
    if (self->user != NULL) {
        dlb_lease_end(self->user);
    }
    free(self);
}

static void blob_free(void *object)
{
    blobs_living--;
    if (mood >= LIES_AND_KEEPS) {
        kept = object;
    } else {
        blob_end(object);
    }
}

static void *blob_make(dlb_source *source, dlb_error *failure)
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

static int blob_describe(void *object, dlb_view *view, dlb_error *failure)
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

static void blob_defaults(void *params)
{
    ((blob_params *)params)->plane = 3;
}

static const dlb_param blob_param_list[] = {DLB_PARAM(blob_params, plane, 0), DLB_PARAM(blob_params, label, 0)};
static const dlb_param needed_param_list[] = {DLB_PARAM(blob_params, label, 1)};

#define MAKER                                                                                                          \
    .make = blob_make, .destroy = blob_free, .min_ndim = 2, .max_ndim = 2, .dtypes = &uint16, .dtype_count = 1,        \
    .devices = (const DLDeviceType[]){kDLCPU}, .device_count = 1
#define TYPE(maker) {.name = "blobs.Blob", .ndim = 2, .describe = blob_describe, .importer = &(maker)}

static const dlb_maker plain_maker = {MAKER};
static const dlb_maker lease_maker = {MAKER, .lease = 1};
static const dlb_maker picky_maker = {MAKER, .layout = DLB_WRITABLE | DLB_COMPACT, .alignment = 64};
static const dlb_maker copy_maker = {MAKER, .layout = DLB_WRITABLE | DLB_COMPACT, .alignment = 64,
                                     .copy = DLB_COPY_ALLOWED};
static const dlb_maker fortran_maker = {MAKER, .layout = DLB_COMPACT, .order = DLB_ORDER_F, .copy = DLB_COPY_ALLOWED};
static const dlb_maker always_maker = {MAKER, .copy = DLB_COPY_ALWAYS};
static const DLDeviceType pinned = kDLCUDAHost;
static const dlb_maker pinned_maker = {.make = blob_make, .min_ndim = 2, .max_ndim = 2, .dtypes = &uint16,
                                       .dtype_count = 1, .devices = &pinned, .device_count = 1,
                                       .layout = DLB_COMPACT, .copy = DLB_COPY_ALLOWED};
static const dlb_maker copied_lease_maker = {MAKER, .lease = 1, .copy = DLB_COPY_ALWAYS};
static const dlb_maker params_maker = {MAKER, .params = blob_param_list, .param_count = 2,
                                       .params_size = sizeof(blob_params), .defaults = blob_defaults};
static const dlb_maker needy_maker = {MAKER, .params = needed_param_list, .param_count = 1,
                                      .params_size = sizeof(blob_params)};

static const dlb_type plain_type = TYPE(plain_maker), lease_type = TYPE(lease_maker), picky_type = TYPE(picky_maker),
                      copy_type = TYPE(copy_maker), fortran_type = TYPE(fortran_maker),
                      always_type = TYPE(always_maker), pinned_type = TYPE(pinned_maker),
                      copied_lease_type = TYPE(copied_lease_maker), params_type = TYPE(params_maker),
                      needy_type = TYPE(needy_maker);

static DLManagedTensorVersioned *arrive(foreign *source)
{
    static const int64_t shape[] = {3, 4}, strides[] = {8, 2};

    return foreign_array(source, memory, uint16, 2, shape, strides);
}

/* ---- Copies ---- */

static void check_copied(const dlb_type *type, DLManagedTensorVersioned *tensor, foreign *source, int64_t pitch,
                         int64_t step)
{
    const int64_t from[2] = {source->strides[0], source->strides[1]};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;
    blob *object;

    memset(&error, 0, sizeof error);
    if (dlb_import(type, tensor, &owner, &error) != 0) {
        printf("%s\n", error.message);
        CHECK(!"imported");
        return;
    }
    CHECK_EQUAL(source->deleted, 1); /* at once */
    CHECK_EQUAL(readonly_seen, 0);
    object = dlb_owner_object(owner);
    CHECK_EQUAL((uintptr_t)object->data % 64, 0);
    CHECK(object->pitch == pitch && object->step == step);
    for (int64_t y = 0; y < 3; y++) {
        for (int64_t x = 0; x < 4; x++) {
            CHECK_EQUAL(object->data[y * pitch + x * step], memory[y * from[0] + x * from[1]]);
        }
    }
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->flags, 0); /* what we copied is ours */
    dlb_owner_drop(owner);
    ((uint16_t *)managed->dl_tensor.data)[0] = 0;
    managed->deleter(managed);
    CHECK_EQUAL(source->deleted, 1);
    CHECK_EQUAL(blobs_living, 0);
}

static void test_copies_where_they_are_needed(void)
{
    dlb_owner *owner = NULL;
    foreign source;

    arrive(&source);
    CHECK(dlb_import(&picky_type, &source.versioned, &owner, NULL) == -1);
    check_copied(&copy_type, arrive(&source), &source, 4, 1);
    check_copied(&always_type, arrive(&source), &source, 4, 1);
    check_copied(&fortran_type, arrive(&source), &source, 1, 3);
    arrive(&source)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    check_copied(&copy_type, &source.versioned, &source, 4, 1);
    arrive(&source)->dl_tensor.strides[0] = -8;
    source.versioned.dl_tensor.byte_offset = 32;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(((blob *)dlb_owner_object(owner))->data[4], memory[8]);
    dlb_owner_drop(owner);

    /* What is fine is shared, aligned and all. */
    arrive(&source)->dl_tensor.data = (void *)(((uintptr_t)memory + 63) / 64 * 64);
    source.strides[0] = 4;
    source.strides[1] = 1;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, &error) == 0);
    CHECK(((blob *)dlb_owner_object(owner))->data == source.versioned.dl_tensor.data);
    CHECK_EQUAL(source.deleted, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);

    /* Extents of nothing: no memory, and no reason to refuse. */
    arrive(&source)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    source.shape[0] = 0;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 1);
    dlb_owner_drop(owner);
}

static void test_a_legacy_copy(void)
{
    dlb_owner *owner;
    foreign source;

    arrive(&source);
    CHECK(dlb_import_legacy(&always_type, foreign_legacy(&source), &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 1);
    dlb_owner_drop(owner);
}

static void test_copies_that_do_not_help(void)
{
    dlb_owner *owner = NULL;
    foreign source;

    arrive(&source)->dl_tensor.device.device_type = kDLCUDA;
    CHECK_FAILS(dlb_import(&copy_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: the data is on cuda, not cpu");
    CHECK_FAILS(dlb_import(&always_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: data on cuda cannot be copied by the CPU");
    arrive(&source)->dl_tensor.dtype.bits = 8;
    CHECK_FAILS(dlb_import(&copy_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: the dtype is uint8, not uint16");
    arrive(&source);
    mood = REFUSES;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, NULL) == -1);
    mood = LIES;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, NULL) == -1);
    mood = FINE;
    source.versioned.dl_tensor.device.device_type = kDLCUDAHost; /* a copy would be elsewhere */
    CHECK_FAILS(dlb_import(&pinned_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: the data is on cpu, not cuda_host");
    CHECK_EQUAL(source.deleted, 0);
    CHECK_EQUAL(blobs_living, 0);
}

/* ---- Leases ---- */

static void test_a_lease_outlives_the_owner(void)
{
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;
    foreign source;

    arrive(&source);
    mood = KEEPS;
    CHECK(dlb_import(&lease_type, &source.versioned, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    dlb_owner_drop(owner);
    managed->deleter(managed);
    CHECK_EQUAL(blobs_living, 0);
    CHECK_EQUAL(source.deleted, 0);
    blob_end(kept);
    CHECK_EQUAL(source.deleted, 1);

    arrive(&source); /* the same, of a legacy tensor and with a library that lets go with the object */
    mood = FINE;
    CHECK(dlb_import_legacy(&lease_type, foreign_legacy(&source), &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
}

/* Whatever a failing library does, the tensor stays the caller's. */
static void test_a_lease_that_comes_to_nothing(void)
{
    static const dlb_type *const types[] = {&lease_type, &copied_lease_type};

    for (int i = 0; i < 2; i++) {
        dlb_owner *owner = NULL;
        foreign source;

        arrive(&source);
        mood = REFUSES; /* and never calls back */
        CHECK_FAILS(dlb_import(types[i], &source.versioned, &owner, &error), error, DLB_RUNTIME_ERROR,
                    "blobs.Blob: blob_wrap(data) failed");
        mood = REFUSES_LATE; /* and has called back */
        ended = 0;
        CHECK(dlb_import(types[i], &source.versioned, &owner, NULL) == -1);
        CHECK_EQUAL(ended, 1);
        mood = LIES; /* so that the object is destroyed again */
        CHECK_FAILS(dlb_import(types[i], &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                    "blobs.Blob: the new object shows shape[1] as 5, not 4: the spec does not carry it over");
        CHECK_EQUAL(ended, 2);
        mood = LIES_AND_KEEPS; /* and destroyed, but not forgotten yet */
        CHECK(dlb_import(types[i], &source.versioned, &owner, NULL) == -1);
        blob_end(kept);
        CHECK_EQUAL(ended, 3);
        CHECK(owner == NULL);
        CHECK_EQUAL(source.deleted, 0);
        CHECK_EQUAL(blobs_living, 0);
    }
    mood = FINE;
}

static void test_a_lease_of_a_copy(void)
{
    dlb_owner *owner;
    foreign source;

    arrive(&source);
    mood = KEEPS;
    CHECK(dlb_import(&copied_lease_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 1);
    dlb_owner_drop(owner);
    kept->data[11] = 7; /* it still is the library's */
    blob_end(kept);
    mood = FINE;
    CHECK_EQUAL(source.deleted, 1);
}

/* ---- Params ---- */

static void test_params(void)
{
    const blob_params params = {9, "label"};
    dlb_owner *owner = NULL;
    foreign source;

    arrive(&source);
    CHECK(dlb_import_with(&params_type, &source.versioned, &params, &owner, &error) == 0);
    CHECK_EQUAL(plane_seen, 9);
    dlb_owner_drop(owner);
    arrive(&source);
    CHECK(dlb_import_legacy_with(&params_type, foreign_legacy(&source), &params, &owner, &error) == 0);
    CHECK_EQUAL(plane_seen, 9);
    dlb_owner_drop(owner);
    arrive(&source);
    CHECK(dlb_import(&params_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(plane_seen, 3);
    dlb_owner_drop(owner);
    arrive(&source);
    CHECK(dlb_import(&plain_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(plane_seen, -1);
    dlb_owner_drop(owner);
    owner = NULL;
    arrive(&source);
    CHECK_FAILS(dlb_import(&needy_type, &source.versioned, &owner, &error), error, DLB_TYPE_ERROR,
                "blobs.Blob: its import needs 'label'");
    CHECK(dlb_import_with(&needy_type, &source.versioned, &params, &owner, &error) == 0);
    dlb_owner_drop(owner);
}

/* ---- Objects in states ---- */

typedef struct held_state {
    blob *self;
    int plane;
    int held;
} held_state;

typedef struct value_state {
    blob self;
    int plane;
} value_state;

static int held_holds, hold_fails;

static int held_hold(void *object, dlb_error *failure)
{
    held_state *const state = object;

    CHECK_EQUAL(state->plane, 5);
    held_holds++;
    state->held = 1;
    return hold_fails ? dlb_refuse(failure, "blobs.Held", "no") : 0;
}

static int held_clone(void *object, dlb_error *failure)
{
    (void)object;
    (void)failure;
    CHECK(!"a new object is cloned");
    return 0;
}

static void held_defaults(void *object)
{
    ((held_state *)object)->plane = 5;
}

static int held_describe(void *object, dlb_view *view, dlb_error *failure)
{
    const held_state *const state = object;

    CHECK(state->held == 1 && state->plane == 5);
    return blob_describe(state->self, view, failure);
}

static void held_destroy(void *object)
{
    blob_free(((held_state *)object)->self);
}

static int value_describe(void *object, dlb_view *view, dlb_error *failure)
{
    return blob_describe(&((value_state *)object)->self, view, failure);
}

/* Fills the box, as `set` does. */
static void *value_make(dlb_source *source, dlb_error *failure)
{
    blob *const self = source->box;

    (void)failure;
    self->data = source->data;
    self->height = source->shape[0];
    self->width = source->shape[1];
    self->pitch = source->strides[0];
    self->step = source->strides[1];
    return self;
}

static int values_destroyed;

static void value_destroy(void *object)
{
    CHECK_EQUAL(((value_state *)object)->self.height, 3);
    values_destroyed++;
}

static void *blob_allocate(dlb_source *source, dlb_error *failure)
{
    blob *const self = blob_make(source, failure);

    self->data = memory;
    return self;
}

static const dlb_maker held_maker = {MAKER}, held_allocator = {MAKER};
static const dlb_maker value_maker = {.make = value_make, .destroy = value_destroy, .box = sizeof(blob) + 100,
                                      .min_ndim = 2, .max_ndim = 2, .dtypes = &uint16, .dtype_count = 1,
                                      .devices = (const DLDeviceType[]){kDLCPU}, .device_count = 1};

static void test_a_new_object_gets_a_state(void)
{
    dlb_maker maker = held_maker, allocator = held_allocator;
    dlb_type type = {.name = "blobs.Held", .ndim = 2, .describe = held_describe, .state = sizeof(held_state),
                     .defaults = held_defaults, .hold = held_hold, .clone = held_clone, .importer = &maker,
                     .allocator = &allocator};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner = NULL;
    foreign source;

    maker.destroy = allocator.destroy = held_destroy;
    allocator.make = blob_allocate;
    arrive(&source);
    CHECK(dlb_import(&type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(held_holds, 1);
    CHECK(((blob *)dlb_owner_object(owner))->data == memory);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    managed->deleter(managed);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
    arrive(&source);
    CHECK(dlb_allocate(&type, &source.versioned.dl_tensor, &owner, &error) == 0);
    CHECK_EQUAL(held_holds, 2);
    dlb_owner_drop(owner);
    hold_fails = 1;
    CHECK_FAILS(dlb_import(&type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR, "blobs.Held: no");
    hold_fails = 0;
    CHECK_EQUAL(source.deleted, 0);
    CHECK_EQUAL(blobs_living, 0);
}

static void test_a_new_object_by_value(void)
{
    static const dlb_type type = {.name = "blobs.Value", .ndim = 2, .describe = value_describe,
                                  .state = sizeof(value_state), .value = sizeof(blob), .importer = &value_maker};
    dlb_owner *owner;
    foreign source;

    arrive(&source);
    CHECK(dlb_import(&type, &source.versioned, &owner, &error) == 0);
    CHECK(((blob *)dlb_owner_object(owner))->data == memory);
    dlb_owner_drop(owner);
    CHECK_EQUAL(values_destroyed, 1);
    CHECK_EQUAL(source.deleted, 1);
}

/* A new object is described between acquire and restore, and is no export. */
static int acquired, acquire_fails;

static int blob_acquire(void *object, dlb_error *failure)
{
    (void)object;
    acquired++;
    return acquire_fails ? dlb_refuse(failure, "blobs.Blob", "busy") : 0;
}

static void blob_restore(void *object)
{
    (void)object;
    acquired--;
}

static void test_a_new_object_is_acquired(void)
{
    static const dlb_type type = {.name = "blobs.Blob", .ndim = 2, .describe = blob_describe,
                                  .importer = &plain_maker, .acquire = blob_acquire, .restore = blob_restore,
                                  .copy = DLB_COPY_ALWAYS};
    dlb_owner *owner = NULL;
    foreign source;

    arrive(&source);
    CHECK(dlb_import(&type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(acquired, 0);
    dlb_owner_drop(owner);
    acquire_fails = 1;
    arrive(&source);
    CHECK_FAILS(dlb_import(&type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR, "blobs.Blob: busy");
    CHECK_EQUAL(source.deleted, 0);
    CHECK_EQUAL(blobs_living, 0);
}

int main(void)
{
    for (size_t i = 0; i < 64; i++) {
        memory[i] = (uint16_t)(i * 3);
    }
    test_copies_where_they_are_needed();
    test_a_legacy_copy();
    test_copies_that_do_not_help();
    test_a_lease_outlives_the_owner();
    test_a_lease_that_comes_to_nothing();
    test_a_lease_of_a_copy();
    test_params();
    test_a_new_object_gets_a_state();
    test_a_new_object_by_value();
    test_a_new_object_is_acquired();
    CHECK_EQUAL(blobs_living, 0);
    return checks_result();
}
