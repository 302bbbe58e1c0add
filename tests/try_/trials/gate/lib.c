#include "lib.h"
#include <stdlib.h>
struct gate {
    int bars;
    double *heights;
};
gate *gate_hang(int bars)
{
    if (bars < 1 || bars > 100) return NULL;
    gate *g = malloc(sizeof *g);
    g->bars = bars;
    g->heights = calloc((size_t)bars, sizeof *g->heights);
    return g;
}
int gate_bars(const gate *g) { return g->bars; }
int gate_sell(gate *g, int price)
{
    if (price < 1) return -1;
    gate_free(g);
    return 0;
}
void gate_free(gate *g)
{
    free(g->heights);
    free(g);
}
