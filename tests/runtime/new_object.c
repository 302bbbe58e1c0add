/* SPDX-License-Identifier: MIT */
/* What a new object of an import gets: params, a state, the struct itself by value; and that it is described between
 * acquire and restore. */
#include "blob.h"
#include "check.h"

static dlb_error error;

static const dlb_factory plain_factory = {FACTORY, .require = &blob_requirements};

/* ---- Params ---- */

static void blob_defaults(void *params)
{
    ((blob_params *)params)->plane = 3;
}

static const dlb_param blob_param_list[] = {DLB_PARAM(blob_params, plane, 0), DLB_PARAM(blob_params, label, 0)};
static const dlb_param needed_param_list[] = {DLB_PARAM(blob_params, label, 1)};

static const dlb_factory params_factory = {FACTORY, .require = &blob_requirements, .params = blob_param_list, .param_count = 2,
                                       .params_size = sizeof(blob_params), .defaults = blob_defaults};
static const dlb_factory needy_factory = {FACTORY, .require = &blob_requirements, .params = needed_param_list, .param_count = 1,
                                      .params_size = sizeof(blob_params)};

static const dlb_type plain_type = TYPE(plain_factory), params_type = TYPE(params_factory),
                      needy_type = TYPE(needy_factory);

static void test_a_new_object_gets_its_params(void)
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
                "blobs.Blob: from_dlpack() needs the argument 'label'");
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

static const dlb_factory held_factory = {FACTORY, .require = &blob_requirements}, held_allocator = {FACTORY, .require = &blob_requirements};
static const dlb_factory value_factory = {.make = value_make, .destroy = value_destroy, .require = &blob_requirements,
                                        .box = sizeof(blob) + 100};

static void test_a_new_object_gets_a_state(void)
{
    dlb_factory importer = held_factory, allocator = held_allocator;
    dlb_type type = {.name = "blobs.Held", .ndim = 2, .describe = held_describe, .state = sizeof(held_state),
                     .defaults = held_defaults, .hold = held_hold, .clone = held_clone, .importer = &importer,
                     .allocator = &allocator};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner = NULL;
    foreign source;

    importer.destroy = allocator.destroy = held_destroy;
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

static void test_a_new_object_can_live_by_value(void)
{
    static const dlb_type type = {.name = "blobs.Value", .ndim = 2, .describe = value_describe,
                                  .state = sizeof(value_state), .value = sizeof(blob), .importer = &value_factory};
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
                                  .importer = &plain_factory, .acquire = blob_acquire, .restore = blob_restore,
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
    test_a_new_object_gets_its_params();
    test_a_new_object_gets_a_state();
    test_a_new_object_can_live_by_value();
    test_a_new_object_is_acquired();
    CHECK_EQUAL(blobs_living, 0);
    return checks_result();
}
