/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct { int n; double v[4]; } vec;
typedef struct { vec *items[2]; int n; } bag;
extern int live;
int vec_live(void);
vec *vec_new(int n);
void vec_free(vec *v);
bag *bag_new(void);
void bag_free(bag *b);
int bag_add(bag *b, vec *v);
int bag_add_or_end(bag *b, vec *v);
int bag_both(bag *b, vec *v, vec *w);
int bag_merge(bag *b, bag *other);
int bag_among(bag *b, vec *const *all, int n, vec *v);
int bag_scale(bag *b, vec *v, const double *by, int n);
vec *vec_twice(vec *v);
vec *vec_longer(vec *a, vec *b);
int vec_into(vec *a, vec **out);
int vec_end(vec *v);
int total(const void *p, size_t n);
