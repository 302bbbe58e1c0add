#include "lib.h"
#include <stdlib.h>
#include <string.h>
lattice lattice_of(const double *nodes, size_t count)
{
    lattice l = {malloc((count + 1) * sizeof *nodes), count};
    if (count > 0) memcpy(l.nodes, nodes, count * sizeof *nodes);
    return l;
}
int lattice_init(lattice *l, int count)
{
    if (count < 0 || count > 1000) return -1;
    l->nodes = calloc((size_t)count + 1, sizeof *l->nodes);
    l->count = (size_t)count;
    return 0;
}
double lattice_sum(lattice l)
{
    double sum = 0;
    for (size_t i = 0; i < l.count; i++) sum += l.nodes[i];
    return sum;
}
void lattice_clear(lattice *l)
{
    free(l->nodes);
    l->nodes = NULL;
    l->count = 0;
}
