#include "lib.h"
#include <stdlib.h>
struct grove {
    int count;
    tree *trees;
};
grove *grove_plant(int trees)
{
    if (trees < 1 || trees > 100) return NULL;
    grove *g = malloc(sizeof *g);
    g->count = trees;
    g->trees = calloc((size_t)trees, sizeof *g->trees);
    for (int i = 0; i < trees; i++) g->trees[i].rings[0] = i + 1;
    return g;
}
tree *grove_tree(grove *g, int index) { return index >= 0 && index < g->count ? &g->trees[index] : NULL; }
double tree_girth(const tree *t)
{
    double girth = 0;
    for (int i = 0; i < 5; i++) girth += t->rings[i];
    return girth;
}
void grove_fell(grove *g)
{
    free(g->trees);
    free(g);
}
