#ifndef ENGINES_H
#define ENGINES_H
#include <stdlib.h>

static int ended; /* the number of freed objects that this module has allocated */

typedef struct engine {
    int level;
    int *ended;
    struct engine *inner;
} engine;

static inline engine *engine_new(int level)
{
    engine *const e = calloc(1, sizeof *e);

    if (e != NULL) {
        e->level = level;
        e->ended = &ended;
    }
    return e;
}
static inline void engine_free(engine *e)
{
    (*e->ended)++;
    free(e->inner);
    free(e);
}
static inline int engine_raise(engine *e) { return ++e->level; }
static inline int engine_level(const engine *e) { return e != NULL ? e->level : -1; }
static inline engine *engine_twin(const engine *e) { return e != NULL && e->level >= 0 ? engine_new(e->level) : NULL; }
static inline engine *engine_same(engine *e) { return e; }
static inline const engine *engine_inner(engine *e)
{
    if (e->inner == NULL) {
        e->inner = engine_new(e->level + 100);
    }
    return e->inner;
}
static inline void engine_make(engine **out) { *out = engine_new(5); }
static inline int engine_scrap(engine *e) { engine_free(e); return 1; }
static inline int engine_sum(engine *const *all, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        sum += all[i]->level;
    }
    return sum;
}

/* The given engines, and a new one twice, in a new table. */
static inline engine **engine_row(engine *const *all, int n, int *m)
{
    engine **const table = malloc((size_t)(n + 2) * sizeof *table);

    for (int i = 0; i < n; i++) {
        table[i] = all[i];
    }
    table[n] = table[n + 1] = engine_new(9);
    *m = n + 2;
    return table;
}
/* Stores at most two new engines. Returns how many there are. */
static inline int engine_fill(engine *all[2], int want)
{
    for (int i = 0; i < want && i < 2; i++) {
        all[i] = engine_new(i);
    }
    return want;
}
/* The best of two new engines, and both of them. */
static inline engine *engine_best(engine *all[2])
{
    all[0] = engine_new(1);
    return all[1] = engine_new(2);
}

typedef struct trace {
    float *samples;
    long n;
    engine *motor;
} trace;

typedef struct meter {
    int level;
    int *ended;
} meter;

static inline meter *meter_new(int level)
{
    meter *const m = malloc(sizeof *m);

    m->level = level;
    m->ended = &ended;
    return m;
}
static inline void meter_free(meter *m) { (*m->ended)++; free(m); }

typedef struct strip {
    unsigned char *at;
    long n;
} strip;

static inline long strip_sum(const strip *s)
{
    long sum = 0;

    for (long i = 0; i < s->n; i++) {
        sum += s->at[i];
    }
    return sum;
}
static inline void strip_fill(strip *s, int value)
{
    for (long i = 0; i < s->n; i++) {
        s->at[i] = (unsigned char)value;
    }
}
static inline strip *strip_some(long n)
{
    static strip some;

    some.n = n;
    return &some;
}
static inline void strip_take(strip *s) { (void)s; }

static inline int count_ended(void) { return ended; }

typedef struct car {
    engine *e;
} car;

static inline car *car_new(engine *e)
{
    car *const c = malloc(sizeof *c);

    c->e = e;
    return c;
}
static inline car *car_bare(void) { return car_new(NULL); }
static inline void car_set_engine(car *c, engine *e) { c->e = e; }
static inline engine *car_set_level(car *c, int level)
{
    c->e->level = level;
    return c->e;
}
static inline int car_level(const car *c) { return c->e->level; }
static inline engine *car_engine(car *c) { return c->e; }
static inline engine *car_spare(car *c) { return engine_new(c->e->level); }

typedef struct ticket_data { int number; } *ticket; /* a pointer by another name */

static inline ticket ticket_new(int number)
{
    ticket const t = malloc(sizeof *t);

    t->number = number;
    return t;
}
static inline void ticket_free(ticket t) { ended++; free(t); }
static inline int ticket_number(ticket t) { return t != NULL ? t->number : -1; }
static inline ticket ticket_next(ticket t) { return ticket_new(t->number + 1); }

typedef struct picture {
    int width;
    const unsigned char *fixed;
    unsigned char *data;
    int holders;
} picture;

static inline picture *picture_new(int width)
{
    picture *const p = calloc(1, sizeof *p);

    p->width = width;
    p->data = calloc(1, width > 0 ? (size_t)width : 1);
    p->holders = 1;
    return p;
}
static inline void picture_retain(picture *p) { p->holders++; }
static inline void picture_release(picture *p)
{
    if (--p->holders == 0) {
        free(p->data);
        free(p);
    }
}
static inline int picture_holders(const picture *p) { return p->holders; }
static inline void picture_fill(picture *p, int value)
{
    for (int i = 0; i < p->width; i++) {
        p->data[i] = (unsigned char)value;
    }
}
static inline picture *picture_itself(picture *p) { return p; }
#endif
