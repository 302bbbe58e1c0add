/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct rope_impl *rope;
typedef const struct rope_impl *rope_view;
typedef struct rope_impl rope_struct;
typedef struct other *other_ptr;
typedef int number;
struct rope_impl { int knots; double *at; };
extern struct rope_impl shared;
extern int live;
static inline rope rope_make(int knots)
{
    rope r = knots < 0 ? NULL : calloc(1, sizeof *r);
    if (r != NULL) { r->knots = knots; live++; }
    return r;
}
static inline rope_view rope_make_fixed(int knots) { return rope_make(knots); }
static inline void rope_open(rope_view *r, int knots) { *r = rope_make(knots); }
static inline const struct rope_impl *rope_shared(void) { return &shared; }
static inline rope_view rope_standard(void) { return &shared; }
static inline rope_struct *rope_own(void) { return &shared; }
static inline rope_view rope_same(rope_view r) { return r; }
static inline rope_view rope_longer(rope_view a, rope_view b) { return a->knots < b->knots ? b : a; }
static inline void rope_end(rope r) { live--; free(r); }
static inline int rope_live(void) { return live; }
static inline int rope_knots(rope_view r) { return r->knots; }
static inline int rope_count(const struct rope_impl *r) { return r->knots; }
static inline int rope_tie(rope_struct *r) { return ++r->knots; }
static inline void rope_set(struct rope_impl *r, int knots) { r->knots = knots; }
static inline int rope_total(rope_view a, rope_view b) { return a->knots + (b == NULL ? 100 : b->knots); }

typedef struct sail { float *at; int n; } sail;
typedef sail *sail_ptr;
typedef const sail *sail_cptr;
static inline double sail_sum(sail_cptr s)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++) { sum += s->at[i]; }
    return sum;
}
static inline double sail_area(const struct sail *s) { return sail_sum(s); }
static inline void sail_fill(sail_ptr s, float x) { for (int i = 0; i < s->n; i++) { s->at[i] = x; } }
static inline double sails_sum(const sail_cptr *all, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) { sum += sail_sum(all[i]); }
    return sum;
}
static inline void sails_fill(sail_ptr *all, int n, float x) { for (int i = 0; i < n; i++) { sail_fill(all[i], x); } }
static inline double sails_area(const struct sail *const *all, int n) { return sails_sum(all, n); }
static inline sail_ptr sail_new(int n)
{
    sail_ptr s = n < 0 ? NULL : malloc(sizeof *s);
    if (s != NULL) { s->n = n; s->at = calloc((size_t)n + 1, sizeof(float)); live++; }
    return s;
}
static inline sail_cptr sail_of(sail_cptr s) { return s; }
static inline sail_cptr sail_fixed(int n) { return sail_new(n); }
static inline void sail_free(sail_ptr s) { live--; free(s->at); free(s); }
