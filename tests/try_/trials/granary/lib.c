#include "lib.h"
#include <stdlib.h>
enum { SIZE = 4096 };
struct granary {
    int used;
    _Alignas(16) char memory[SIZE];
};
granary *granary_build(void) { return calloc(1, sizeof(granary)); }
int granary_room(const granary *g) { return SIZE - g->used; }
static void *allocate(granary *g, int size)
{
    void *at = g->memory + g->used;
    g->used += (size + 15) / 16 * 16;
    return at;
}
sack *granary_fill(granary *g, int count)
{
    if (count < 0 || count > SIZE / 8 || granary_room(g) < 4 * count + 64) return NULL;
    sack *s = allocate(g, sizeof *s);
    s->grains = allocate(g, 4 * count);
    s->count = count;
    for (int i = 0; i < count; i++) s->grains[i] = i;
    return s;
}
void granary_raze(granary *g) { free(g); }
