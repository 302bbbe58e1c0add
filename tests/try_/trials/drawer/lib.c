#include "lib.h"
#include <stdlib.h>
drawer *drawer_open(int first, int end)
{
    if (first < 0 || first > end || end > 1000) return NULL;
    drawer *d = malloc(sizeof *d);
    d->first = first;
    d->end = end;
    d->cells = malloc(((size_t)end + (end == 0)) * sizeof *d->cells);
    for (int i = 0; i < end; i++) d->cells[i] = i;
    return d;
}
void drawer_shut(drawer *d)
{
    free(d->cells);
    free(d);
}
