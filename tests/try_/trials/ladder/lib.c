#include "lib.h"
#include <stdlib.h>
#include <string.h>
ladder *ladder_build(int count)
{
    if (count < 1 || count > 1000) return NULL;
    ladder *l = malloc(sizeof *l);
    l->count = count;
    l->rungs = calloc((size_t)count, sizeof *l->rungs);
    return l;
}
void ladder_mark(ladder *l, int count) { memset(l->rungs, 1, (size_t)count * sizeof *l->rungs); }
int ladder_marked(const ladder *l)
{
    int marked = 0;
    for (int i = 0; i < l->count; i++) marked += l->rungs[i] != 0;
    return marked;
}
void ladder_free(ladder *l)
{
    free(l->rungs);
    free(l);
}
