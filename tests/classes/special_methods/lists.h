/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
typedef struct list { int n; double items[8]; } list;
typedef struct steps { int at, n; } steps;
static inline list *list_new(int n)
{
    list *const l = calloc(1, sizeof *l);
    l->n = n;
    for (int i = 0; i < n; i++) { l->items[i] = 10 * i; }
    return l;
}
static inline int list_length(const list *l) { return l->n; }
static inline int list_at(const list *l, int i, double *item)
{
    if (i < 0 || i >= l->n) { return -1; }
    *item = l->items[i];
    return 0;
}
static inline int list_put(list *l, int i, double item)
{
    if (i < 0 || i >= l->n) { return -1; }
    l->items[i] = item;
    return 0;
}
static inline void list_drop(list *l, int i)
{
    memmove(l->items + i, l->items + i + 1, sizeof(double) * (size_t)(l->n - i - 1));
    l->n--;
}
static inline bool list_has(const list *l, double item)
{
    for (int i = 0; i < l->n; i++) {
        if (l->items[i] == item) { return true; }
    }
    return false;
}
static inline double list_evaluate(const list *l, double x, int more) { return l->items[1] * x + more; }
static inline double list_first(const list *l) { return l->items[0]; }
static inline const char *list_text(const list *l) { return l->n == 8 ? NULL : "a list"; }
static inline steps *list_steps(const list *l) { steps *s = calloc(1, sizeof *s); s->n = l->n; return s; }
static inline int steps_next(steps *s, int *value)
{
    if (s->n == 5 && s->at == 2) { return -1; }
    *value = s->at;
    return s->at++ >= s->n;
}
typedef struct deaf { int n; } deaf;
static inline deaf *deaf_new(void) { return calloc(1, sizeof(deaf)); }
static inline void deaf_put(deaf *d, int i, int item) { d->n = i + item; }
static inline size_t deaf_ask(const deaf *d, const char *key) { return strlen(key) + (size_t)d->n; }
static inline int deaf_sum(const deaf *d) { return d->n; }
static inline bool deaf_asked(const deaf *d) { return d->n != 0; }
typedef struct fixed { int n; } fixed;
static inline fixed *fixed_new(void) { fixed *f = calloc(1, sizeof *f); f->n = 3; return f; }
static inline int fixed_at(const fixed *f, int i) { return i < f->n ? i * i : -1; }
static inline void fixed_drop(fixed *f, int i) { f->n = i; }
