/* SPDX-License-Identifier: MIT */
/* THREADS workers at once; whoever includes this says how many. */
#ifndef THREADS_H_
#define THREADS_H_

#include "check.h"
#include "dlb_core.h"

#include <pthread.h>

typedef struct worker {
    pthread_t thread;
    dlb_owner *owner;
    DLManagedTensorVersioned *managed;
    int number;
    int wrong; /* checks are for one thread: the workers count, main() checks */
} worker;

static void start(worker *workers, void *(*work)(void *))
{
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
}

static void finish(worker *workers)
{
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(workers[i].thread, NULL) == 0);
        CHECK_EQUAL(workers[i].wrong, 0);
    }
}

#endif
