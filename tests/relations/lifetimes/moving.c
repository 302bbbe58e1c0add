/* SPDX-License-Identifier: MIT */
#include "moving.h"
#include <errno.h>
#include <stdlib.h>
static int seen;
static one *last;
static one for_good;
one *one_new(int n)
{
    one *x = calloc(1, sizeof *x);
    x->data = calloc((size_t)n, sizeof *x->data);
    x->n = n;
    return last = x;
}
void one_free(one *x) { last = NULL; free(x->data); free(x); }
void one_resize(one *x, int n) { x->data = realloc(x->data, sizeof(double) * (size_t)n); x->n = n; }
int one_save(one *x, const char *path) { (void)x; (void)path; errno = EAGAIN; return 1; }
int one_fails(one *x, const char *path) { return one_save(x, path); }
void one_done(one *x) { seen = x == last; }
one *one_shared(void)
{
    if (for_good.data == NULL) { for_good.data = calloc(8, sizeof(double)); for_good.n = 8; }
    return &for_good;
}
int one_seen(void) { int found = seen; seen = -1; return found; }
row *row_new(int n)
{
    row *x = malloc(sizeof *x);
    *x = (row){calloc((size_t)n, sizeof(double)), n};
    return x;
}
void row_free(row *x) { free(x->data); free(x); }
void row_grow(row *to, const row *by)
{
    to->data = realloc(to->data, sizeof(double) * (size_t)(to->n + by->n));
    for (int i = 0; i < by->n; i++) { to->data[to->n + i] = by->data[i]; }
    to->n += by->n;
}
int row_swallow_beside(row *what, const row *const *all, int n)
{
    int sum = what->n;

    row_free(what);
    for (int i = 0; i < n; i++) {
        sum += all[i]->n;
    }
    return sum;
}
int row_swallow(row *what, const row *by) { const int n = what->n + by->n; row_free(what); return n; }
box *box_new(void)
{
    box *x = calloc(1, sizeof *x);
    x->b = calloc(1, sizeof *x->b);
    x->b->data = calloc(8, sizeof(double));
    x->b->n = 8;
    x->b->refs = 1;
    return x;
}
void box_free(box *x) { buf_unref(x->b); free(x); }
buf *box_buf(box *x) { return x->b; }
void buf_ref(buf *x) { x->refs++; }
void buf_unref(buf *x) { if (--x->refs == 0) { free(x->data); free(x); } }
void buf_resize(buf *x, int n) { x->data = realloc(x->data, sizeof(double) * (size_t)n); x->n = n; }
