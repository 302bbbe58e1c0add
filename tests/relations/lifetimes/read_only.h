/* SPDX-License-Identifier: MIT */
/* Functions that only read an array, and return a view of it, or an object that keeps it. */
#ifndef READ_ONLY_H_
#define READ_ONLY_H_

#include <stddef.h>
#include <stdlib.h>

typedef struct {
    float *at;
    long n;
} line;

typedef struct {
    const line *of;
} cursor;

static inline const float *line_all(const line *x) { return x->at; }
static inline float *line_at(const line *x) { return x->at; }
static inline float *line_of_mutable(line *x) { return x->at; }
static inline const line *line_itself(const line *x) { return x; }
static inline line line_tail(const line *x) { return (line){x->at + 1, x->n - 1}; }
static inline const float *first_of(const line *const *all, size_t count) { return count > 0 ? all[0]->at : NULL; }
static inline void line_scale(line *x, float factor)
{
    for (long i = 0; i < x->n; i++) {
        x->at[i] *= factor;
    }
}

static inline line *line_new_of(float *at, long n)
{
    line *const self = malloc(sizeof *self);

    if (self != NULL) {
        *self = (line){at, n};
    }
    return self;
}

static inline line *line_rest(const line *x) { return line_new_of(x->at + 1, x->n - 1); }
static inline line *line_first(const line *x, const line *y) { return y->n >= 0 ? line_new_of(x->at, x->n) : NULL; }
static inline line *line_copy(const line *x)
{
    float *const at = malloc((size_t)x->n * sizeof *at);

    for (long i = 0; at != NULL && i < x->n; i++) {
        at[i] = x->at[i];
    }
    return at != NULL ? line_new_of(at, x->n) : NULL;
}
static inline void line_free(line *x) { free(x); }
static inline void line_free_all(line *x)
{
    free(x->at);
    free(x);
}

static inline cursor *cursor_new(const line *of)
{
    cursor *const self = malloc(sizeof *self);

    if (self != NULL) {
        self->of = of;
    }
    return self;
}
static inline void cursor_free(cursor *c) { free(c); }
static inline float *cursor_at(const cursor *c) { return c->of->at; }
static inline void cursor_move(cursor *c, const line *to) { c->of = to; }

#endif
