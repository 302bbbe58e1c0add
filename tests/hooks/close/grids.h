#include <stdlib.h>

typedef struct {
    int n;
    double *x;
} grid;

typedef struct {
    grid *first;
} tree;

static inline grid *grid_new(int n)
{
    grid *const self = malloc(sizeof *self);

    if (self != NULL) {
        self->n = n;
        self->x = calloc((size_t)n, sizeof *self->x);
    }
    return self;
}

static inline void grid_free(grid *self)
{
    free(self->x);
    free(self);
}

static inline int grid_close(grid *self)
{
    grid_free(self);
    return 0;
}

static inline void grid_resize(grid *self, int n)
{
    self->x = realloc(self->x, (size_t)n * sizeof *self->x);
    for (; self->n < n; self->n++) {
        self->x[self->n] = 0;
    }
    self->n = n;
}

static inline tree *tree_new(void)
{
    tree *const self = malloc(sizeof *self);

    if (self != NULL) {
        self->first = grid_new(2);
    }
    return self;
}

static inline void tree_free(tree *self)
{
    grid_free(self->first);
    free(self);
}

static inline int tree_close(tree *self)
{
    tree_free(self);
    return 0;
}

static inline grid *tree_first(tree *self)
{
    return self->first;
}

static inline double *tree_values(tree *self, int *n)
{
    *n = self->first->n;
    return self->first->x;
}
