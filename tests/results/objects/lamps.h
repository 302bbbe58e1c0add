#include <stdint.h>
#include <stdlib.h>

/* Lamps, of which each must be freed once. Their memory is never used again, so that a lamp that is freed twice is counted. */
typedef struct lamp { int watts; int is_free; } lamp;
__attribute__((weak)) lamp lamps[4096];
__attribute__((weak)) int used, alive, freed_twice;

static inline lamp *lamp_new(int watts)
{
    lamp *const l = &lamps[used++ % 4096];

    l->watts = watts;
    l->is_free = 0;
    alive++;
    return l;
}
static inline void lamp_free(lamp *l)
{
    freed_twice += l->is_free;
    l->is_free = 1;
    l->watts = -1;
    alive--;
}
static inline int lamps_alive(void) { return alive; }
static inline int lamps_freed_twice(void) { return freed_twice; }
static inline lamp **table_new(int count) { return malloc((size_t)(count + 1) * sizeof(lamp *)); }

/* The lamps of at least 2 watts, in a new table. */
static inline lamp **lamps_strong(lamp *const *all, int n, int *m)
{
    lamp **const table = table_new(n);

    *m = 0;
    for (int i = 0; i < n; i++) {
        if (all[i]->watts >= 2) {
            table[(*m)++] = all[i];
        }
    }
    return table;
}
/* Turns the given table, and returns its lamps, and a new one twice. */
static inline lamp **lamps_turned(lamp **all, int n, int *m)
{
    lamp **const table = table_new(n + 2);

    for (int i = 0; i < n / 2; i++) {
        lamp *const l = all[i];

        all[i] = all[n - 1 - i];
        all[n - 1 - i] = l;
    }
    for (int i = 0; i < n; i++) {
        table[i] = all[i];
    }
    table[n] = table[n + 1] = lamp_new(9);
    *m = n + 2;
    return table;
}
/* The lamp, another one, which may be NULL, and a new one. */
static inline lamp **lamp_with(lamp *l, lamp *other, int *m)
{
    lamp **const table = table_new(3);

    *m = 0;
    table[(*m)++] = l;
    if (other != NULL) {
        table[(*m)++] = other;
    }
    table[(*m)++] = lamp_new(5);
    return table;
}
/* One new lamp, n times. */
static inline lamp **lamps_twins(int n, int *m)
{
    lamp **const table = table_new(n);
    lamp *const l = lamp_new(5);

    for (int i = 0; i < n; i++) {
        table[i] = l;
    }
    *m = n;
    return table;
}
/* Stores a given lamp, new ones, and the first new one again; at most 4. Returns how many there are. */
static inline int lamps_fill(lamp *all[4], lamp *given, int want)
{
    for (int i = 0; i < want && i < 4; i++) {
        all[i] = i == 0 ? given : i == 2 ? all[1] : lamp_new(i);
    }
    return want;
}
/* New lamps, then NULL, then the first lamp again and a given one. */
static inline lamp **lamps_gap(lamp *given, int *m)
{
    lamp **const table = table_new(5);

    table[0] = table[3] = lamp_new(1);
    table[1] = lamp_new(2);
    table[2] = NULL;
    table[4] = given;
    *m = 5;
    return table;
}
/* Fails, and leaves two new lamps to the caller. */
static inline int lamps_half(lamp *all[4])
{
    all[0] = lamp_new(1);
    all[1] = lamp_new(2);
    return -1;
}
/* The best lamp, and all of them. */
static inline lamp *lamps_best(int n, lamp ***all, int *m)
{
    *all = table_new(n);
    for (*m = 0; *m < n; (*m)++) {
        (*all)[*m] = lamp_new(*m);
    }
    return n > 0 ? (*all)[n - 1] : NULL;
}
/* Two tables that share the lamp in the middle, and a name, which can be NULL. */
static inline void lamps_split(int n, lamp ***low, int *m, lamp ***high, int *k, const char **name)
{
    lamp *const middle = lamp_new(50);

    *low = table_new(n);
    *high = table_new(n);
    *m = *k = 0;
    for (int i = 0; i + 1 < n; i++) {
        (*low)[(*m)++] = lamp_new(i);
    }
    (*low)[(*m)++] = middle;
    (*high)[(*k)++] = middle;
    *name = n == 7 ? NULL : "split";
}
/* Both variables get one lamp. */
static inline void lamps_pair(lamp **a, lamp **b) { *a = *b = lamp_new(3); }

