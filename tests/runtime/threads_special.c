/* SPDX-License-Identifier: MIT */
/* What happens around exports, leases, and objects that go on the thread that made them, with many threads at once;
 * ThreadSanitizer watches. */
#include "check.h"
#include "dlb_emit.h"
#include "foreign.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { THREADS = 6, TURNS = 3000, ROUNDS = 100 };
#include "threads.h"

/* Nothing here is atomic: whoever calls must be the only one, and see what the last one did. */
typedef struct device {
    float memory[4];
    int mapped, acquired, restored, written;
    int wrong;
    int released;
    pthread_t released_on;
    int locked;
} device;

static int device_describe(void *object, dlb_view *view, dlb_error *error)
{
    device *const self = object;

    view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(4));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, self->mapped ? self->memory : NULL); /* refused unless it is mapped */
    dlb_readonly(view, self->locked);
    return dlb_view_finish(view, error);
}

static int device_acquire(void *object, dlb_error *error)
{
    device *const self = object;

    (void)error;
    self->wrong += self->mapped;
    self->mapped = 1;
    self->acquired++;
    return 0;
}

static void device_restore(void *object)
{
    device *const self = object;

    self->wrong += !self->mapped;
    self->mapped = 0;
    self->restored++;
}

static void device_after_write(void *object)
{
    device *const self = object;

    self->wrong += !self->mapped;
    self->written++;
}

static void device_release(void *object)
{
    device *const self = object;

    self->released++;
    self->released_on = pthread_self();
}

#define DEVICE .name = "devices.Device", .ndim = 1, .describe = device_describe, .release = device_release
static const dlb_type mapped_type = {DEVICE, .acquire = device_acquire, .restore = device_restore,
                                     .after_write = device_after_write};
static const dlb_type creator_type = {DEVICE, .release_on = DLB_RELEASE_CREATOR};

/* ---- Access scopes ---- */

static void *map_often(void *argument)
{
    worker *const self = argument;
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy;
    dlb_view view;

    for (int turn = 0; turn < TURNS; turn++) {
        if (dlb_export(self->owner, &managed, NULL) != 0) {
            self->wrong++;
            continue;
        }
        switch ((turn + self->number) % 4) {
        case 0:
            if (dlb_export_legacy(self->owner, &legacy, NULL) == 0) {
                legacy->deleter(legacy);
            } else {
                self->wrong++;
            }
            break;
        case 1:
            self->wrong += dlb_owner_view(self->owner, &view, NULL) != 0 || view.tensor->data != NULL;
            break;
        default:
            break;
        }
        managed->deleter(managed);
        if (turn % 4 == 2) {
            self->wrong += dlb_export_copy(self->owner, &managed, NULL) != 0;
            managed->deleter(managed);
        }
    }
    return NULL;
}

