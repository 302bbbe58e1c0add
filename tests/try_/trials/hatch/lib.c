#include "lib.h"
#include <stdlib.h>
hatch *hatch_fit(int count)
{
    if (count < 1 || count > 100) return NULL;
    hatch *h = malloc(sizeof *h);
    h->count = count;
    h->is_open = 1;
    h->slats = malloc((size_t)count * sizeof *h->slats);
    for (int i = 0; i < count; i++) h->slats[i] = (int16_t)(10 * i);
    return h;
}
int hatch_seal(hatch *h)
{
    free(h->slats);
    h->slats = NULL;
    h->count = h->is_open = 0;
    return 0;
}
int hatch_scrap(hatch *h)
{
    hatch_seal(h);
    free(h);
    return 0;
}