/* Sockets, which refer to a lamp by value: pointers with another name. */
typedef struct lamp *socket_t;
static inline socket_t socket_of(int watts) { return lamp_new(watts); }
static inline socket_t *sockets_twice(const socket_t *all, int n, int *m)
{
    socket_t *const table = (socket_t *)table_new(2 * n + 2);

    for (int i = 0; i < n; i++) {
        table[i] = table[n + i] = all[i];
    }
    table[2 * n] = table[2 * n + 1] = lamp_new(8);
    *m = 2 * n + 2;
    return table;
}
/* The socket with the most watts, or a new one. */
static inline socket_t sockets_brightest(const socket_t *all, int n)
{
    socket_t best = n > 0 ? all[0] : socket_of(6);

    for (int i = 0; i < n; i++) {
        best = all[i]->watts > best->watts ? all[i] : best;
    }
    return best;
}

static inline socket_t sockets_brighter_than(const socket_t *all, int n, int watts)
{
    for (int i = 0; i < n; i++) {
        if (all[i]->watts > watts) {
            return all[i];
        }
    }
    return NULL;
}

/* Numbers by value, of which 0 is one, too. */
typedef int number;
__attribute__((weak)) int closed[16];
static inline number number_open(int n) { return n; }
static inline void number_close(number n) { closed[n]++; }
static inline int number_closed(int n) { return closed[n]; }
static inline int numbers_twice(number given, number all[6])
{
    all[0] = all[3] = given;
    all[1] = all[4] = 5;
    all[2] = all[5] = 7;
    return 6;
}
typedef int mark; /* a number that nobody releases */
static inline mark mark_new(int n) { return n; }
static inline int marks_twice(mark given, mark all[6]) { return numbers_twice(given, all); }
/* Structs by value. */
typedef struct tag { lamp *of; long place; } tag; /* without padding, which compilers need not copy */
static inline tag tag_new(int watts) { return (tag){lamp_new(watts), 1}; }
static inline void tag_free(tag t)
{
    if (t.of != NULL) {
        lamp_free(t.of);
    }
}
static inline int tags_twice(tag given, tag all[4], int want)
{
    all[0] = all[2] = given;
    all[1] = tag_new(4);
    return want;
}

/* Lamps with a reference count. */
typedef struct counted { int references; int number; } counted;
__attribute__((weak)) counted shared_lamps[4096];
__attribute__((weak)) int shared_used;
static inline counted *counted_new(int number)
{
    counted *const c = &shared_lamps[shared_used++ % 4096];

    c->references = 1;
    c->number = number;
    alive++;
    return c;
}
static inline void counted_retain(counted *c) { c->references++; }
static inline void counted_release(counted *c)
{
    freed_twice += c->references <= 0;
    alive -= --c->references == 0;
}
static inline int counted_references(const counted *c) { return c->references; }
/* References to all, twice. */
static inline counted **counted_twice(counted *const *all, int n, int *m)
{
    counted **const table = malloc((size_t)(2 * n + 1) * sizeof *table);

    for (int i = 0; i < 2 * n; i++) {
        table[i] = all[i % n];
        counted_retain(table[i]);
    }
    *m = 2 * n;
    return table;
}

/* Arrays: of a struct that Python imports. */
typedef struct row { double *x; int n; int references; } row;
static inline row *row_wrap(double *x, int n)
{
    row *const r = malloc(sizeof *r);

    *r = (row){x, n, 1};
    alive++;
    return r;
}
static inline void row_free(row *r)
{
    alive--;
    free(r);
}
static inline row **rows_long(row *const *all, int n, int least, int *m)
{
    row **const table = malloc((size_t)(n + 1) * sizeof *table);

    *m = 0;
    for (int i = 0; i < n; i++) {
        if (all[i]->n >= least) {
            table[(*m)++] = all[i];
        }
    }
    return table;
}
static inline void row_retain(row *r) { r->references++; }
static inline void row_release(row *r)
{
    if (--r->references == 0) {
        row_free(r);
    }
}
static inline row **rows_shared(row *const *all, int n, int *m)
{
    row **const table = malloc((size_t)(n + 1) * sizeof *table);

    for (*m = 0; *m < n; (*m)++) {
        table[*m] = all[*m];
        row_retain(all[*m]);
    }
    return table;
}
