/* SPDX-License-Identifier: MIT */
/* What happens around exports: acquire, restore, after_write, before_read, sync, and legacy copies of read-only data. */
#include "check.h"
#include "dlb_emit.h"

static dlb_error error;

/* A surface whose memory is mapped only while it is acquired. */
typedef struct surface {
    uint8_t memory[6];
    int mapped;
    int locked; /* read-only */
    int broken;
    int lost; /* cannot be acquired */
    char log[64]; /* what happened: a(cquire), r(estore), w(ritten), f(lush before a reading), s(ync) */
} surface;

static void note(surface *self, char what)
{
    const size_t used = strlen(self->log);

    if (used + 1 < sizeof self->log) {
        self->log[used] = what;
    }
}

/* Compares the log and empties it. */
static int happened(surface *self, const char *expected)
{
    const int same = strcmp(self->log, expected) == 0;

    if (!same) {
        printf("it happened: '%s'\n", self->log);
    }
    memset(self->log, 0, sizeof self->log);
    return same;
}

static int surface_describe(void *object, dlb_view *view, dlb_error *failure)
{
    surface *const self = object;

    if (view->exporting) {
        note(self, 'f');
    }
    if (self->broken) {
        return dlb_view_refuse(view, failure, "the surface is broken");
    }
    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(sizeof self->memory));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, self->mapped ? self->memory : NULL);
    dlb_readonly(view, self->locked);
    return dlb_view_finish(view, failure);
}

static int surface_acquire(void *object, dlb_error *failure)
{
    surface *const self = object;

    if (self->lost) {
        return dlb_call_failed(failure, "surfaces.Surface", "surface_map(self)", "it is lost");
    }
    CHECK(!self->mapped);
    note(self, 'a');
    self->mapped = 1;
    return 0;
}

static void surface_restore(void *object)
{
    surface *const self = object;

    CHECK(self->mapped);
    note(self, 'r');
    self->mapped = 0;
}

static void surface_after_write(void *object)
{
    CHECK(((surface *)object)->mapped);
    note(object, 'w');
}

static int surface_sync(void *object, intptr_t stream, dlb_error *failure)
{
    note(object, 's');
    return stream == 7 ? dlb_call_failed(failure, "surfaces.Surface", "surface_wait(self)", NULL) : 0;
}

#define SURFACE .name = "surfaces.Surface", .ndim = 1, .describe = surface_describe
static const dlb_type surface_type = {SURFACE, .acquire = surface_acquire, .restore = surface_restore,
                                      .after_write = surface_after_write, .sync = surface_sync};
static const dlb_type copying_type = {SURFACE, .acquire = surface_acquire, .restore = surface_restore,
                                      .after_write = surface_after_write, .legacy_copy = 1};
static const dlb_type written_type = {SURFACE, .after_write = surface_after_write};
static const dlb_type plain_type = {SURFACE, .legacy_copy = 1};

static void test_hooks_run_for_the_first_and_the_last_export(void)
{
    surface object = {.mapped = 0};
    DLManagedTensorVersioned *first, *second, *third;
    DLManagedTensor *legacy;
    dlb_owner *owner;

    CHECK(dlb_own(&surface_type, &object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &first, &error) == 0);
    CHECK(first->manager_ctx == owner);
    CHECK(happened(&object, "af"));
    CHECK(dlb_export(owner, &second, &error) == 0);
    CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
    CHECK(happened(&object, "ff"));
    first->deleter(first);
    second->deleter(second);
    CHECK(happened(&object, "")); /* the legacy one may write */
    object.locked = 1;
    CHECK(dlb_export(owner, &third, &error) == 0);
    third->flags = 0; /* whatever consumers do to it */
    object.locked = 0;
    legacy->deleter(legacy);
    CHECK(happened(&object, "fw"));
    third->deleter(third);
    CHECK(happened(&object, "r"));
    CHECK_EQUAL(dlb_owner_exports(owner), 0);

    /* From the beginning; the owner goes first. */
    CHECK(dlb_export(owner, &first, &error) == 0);
    dlb_owner_drop(owner);
    CHECK(happened(&object, "af"));
    first->deleter(first);
    CHECK(happened(&object, "wr"));
}

static void test_exports_outside_the_slot_share_the_access_scope(void)
{
    surface object = {.locked = 1};
    DLManagedTensorVersioned *managed[3];
    dlb_owner *owner;

    CHECK(dlb_own(&surface_type, &object, &owner, &error) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(dlb_export(owner, &managed[i], &error) == 0);
    }
    for (int i = 0; i < 3; i++) {
        CHECK(object.mapped);
        managed[i]->deleter(managed[i]);
    }
    CHECK(happened(&object, "afffr")); /* nobody could write */
    dlb_owner_drop(owner);
}

