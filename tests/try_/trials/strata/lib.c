#include "lib.h"
#include <stdlib.h>
struct core {
    int layers;
    float *depths;
};
core *core_drill(int layers)
{
    if (layers < 1 || layers > 1000) return NULL;
    core *c = malloc(sizeof *c);
    c->layers = layers;
    c->depths = malloc((size_t)layers * 2 * sizeof *c->depths);
    for (int i = 0; i < layers; i++) {
        c->depths[2 * i] = 0.5f * (float)i;
        c->depths[2 * i + 1] = 0.5f * (float)(i + 1);
    }
    return c;
}
const float *core_depths(const core *c, int *n)
{
    *n = c->layers;
    return c->depths;
}
void core_break(core *c)
{
    free(c->depths);
    free(c);
}
