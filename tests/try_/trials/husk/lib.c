#include "lib.h"
#include <stdlib.h>
husk *husk_grow(size_t count)
{
    if (count > 1000) return NULL;
    husk *h = malloc(sizeof *h);
    h->count = count;
    h->grains = malloc(count + 1);
    for (size_t i = 0; i < count; i++) h->grains[i] = (uint8_t)i;
    return h;
}
void husk_empty(husk *h)
{
    free(h->grains);
    h->grains = NULL;
    h->count = 0;
}
void husk_burn(husk *h)
{
    husk_empty(h);
    free(h);
}
