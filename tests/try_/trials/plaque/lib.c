#include "lib.h"
#include <stdlib.h>
struct plaque {
    uint16_t *units;
    int count;
};
plaque *plaque_cast(int number)
{
    if (number < 0) return NULL;
    plaque *p = malloc(sizeof *p);
    p->count = 1;
    for (int rest = number; rest >= 10; rest /= 10) p->count++;
    p->units = malloc((size_t)p->count * sizeof *p->units);
    for (int i = p->count; i-- > 0; number /= 10) p->units[i] = (uint16_t)('0' + number % 10);
    return p;
}
const void *plaque_units(const plaque *p) { return p->units; }
int plaque_count(const plaque *p) { return p->count; }
void plaque_melt(plaque *p)
{
    free(p->units);
    free(p);
}
