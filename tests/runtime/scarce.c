/* SPDX-License-Identifier: MIT */
/* Every malloc() of states, parts, access scopes, gathered copies, leases and mailboxes fails once: nothing is half done. */
#include "check.h"
#include "dlb_emit.h"
#include "foreign.h"
#include "mallocs.h"

static dlb_error error;

typedef struct table {
    uint8_t *rows[3];
    int acquired, released, cloned;
    void *user;
} table;

typedef struct table_state {
    table *self;
    int64_t height;
} table_state;

static uint8_t memory[3][4];

static int table_describe(void *object, dlb_view *view, dlb_error *failure)
{
    const table_state *const state = object;

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(state->height));
    dlb_extent(view, 1, DLB_INTEGER(2));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, state->self->rows[0]);
    DLB_ROWS(view, 0, state->self->rows);
    return dlb_view_finish(view, failure);
}

static int table_acquire(void *object, dlb_error *failure)
{
    (void)failure;
    ((table_state *)object)->self->acquired++;
    return 0;
}

static void table_restore(void *object)
{
    ((table_state *)object)->self->acquired--;
}

static int table_clone(void *object, dlb_error *failure)
{
    (void)failure;
    ((table_state *)object)->self->cloned++;
    return 0;
}

static void table_release(void *object)
{
    table *const self = ((table_state *)object)->self;

    self->released++;
    if (self->user != NULL) {
        dlb_lease_end(self->user);
        self->user = NULL;
    }
}

static table made_table;

static void *table_make(dlb_source *source, dlb_error *failure)
{
    (void)failure;
    made_table.rows[0] = source->data;
    made_table.rows[1] = made_table.rows[0] + source->strides[0];
    made_table.user = source->user;
    return &made_table;
}

static void table_defaults(void *state)
{
    ((table_state *)state)->height = 2;
}

static const DLDataType uint8 = {kDLUInt, 8, 1};
static const dlb_requirements requirements = {.min_ndim = 2, .max_ndim = 2, .dtypes = &uint8, .dtype_count = 1,
                                              .devices = (const DLDeviceType[]){kDLCPU}, .device_count = 1,
                                              .copy = DLB_COPY_ALWAYS};
static const dlb_factory factory = {.make = table_make, .destroy = table_release, .require = &requirements, .lease = 1};
static const dlb_type type = {.name = "tables.Table", .ndim = 2, .describe = table_describe, .release = table_release,
                              .state = sizeof(table_state), .shares = "table", .clone = table_clone,
                              .acquire = table_acquire, .restore = table_restore, .defaults = table_defaults,
                              .importer = &factory, .release_on = DLB_RELEASE_CREATOR, .copy = DLB_COPY_ALLOWED};

/* One scenario, in which malloc() fails after `successes` calls. Returns how many steps failed. */
static int play(int successes)
{
    static const int64_t shape[] = {2, 2}, strides[] = {3, 1};
    table object = {{memory[1], memory[0], memory[2]}, 0, 0, 0, NULL};
    table_state state = {&object, 3};
    DLManagedTensorVersioned *copy = NULL, *first = NULL, *second = NULL, *once = NULL;
    dlb_owner *owner = NULL, *part = NULL, *imported = NULL;
    foreign source;
    int failed = 0;

    foreign_array(&source, memory, uint8, 2, shape, strides);
    mallocs_to_fail = successes;
    failed += dlb_own(&type, &state, &owner, &error) != 0;
    if (owner == NULL) {
        CHECK_EQUAL(object.cloned, 0);
        CHECK(dlb_own(&type, &state, &owner, &error) == 0);
    }
    failed += dlb_export(owner, &copy, &error) != 0; /* the table, then the copy */
    CHECK_EQUAL(object.acquired, 0);
    state.height = 1;
    failed += dlb_own_part(owner, &type, &state, &part, &error) != 0;
    if (part != NULL) {
        CHECK(dlb_export(part, &first, NULL) == 0); /* takes the slot */
        failed += dlb_export(part, &second, &error) != 0;
        CHECK_EQUAL(object.acquired, 1);
        dlb_owner_drop(part);
    }
    state.height = 3;
    object.cloned = object.released = 0;
    failed += dlb_to_dlpack(&type, &state, &once, &error) != 0;
    CHECK_EQUAL(object.cloned, object.released); /* a copy is left, or nothing */
    failed += dlb_import(&type, &source.versioned, &imported, &error) != 0;
    CHECK_EQUAL(source.deleted, imported != NULL);
    mallocs_to_fail = -1;
    if (failed == 1) {
        CHECK_EQUAL(error.status, DLB_MEMORY_ERROR);
        CHECK(strncmp(error.message, "tables.Table: no memory for ", 28) == 0);
        memset(&error, 0, sizeof error);
    }

    if (copy != NULL) {
        CHECK_EQUAL(copy->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
        copy->deleter(copy);
    }
    if (first != NULL) {
        first->deleter(first);
    }
    if (second != NULL) {
        second->deleter(second);
    }
    if (once != NULL) {
        once->deleter(once);
    }
    if (imported != NULL) {
        dlb_owner_drop(imported);
    }
    dlb_owner_drop(owner);
    CHECK_EQUAL(object.acquired, 0);
    CHECK_EQUAL(blocks, 0);
    return failed;
}

/* Imports as the first act of a thread, which makes the mailbox as well. 0 if that succeeded. */
static int import_first(int successes)
{
    static const int64_t shape[] = {2, 2}, strides[] = {3, 1};
    dlb_owner *owner = NULL;
    foreign source;
    int result;

    foreign_array(&source, memory, uint8, 2, shape, strides);
    mallocs_to_fail = successes;
    result = dlb_import(&type, &source.versioned, &owner, &error);
    mallocs_to_fail = -1;
    CHECK_EQUAL(source.deleted, result == 0);
    if (result != 0) {
        CHECK_EQUAL(error.status, DLB_MEMORY_ERROR);
        CHECK(owner == NULL);
    } else {
        dlb_owner_drop(owner);
    }
    CHECK_EQUAL(blocks, 0);
    return result;
}

int main(void)
{
    int successes = 0;

    while (import_first(successes) != 0) {
        successes++;
    }
    CHECK_EQUAL(successes, 4); /* copy, lease, owner, mailbox */
    successes = 0;
    while (play(successes) == 1) {
        successes++;
    }
    CHECK_EQUAL(play(successes), 0);
    /* owner and mailbox; table and copy; part; second export; owner, table and copy; copy, lease and owner */
    CHECK_EQUAL(successes, 12);
    return checks_result();
}
