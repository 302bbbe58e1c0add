/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct { int32_t *cells; int count, mark; } area;
typedef struct { area area; } quiet;
typedef struct { area area; } closed;
typedef struct { area area; } locked;
typedef struct { area area; } arms;
typedef struct { area area; } few;
typedef struct { area area; } taken;
typedef struct { area area; int32_t room[4]; } pool;
static inline pool *pool_new(void)
{
    pool *p = calloc(1, sizeof *p);
    p->area = (area){p->room, 4, 0};
    return p;
}
static inline const area *pool_area(pool *p) { return &p->area; }
static inline area *pool_own(pool *p) { return &p->area; }
static inline int pool_filled(pool *p, const area **to) { *to = &p->area; return 0; }
static inline const quiet *pool_silent(pool *p) { return (const quiet *)p; }
static inline const closed *pool_closed(pool *p) { return (const closed *)p; }
static inline const locked *pool_locked(pool *p) { return (const locked *)p; }
static inline const arms *pool_arms(pool *p) { return (const arms *)p; }
static inline const few *pool_few(pool *p) { return (const few *)p; }
static inline const pool *pool_shared(pool *p) { return p; }
static inline area *pool_inside(const pool *p) { return (area *)(uintptr_t)&p->area; }
static inline quiet *pool_silent_inside(const pool *p) { return (quiet *)(uintptr_t)p; }
static inline void pool_mark(const pool *p, int mark) { ((pool *)(uintptr_t)p)->area.mark = mark; }
static int32_t made_cells[4];
static const area made_area = {made_cells, 4, 0}; /* in memory that nobody can write */
static inline const area *made(void) { return &made_area; }
static inline void area_fill(const area *a, int value) { for (int i = 0; i < a->count; i++) { a->cells[i] = value; } }
static inline int area_total(const area *a)
{
    int total = 0;
    for (int i = 0; i < a->count; i++) { total += a->cells[i]; }
    return total;
}
static inline void area_resize(area *a, int count) { a->count = count; }
static inline void closed_fill(const closed *a, int value) { area_fill(&a->area, value); }
static inline void quiet_fill(const quiet *a, int value) { area_fill(&a->area, value); }
static inline void locked_fill(const locked *a, int value) { area_fill(&a->area, value); }
static inline void taken_fill(const taken *a, int value) { area_fill(&a->area, value); }
static inline const area *taken_inner(taken *t) { return &t->area; }
static inline void fill_all(const area *const *all, int n)
{
    for (int i = 0; i < n; i++) { area_fill(all[i], i + 1); }
}
