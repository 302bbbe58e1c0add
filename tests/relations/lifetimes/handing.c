/* SPDX-License-Identifier: MIT */
#include "handing.h"
int live;
int vec_live(void) { return live; }
vec *vec_new(int n) { vec *v = calloc(1, sizeof *v); v->n = n; live++; return v; }
void vec_free(vec *v) { live--; free(v); }
bag *bag_new(void) { return calloc(1, sizeof(bag)); }
void bag_free(bag *b) { for (int i = 0; i < b->n; i++) { vec_free(b->items[i]); } free(b); }
int bag_add(bag *b, vec *v) { if (b->n == 2) { return 1; } b->items[b->n++] = v; return 0; }
int bag_add_or_end(bag *b, vec *v) { int full = bag_add(b, v); if (full) { vec_free(v); } return full; }
int bag_both(bag *b, vec *v, vec *w) { return bag_add(b, v) + (w != NULL ? bag_add(b, w) : 0); }
int bag_merge(bag *b, bag *other) { int n = b->n + other->n; bag_free(other); return n; }
int bag_among(bag *b, vec *const *all, int n, vec *v) { return n > 0 && all[0] == v ? 1 : bag_add(b, v); }
int bag_scale(bag *b, vec *v, const double *by, int n) { v->v[0] *= n > 0 ? by[0] : 1; return bag_add(b, v); }
vec *vec_twice(vec *v) { v->v[0] *= 2; return v; }
vec *vec_longer(vec *a, vec *b) { return a->n > b->n ? a : b->n > a->n ? b : vec_new(a->n); }
int vec_into(vec *a, vec **out) { *out = a; return 0; }
int vec_end(vec *v) { int n = v->n; vec_free(v); return n; }
int total(const void *p, size_t n)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++) { sum += ((const unsigned char *)p)[i]; }
    return sum;
}
