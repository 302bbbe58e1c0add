/* SPDX-License-Identifier: MIT */
#include "shifting.h"
#include <string.h>

enum { MOST = 256 };
static void *blocks[MOST]; /* in the place of memory that the library did not allocate: the test frees them */
static int live;

static void *pooled(size_t size) { return live < MOST ? blocks[live++] = calloc(1, size) : NULL; }
int live_blocks(void)
{
    const int found = live;

    while (live > 0) { free(blocks[--live]); }
    return found;
}
tape *tape_new(int n)
{
    tape *t = malloc(sizeof *t);

    *t = (tape){calloc((size_t)n, sizeof(double)), n, 1};
    return t;
}
void tape_end(tape *t) { free(t->at); free(t); }
int tape_set_n(tape *t, int n) { t->n = n; return 0; }
void tape_reverse(tape *t)
{
    double *back = t->own ? malloc(sizeof(double) * (size_t)t->n) : pooled(sizeof(double) * (size_t)t->n);

    for (int i = 0; i < t->n; i++) { back[i] = t->at[t->n - 1 - i]; }
    if (t->own) { free(t->at); }
    t->at = back;
}
double tape_sum_reversed(tape *t) { tape_reverse(t); return t->at[0]; }
tape *tape_reversed_copy(tape *t)
{
    tape *copy = tape_new(t->n);

    tape_reverse(t);
    memcpy(copy->at, t->at, sizeof(double) * (size_t)t->n);
    return copy;
}
int tape_fails(tape *t) { tape_reverse(t); return 1; }
void tape_grow(tape *t) { t->n *= 2; }
void tape_shrink(tape *t) { t->n /= 2; }
void tape_drop(tape *t) { t->at = NULL; t->n = 0; }
void tape_steal(tape *t) { t->at = NULL; }
double tape_next(tape *t) { t->n--; return *t->at++; }
void tape_swap(tape *a, tape *b) { tape c = *a; *a = *b; *b = c; }
void tape_maybe(tape *t) { if (t != NULL) { tape_reverse(t); } }
void tape_reverse_all(tape *const *all, int n) { for (int i = 0; i < n; i++) { tape_reverse(all[i]); } }
void tape_skip(tape *t, int n) { t->at += n; t->n -= n; }
void tape_resize(tape *t, int n) { t->at = realloc(t->at, sizeof(double) * (size_t)n); t->n = n; }
void tape_use(tape *t, double *at, int n) { t->at = at; t->n = n; }
struct frame { int refs; uint8_t *pixels; int64_t height, width, pitch; int owned; };
frame *frame_wrap(uint8_t *pixels, int64_t height, int64_t width, int64_t pitch)
{
    frame *f = malloc(sizeof *f);

    *f = (frame){1, pixels, height, width, pitch, 0};
    return f;
}
frame *frame_new(int64_t height, int64_t width)
{
    frame *f = frame_wrap(calloc((size_t)height, (size_t)width), height, width, width);

    f->owned = 1;
    return f;
}
uint8_t *frame_pixels(const frame *f) { return f->pixels; }
int64_t frame_height(const frame *f) { return f->height; }
int64_t frame_width(const frame *f) { return f->width; }
int64_t frame_pitch(const frame *f) { return f->pitch; }
void frame_ref(frame *f) { f->refs++; }
void frame_unref(frame *f)
{
    if (--f->refs > 0) { return; }
    if (f->owned) { free(f->pixels); }
    free(f);
}
void frame_copy(frame *f)
{
    uint8_t *copy = malloc((size_t)(f->height * f->pitch));

    memcpy(copy, f->pixels, (size_t)((f->height - 1) * f->pitch + f->width));
    if (f->owned) { free(f->pixels); }
    f->pixels = copy;
    f->owned = 1;
}
void frame_hide(frame *f, int64_t height) { f->height = height; }
void frame_crop(frame *f, int64_t rows) { f->pixels += rows * f->pitch; f->height -= rows; }
void frame_stretch(frame *f) { f->pitch++; }
ring_t ring_wrap(int32_t *at, int64_t n)
{
    ring_t r = malloc(sizeof *r);

    r->at = at;
    r->n = n;
    return r;
}
void ring_end(ring_t r) { free(r); }
void ring_turn(ring_t r) { r->at = pooled(sizeof(int32_t) * (size_t)r->n); }
void pair_widen(pair *p) { p->wide = 1; }
void pair_renew(pair *p) { p->low = pooled((size_t)p->n); }