static void test_a_failing_export_leaves_the_access_scope(void)
{
    surface object = {.broken = 1};
    DLManagedTensorVersioned *managed, *none = NULL;
    DLManagedTensor *legacy = NULL;
    dlb_owner *owner;
    dlb_view view;

    CHECK(dlb_own(&surface_type, &object, &owner, &error) == 0);
    CHECK_FAILS(dlb_export(owner, &none, &error), error, DLB_BUFFER_ERROR, "surfaces.Surface: the surface is broken");
    CHECK(happened(&object, "afr"));
    CHECK(dlb_export_copy(owner, &none, NULL) == -1);
    CHECK(happened(&object, "afr"));
    CHECK(dlb_owner_view(owner, &view, NULL) == -1);
    CHECK(happened(&object, "ar"));
    object.broken = 0;
    object.lost = 1;
    CHECK_FAILS(dlb_export(owner, &none, &error), error, DLB_RUNTIME_ERROR,
                "surfaces.Surface: surface_map(self) failed: it is lost");
    CHECK(dlb_export_legacy(owner, &legacy, NULL) == -1);
    CHECK(dlb_export_copy(owner, &none, NULL) == -1);
    CHECK(dlb_owner_view(owner, &view, NULL) == -1);
    CHECK(happened(&object, ""));
    object.lost = 0;
    object.locked = 1;
    CHECK_FAILS(dlb_export_legacy(owner, &legacy, &error), error, DLB_BUFFER_ERROR,
                "surfaces.Surface: read-only data needs a versioned capsule: pass max_version=(1, 0) or later");
    CHECK(happened(&object, "afr"));
    CHECK(dlb_export(owner, &managed, &error) == 0);
    object.broken = 1;
    CHECK(dlb_export(owner, &none, NULL) == -1);
    CHECK(happened(&object, "aff")); /* not restored: one lives */
    CHECK(none == NULL && legacy == NULL);
    CHECK_EQUAL(dlb_owner_exports(owner), 1);
    managed->deleter(managed);
    dlb_owner_drop(owner);
}

static void test_views_and_copies_have_an_access_scope_of_their_own(void)
{
    surface object = {.memory = {1, 2, 3}};
    DLManagedTensorVersioned *copy;
    DLManagedTensor *legacy;
    dlb_owner *owner;
    dlb_view view;

    CHECK(dlb_own(&surface_type, &object, &owner, &error) == 0);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK(happened(&object, "ar"));
    CHECK(view.tensor->data == NULL && view.tensor->shape[0] == 6 && view.tensor->strides[0] == 1);
    CHECK(dlb_export_copy(owner, &copy, &error) == 0);
    CHECK(happened(&object, "afr"));
    CHECK(((uint8_t *)copy->dl_tensor.data)[2] == 3);
    CHECK_EQUAL(copy->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    CHECK(dlb_export_copy_legacy(owner, &legacy, &error) == 0);
    CHECK(happened(&object, "afr"));
    dlb_owner_drop(owner);
    copy->deleter(copy);
    legacy->deleter(legacy);
    CHECK(happened(&object, ""));
    CHECK_FAILS(dlb_describe(&surface_type, &object, &view, &error), error, DLB_TYPE_ERROR,
                "surfaces.Surface: its data exists only while an owner exports it");
}

static void test_after_write_runs_without_other_hooks(void)
{
    surface object = {.mapped = 1};
    DLManagedTensorVersioned *first, *second;
    dlb_owner *owner;
    dlb_view view;

    CHECK(dlb_own(&written_type, &object, &owner, &error) == 0);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK(view.tensor->data == object.memory); /* it is always there */
    CHECK(dlb_describe(&written_type, &object, &view, &error) == 0);
    CHECK(happened(&object, ""));
    CHECK(dlb_export(owner, &first, &error) == 0);
    CHECK(dlb_export(owner, &second, &error) == 0);
    second->deleter(second);
    CHECK(happened(&object, "ff"));
    first->deleter(first);
    CHECK(happened(&object, "w"));
    dlb_owner_drop(owner);
}

static void test_sync_waits_and_reports_failures(void)
{
    surface object = {.mapped = 1};
    dlb_owner *owner;

    CHECK(dlb_own(&surface_type, &object, &owner, &error) == 0);
    CHECK(dlb_owner_sync(owner, 1, &error) == 0);
    CHECK_FAILS(dlb_owner_sync(owner, 7, &error), error, DLB_RUNTIME_ERROR,
                "surfaces.Surface: surface_wait(self) failed");
    CHECK(happened(&object, "ss"));
    dlb_owner_drop(owner);
    CHECK(dlb_own(&plain_type, &object, &owner, &error) == 0);
    CHECK(dlb_owner_sync(owner, 7, &error) == 0);
    dlb_owner_drop(owner);
}

/* Read-only data is copied for a consumer that has no flag for it, where the spec declares so. */
static void test_read_only_data_is_copied_for_a_legacy_consumer(void)
{
    static const dlb_type *const types[] = {&copying_type, &plain_type};

    for (int i = 0; i < 2; i++) {
        surface object = {.memory = {1, 2, 3, 4}, .locked = 1, .mapped = i};
        DLManagedTensor *legacy;
        dlb_owner *owner;

        CHECK(dlb_own(types[i], &object, &owner, &error) == 0);
        CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
        CHECK(legacy->dl_tensor.data != object.memory && ((uint8_t *)legacy->dl_tensor.data)[3] == 4);
        CHECK_EQUAL((uintptr_t)legacy->dl_tensor.data % 64, 0);
        CHECK_EQUAL(dlb_owner_exports(owner), 0);
        CHECK(happened(&object, i == 0 ? "afr" : "f"));
        legacy->deleter(legacy);
        object.locked = 0;
        CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
        CHECK(legacy->dl_tensor.data == object.memory);
        legacy->deleter(legacy);
        CHECK(happened(&object, i == 0 ? "afwr" : "f"));
        dlb_owner_drop(owner);
    }
}

int main(void)
{
    test_hooks_run_for_the_first_and_the_last_export();
    test_exports_outside_the_slot_share_the_access_scope();
    test_a_failing_export_leaves_the_access_scope();
    test_views_and_copies_have_an_access_scope_of_their_own();
    test_after_write_runs_without_other_hooks();
    test_sync_waits_and_reports_failures();
    test_read_only_data_is_copied_for_a_legacy_consumer();
    return checks_result();
}
