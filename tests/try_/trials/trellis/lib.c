#include "lib.h"
#include <stdlib.h>
trellis *trellis_put(int count, int window)
{
    if (window < 1 || window > count || count > 1000) return NULL;
    trellis *t = malloc(sizeof *t);
    t->count = count;
    t->window = window;
    t->slats = malloc((size_t)count * sizeof *t->slats);
    for (int i = 0; i < count; i++) t->slats[i] = (float)i;
    return t;
}
void trellis_remove(trellis *t)
{
    free(t->slats);
    free(t);
}
