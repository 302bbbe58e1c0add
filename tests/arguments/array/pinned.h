/* SPDX-License-Identifier: MIT */
/* Numbers that must be pinned and waited for before they are read. */
#ifndef PINNED_H_
#define PINNED_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct pinned {
    double *data;
    ptrdiff_t step; /* elements from one number to the next */
    int count;
    int pins;
    int waits;
    int refuses_pin;
    int refuses_wait;
    int is_shared; /* with an accelerator */
    int broken; /* its state cannot be shown */
} pinned;

static inline pinned *pinned_new(int count, int step)
{
    pinned *const self = calloc(1, sizeof *self + (size_t)(count * step) * sizeof(double));

    if (self != NULL) {
        self->data = (double *)(self + 1);
        self->count = count;
        self->step = step;
        for (int i = 0; i < count; i++) {
            self->data[i * step] = i + 1;
        }
    }
    return self;
}

static inline pinned *pinned_copy(const double *data, int count, int is_shared)
{
    pinned *const self = pinned_new(count, 1);

    for (int i = 0; self != NULL && i < count; i++) {
        self->data[i] = data[i];
        self->is_shared = is_shared;
    }
    return self;
}

static inline void pinned_free(pinned *self)
{
    free(self);
}

static inline int pinned_pin(pinned *self)
{
    self->pins += !self->refuses_pin;
    return self->refuses_pin ? -1 : 0;
}

static inline void pinned_unpin(pinned *self)
{
    self->pins--;
}

static inline int pinned_wait(pinned *self, intptr_t stream)
{
    (void)stream;
    self->waits++;
    return self->refuses_wait ? -1 : 0;
}

static inline void pinned_share(pinned *self)
{
    self->is_shared = 1;
}

/* The one that the next function breaks, which nobody can show then. */
static pinned *pinned_breaks;

static inline void pinned_break_next(pinned *self)
{
    pinned_breaks = self;
}

static inline double sum_of(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

static inline void negate(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = -x[i];
    }
    if (pinned_breaks != NULL) {
        pinned_breaks->broken = 1;
        pinned_breaks = NULL;
    }
}

static inline void invert(void *x, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++) {
        ((unsigned char *)x)[i] ^= 0xFF;
    }
}

#endif