static void test_threads_share_one_access_scope(void)
{
    worker workers[THREADS] = {0};
    device object = {.mapped = 0};
    dlb_owner *owner;

    CHECK(dlb_own(&mapped_type, &object, &owner, NULL) == 0);
    for (int i = 0; i < THREADS; i++) {
        workers[i].owner = owner;
    }
    start(workers, map_often);
    finish(workers);
    CHECK(object.acquired == object.restored && object.acquired > 0);
    CHECK(object.written > 0);
    CHECK_EQUAL(object.wrong, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(object.released, 1);
}

/* ---- Release on the thread of the creator ---- */

static void *let_go(void *argument)
{
    worker *const self = argument;

    self->managed->dl_tensor.data = NULL;
    self->managed->deleter(self->managed);
    return NULL;
}

static void test_the_creator_releases(void)
{
    device objects[THREADS] = {{{0}, 1, 0, 0, 0, 0, 0, 0, 0}};
    worker workers[THREADS] = {0};
    device other = {.mapped = 1};
    dlb_owner *owner;
    dlb_view view;

    for (int way = 0; way < 4; way++) { /* every call of the creator is a chance */
        dlb_owner *mine;

        CHECK(dlb_own(&creator_type, &other, &mine, NULL) == 0);
        other.released = 0;
        for (int i = 0; i < THREADS; i++) {
            objects[i].mapped = 1;
            objects[i].released = 0;
            CHECK(dlb_own(&creator_type, &objects[i], &owner, NULL) == 0);
            CHECK(dlb_export(owner, &workers[i].managed, NULL) == 0);
            dlb_owner_drop(owner);
        }
        start(workers, let_go);
        finish(workers);
        for (int i = 0; i < THREADS; i++) {
            CHECK_EQUAL(objects[i].released, 0);
        }
        if (way == 0) {
            CHECK(dlb_own(&creator_type, &other, &owner, NULL) == 0);
            CHECK_EQUAL(objects[0].released, 1);
            dlb_owner_drop(owner);
        } else if (way == 1) {
            CHECK(dlb_owner_view(mine, &view, NULL) == 0);
        } else if (way == 2) {
            DLManagedTensorVersioned *managed;

            CHECK(dlb_export(mine, &managed, NULL) == 0);
            managed->deleter(managed);
        } else {
            dlb_owner_keep(mine);
            dlb_owner_drop(mine);
        }
        for (int i = 0; i < THREADS; i++) {
            CHECK_EQUAL(objects[i].released, 1);
            CHECK(pthread_equal(objects[i].released_on, pthread_self()));
        }
        CHECK_EQUAL(other.released, way == 0);
        dlb_owner_drop(mine);
        CHECK_EQUAL(other.released, way == 0 ? 2 : 1); /* at once, on the thread itself */
    }
}

/* A thread with objects of its own, which another one lets go. */
static dlb_owner *given;
static device given_object;

static void *give(void *argument)
{
    (void)argument;
    given_object.mapped = 1;
    (void)dlb_own(&creator_type, &given_object, &given, NULL);
    return NULL;
}

static void test_an_object_of_an_ended_thread_is_leaked(void)
{
    pthread_t thread;
    device other = {.mapped = 1};
    dlb_owner *owner;

    CHECK(pthread_create(&thread, NULL, give, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    dlb_owner_drop(given); /* leaked on purpose */
    CHECK(dlb_own(&creator_type, &other, &owner, NULL) == 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(given_object.released, 0);
    CHECK_EQUAL(other.released, 1);
}

/* Owners pushed to one thread while it makes, exports and drops others. */
static device many[THREADS][TURNS / 10];
static dlb_count handed[THREADS];
static DLManagedTensorVersioned *slots[THREADS];

static void *take_and_delete(void *argument)
{
    worker *const self = argument;

    for (int turn = 0; turn < TURNS / 10; turn++) {
        while (dlb_count_read(&handed[self->number]) == 0) {
            sched_yield();
        }
        slots[self->number]->deleter(slots[self->number]);
        (void)dlb_count_subtract(&handed[self->number], 1);
    }
    return NULL;
}

static void test_a_busy_creator_releases_the_objects_of_other_threads(void)
{
    worker workers[THREADS] = {0};
    int released = 0;
    dlb_owner *owner;

    start(workers, take_and_delete);
    for (int turn = 0; turn < TURNS / 10; turn++) {
        for (int i = 0; i < THREADS; i++) {
            while (dlb_count_read(&handed[i]) != 0) {
                sched_yield();
            }
            many[i][turn].mapped = 1;
            CHECK(dlb_own(&creator_type, &many[i][turn], &owner, NULL) == 0);
            CHECK(dlb_export(owner, &slots[i], NULL) == 0);
            dlb_owner_drop(owner);
            (void)dlb_count_subtract(&handed[i], UINT64_MAX); /* adds 1, and shows what was written before */
        }
    }
    finish(workers);
    many[0][0].released = 0;
    CHECK(dlb_own(&creator_type, &many[0][0], &owner, NULL) == 0);
    dlb_owner_drop(owner);
    for (int i = 0; i < THREADS; i++) {
        for (int turn = 0; turn < TURNS / 10; turn++) {
            released += many[i][turn].released == 1;
        }
    }
    CHECK_EQUAL(released, THREADS * (TURNS / 10));
}

/* ---- Leases ---- */

static void *temporary;

static void *lending_make(dlb_source *source, dlb_error *error)
{
    (void)error;
    temporary = source->user;
    return source->data;
}

static int lending_describe(void *object, dlb_view *view, dlb_error *error)
{
    view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);
    view->tensor->device = DLB_CPU;
    dlb_extent(view, 0, DLB_INTEGER(4));
    dlb_compact(view, view->tensor->ndim);
    DLB_DATA(view, (float *)object);
    return dlb_view_finish(view, error);
}

static void *end_lease(void *argument)
{
    dlb_lease_end(argument);
    return NULL;
}

static void test_leases_can_end_on_any_thread(void)
{
    static const DLDataType float32 = {kDLFloat, 32, 1};
    static const DLDeviceType cpu = kDLCPU;
    static const dlb_requirements requirements = {.min_ndim = 1, .max_ndim = 1, .dtypes = &float32, .dtype_count = 1,
                                                  .devices = &cpu, .device_count = 1};
    static const dlb_factory factory = {.make = lending_make, .require = &requirements, .lease = 1};
    static const dlb_type type = {.name = "devices.Lent", .ndim = 1, .describe = lending_describe,
                                  .importer = &factory};
    static const int64_t shape[] = {4}, strides[] = {1};
    float numbers[4];

    for (int round = 0; round < ROUNDS; round++) {
        pthread_t thread;
        dlb_owner *owner;
        foreign source;

        foreign_array(&source, numbers, float32, 1, shape, strides);
        CHECK(dlb_import(&type, &source.versioned, &owner, NULL) == 0);
        CHECK(pthread_create(&thread, NULL, end_lease, temporary) == 0);
        dlb_owner_drop(owner);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK_EQUAL(source.deleted, 1);
    }
}

int main(void)
{
    test_threads_share_one_access_scope();
    test_the_creator_releases();
    test_an_object_of_an_ended_thread_is_leaked();
    test_a_busy_creator_releases_the_objects_of_other_threads();
    test_leases_can_end_on_any_thread();
    return checks_result();
}
