/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct vec { double *v; int64_t n; const struct vec *itself; } vec;
struct log { int64_t start; };
int64_t structs_live(void);
int vec_init(vec *v, int64_t n);
void vec_clear(vec *v);
int vec_split(const vec *v, int64_t at, vec *head, vec *tail);
int vec_fork(const vec *v, int64_t n, vec *made, bool *same);
int vec_resize(vec *v, int64_t n);
void vec_watch(vec *v, const vec *other);
vec vec_window(vec v, int64_t first, int64_t n);
vec vec_twice(vec v);
double vec_sum(vec v);
double vec_total(const vec *const *all, size_t n);
struct log log_start(int64_t level);
void log_end(struct log *l, int64_t level);
int64_t log_room(struct log l);
