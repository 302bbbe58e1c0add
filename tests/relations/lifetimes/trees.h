#include <stdlib.h>
#include <string.h>

typedef struct leaf {
    double size;
} leaf;

typedef struct {
    leaf *leaves[4];
    int n;
} tree;

static inline leaf *leaf_new(double size)
{
    leaf *const self = malloc(sizeof *self);

    if (self != NULL) {
        self->size = size;
    }
    return self;
}

static inline void leaf_free(leaf *self)
{
    free(self);
}

static inline tree *tree_new(void)
{
    return calloc(1, sizeof(tree));
}

static inline void tree_clear(tree *t)
{
    while (t->n > 0) {
        leaf_free(t->leaves[--t->n]);
    }
}

static inline void tree_free(tree *t)
{
    tree_clear(t);
    free(t);
}

static inline int tree_push(tree *t, leaf *x)
{
    if (t->n == 4) {
        return -1;
    }
    t->leaves[t->n++] = x;
    return 0;
}

static inline leaf *tree_at(tree *t, int i)
{
    return i >= 0 && i < t->n ? t->leaves[i] : NULL;
}

static inline leaf *tree_pop(tree *t)
{
    return t->n > 0 ? t->leaves[--t->n] : NULL;
}

static inline int tree_take(tree *t, leaf **taken)
{
    *taken = tree_pop(t);
    return *taken != NULL ? 0 : -1;
}
