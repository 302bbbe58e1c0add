#include "lib.h"
#include <stdlib.h>
lantern *lantern_lit(void)
{
    lantern *l = calloc(1, sizeof *l);
    for (int i = 0; i < 4; i++) l->light[i] = 1.0f - 0.25f * (float)i;
    return l;
}
int lantern_glaze(lantern *l, int count)
{
    if (count < 1 || count > 100) return -1;
    free(l->panes);
    l->panes = calloc((size_t)count, sizeof *l->panes);
    l->count = count;
    return 0;
}
int lantern_panes(const lantern *l) { return l->count; }
void lantern_out(lantern *l) { free(l); }
void lantern_free(lantern *l)
{
    free(l->panes);
    free(l);
}
