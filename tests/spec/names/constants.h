/* SPDX-License-Identifier: MIT */
typedef struct { double *at; long n; int kind; } grid;
enum { state, error, view = 5, outcome = 9, object = 2, out = 30 };
static inline long source(grid *g) { return g->n; }
static inline int owner(grid *g) { return (int)g->n; }
static inline void params(grid *g, void *at, int64_t n, int kind) { *g = (grid){at, (long)n, kind}; }
