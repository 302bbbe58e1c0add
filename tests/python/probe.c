/* SPDX-License-Identifier: MIT */
#include "probe.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int retained;
static atomic_int released;
static atomic_int living;
static atomic_int flushed;
static probe_mood mood;

probe_t *probe_new(size_t nbytes)
{
    probe_t *const probe = calloc(1, sizeof *probe + nbytes);

    if (probe != NULL) {
        probe->data = probe + 1;
        probe->shape[0] = (int64_t)nbytes;
        probe->strides[0] = 1;
        probe->ndim = 1;
        probe->dtype = PROBE_UINT8;
        probe->device = 1;
        probe->references = 1;
        (void)atomic_fetch_add(&living, 1);
    }
    return probe;
}

probe_t *probe_adopt(void *data, int ndim, const int64_t *shape, const int64_t *strides, int dtype)
{
    probe_t *const probe = mood == PROBE_UNWILLING ? NULL : probe_new(0);

    if (probe != NULL) {
        probe->data = data;
        probe->ndim = ndim;
        memcpy(probe->shape, shape, sizeof(int64_t) * (size_t)ndim);
        memcpy(probe->strides, strides, sizeof(int64_t) * (size_t)ndim);
        probe->dtype = dtype;
        probe->strides[0] += mood == PROBE_LYING;
        probe->flushes = data != NULL;
    }
    return probe;
}

int probe_flushed(void)
{
    return atomic_load(&flushed);
}

void probe_set_mood(probe_mood wanted)
{
    mood = wanted;
}

static void end(probe_t *probe)
{
    if (probe->flushes) {
        atomic_store(&flushed, *(const unsigned char *)probe->data);
    }
    (void)atomic_fetch_sub(&living, 1);
    memset(probe, 0xDD, sizeof *probe); /* whoever still looks shall see it */
    free(probe);
}

void probe_free(probe_t *probe)
{
    (void)atomic_fetch_add(&released, 1);
    end(probe);
}

void probe_ref(probe_t *probe)
{
    (void)atomic_fetch_add(&retained, 1);
    probe->references++; /* not atomic, like the counts of many libraries */
}

void probe_unref(probe_t *probe)
{
    (void)atomic_fetch_add(&released, 1);
    if (--probe->references == 0) {
        end(probe);
    }
}

probe_counts probe_count(void)
{
    return (probe_counts){atomic_load(&retained), atomic_load(&released), atomic_load(&living)};
}
