/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <stdint.h>
typedef struct grid { int uses, rows, cols; float *at; struct grid *base; } grid;
grid *grid_zeros(int rows, int cols);
grid *grid_again(grid *g);
grid *grid_itself(grid *g);
grid *grid_tail(grid *g, int first);
grid *grid_tail_of_const(const grid *g);
grid *grid_copy(const grid *g);
grid *grid_shifted(grid *g);
grid *grid_either(grid *g, grid *h, int second);
grid *grid_largest(grid *const *all, int n);
int grid_halves(grid *g, grid **top, grid **bottom);
void grid_drop(grid *g);
typedef struct row { int uses, n; float *at; grid *of; } row;
row *grid_row(grid *g, int index);
grid *grid_beside(grid *g, const row *r, grid *h);
row *row_rest(row *r);
row *row_again(row *r);
void row_drop(row *r);
typedef struct tile tile;
tile *tile_wrap(unsigned char *data, int64_t n);
unsigned char *tile_data(const tile *t);
int64_t tile_size(const tile *t);
tile *tile_ref(tile *t);
tile *tile_rest(tile *t);
tile *tile_peek(const tile *t);
void tile_unref(tile *t);
typedef struct cell { int *at; int64_t n; int uses; } cell;
void cell_init(cell *c, int *data, int64_t n);
cell *cell_clone(cell *c);
cell *cell_share(cell *c);
void cell_end(cell *c);
void cell_clear(cell *c);
typedef struct span { int64_t *at; int64_t n; int *uses; } span;
span span_ref(span s);
void span_unref(span s);
int live_structs(void);
