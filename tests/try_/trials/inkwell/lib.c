#include "lib.h"
#include <stdlib.h>
struct inkwell {
    double *drops;
    size_t n;
};
inkwell *inkwell_new(void) { return calloc(1, sizeof(inkwell)); }
void inkwell_fill(inkwell *i, double *drops, size_t n)
{
    free(i->drops);
    i->drops = drops;
    i->n = n;
}
double inkwell_level(const inkwell *i)
{
    double level = 0;
    for (size_t k = 0; k < i->n; k++) level += i->drops[k];
    return level;
}
void inkwell_free(inkwell *i)
{
    free(i->drops);
    free(i);
}
