/* SPDX-License-Identifier: MIT */
#include "referring.h"
#include <string.h>

static int live;

int live_structs(void) { return live; }
static grid *grid_new(int rows, int cols, float *at, grid *base)
{
    grid *g = malloc(sizeof *g);

    live++;
    *g = (grid){1, rows, cols, at, base};
    return g;
}
grid *grid_zeros(int rows, int cols)
{
    return grid_new(rows, cols, calloc((size_t)rows * (size_t)cols, sizeof(float)), NULL);
}
grid *grid_again(grid *g) { g->uses++; return g; }
grid *grid_itself(grid *g) { return g; }
grid *grid_tail(grid *g, int first)
{
    return grid_new(g->rows - first, g->cols, g->at + first * g->cols, grid_again(g));
}
grid *grid_tail_of_const(const grid *g) { return grid_tail((grid *)(uintptr_t)g, 1); }
grid *grid_copy(const grid *g)
{
    grid *made = grid_zeros(g->rows, g->cols);

    memcpy(made->at, g->at, sizeof(float) * (size_t)g->rows * (size_t)g->cols);
    return made;
}
grid *grid_shifted(grid *g) { g->at[0] += 1; return grid_tail(g, 0); }
grid *grid_either(grid *g, grid *h, int second) { return grid_again(second ? h : g); }
grid *grid_beside(grid *g, const row *r, grid *h) { return grid_again(r->n > 2 ? h : g); }
grid *grid_tail_beside(grid *g, grid *h)
{
    (void)h;
    return grid_tail(g, 1);
}
grid *grid_largest(grid *const *all, int n)
{
    grid *found = all[0];

    for (int i = 1; i < n; i++) { found = all[i]->rows > found->rows ? all[i] : found; }
    return grid_again(found);
}
int grid_halves(grid *g, grid **top, grid **bottom)
{
    *top = grid_again(g);
    *bottom = grid_tail(g, g->rows / 2);
    return 0;
}
void grid_drop(grid *g)
{
    if (--g->uses > 0) { return; }
    if (g->base != NULL) { grid_drop(g->base); } else { free(g->at); }
    free(g);
    live--;
}
row *grid_row(grid *g, int index)
{
    row *r = malloc(sizeof *r);

    live++;
    *r = (row){1, g->cols, g->at + index * g->cols, grid_again(g)};
    return r;
}
row *row_rest(row *r)
{
    row *rest = grid_row(r->of, 0);

    rest->at = r->at + 1;
    rest->n = r->n - 1;
    return rest;
}
row *row_again(row *r) { r->uses++; return r; }
void row_drop(row *r)
{
    if (--r->uses > 0) { return; }
    grid_drop(r->of);
    free(r);
    live--;
}
struct tile { int uses; unsigned char *data; int64_t n; tile *base; };
tile *tile_wrap(unsigned char *data, int64_t n)
{
    tile *t = malloc(sizeof *t);

    live++;
    *t = (tile){1, data, n, NULL};
    return t;
}
unsigned char *tile_data(const tile *t) { return t->data; }
int64_t tile_size(const tile *t) { return t->n; }
tile *tile_ref(tile *t) { t->uses++; return t; }
tile *tile_rest(tile *t)
{
    tile *rest = tile_wrap(t->data + 1, t->n - 1);

    rest->base = tile_ref(t);
    return rest;
}
tile *tile_peek(const tile *t) { return tile_wrap(t->data, t->n); }
void tile_unref(tile *t)
{
    if (--t->uses > 0) { return; }
    if (t->base != NULL) { tile_unref(t->base); }
    free(t);
    live--;
}
void cell_init(cell *c, int *data, int64_t n) { *c = (cell){data, n, 1}; live++; }
cell *cell_share(cell *c) { c->uses++; return c; }
cell *cell_clone(cell *c)
{
    cell *made = malloc(sizeof *made);

    live++;
    *made = (cell){c->at, c->n, 1};
    return made;
}
void cell_clear(cell *c) { c->at = NULL; live--; }
void cell_end(cell *c)
{
    if (--c->uses > 0) { return; }
    cell_clear(c);
    free(c);
}
span span_ref(span s)
{
    if (s.uses != NULL) { ++*s.uses; }
    return s;
}
void span_unref(span s)
{
    if (s.uses == NULL || --*s.uses == 0) { free(s.at); free(s.uses); }
}
