/* SPDX-License-Identifier: MIT */
#include "frames.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int retained;
static atomic_int released;
static atomic_int living;

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[4096];

frame_t *frame_new(int64_t planes, int64_t rows, int64_t columns)
{
    const size_t nbytes = (size_t)(planes * rows * columns);
    frame_t *const frame = calloc(1, sizeof *frame + nbytes);

    if (frame != NULL) {
        frame->bytes = (unsigned char *)(frame + 1);
        frame->planes = planes;
        frame->rows = rows;
        frame->columns = columns;
        frame->device = kDLCPU;
        frame->references = 1;
        frame->count = (uint64_t)planes;
        (void)atomic_fetch_add(&living, 1);
    }
    return frame;
}

void frame_ref(frame_t *frame)
{
    (void)atomic_fetch_add(&retained, 1);
    frame->references++;
}

void frame_unref(frame_t *frame)
{
    (void)atomic_fetch_add(&released, 1);
    if (--frame->references == 0) {
        (void)atomic_fetch_sub(&living, 1);
        memset(frame, 0xDD, sizeof *frame); /* whoever still looks shall see it */
        free(frame);
    }
}

frame_counts frame_count(void)
{
    return (frame_counts){atomic_exchange(&retained, 0), atomic_exchange(&released, 0), 0, atomic_load(&living)};
}

void frame_log(const char *format, ...)
{
    va_list arguments;
    size_t used;

    (void)pthread_mutex_lock(&log_lock);
    used = strlen(lines);
    va_start(arguments, format);
    (void)vsnprintf(lines + used, sizeof lines - used, format, arguments);
    va_end(arguments);
    (void)pthread_mutex_unlock(&log_lock);
}

void frame_read_log(char *text, size_t size)
{
    (void)pthread_mutex_lock(&log_lock);
    (void)snprintf(text, size, "%s", lines);
    lines[0] = '\0';
    (void)pthread_mutex_unlock(&log_lock);
}
