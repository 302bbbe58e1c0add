#include "lib.h"
#include <stdlib.h>
struct cord {
    int length;
    double *strength;
};
struct kite {
    const cord *tied;
};
cord *cord_spin(int length)
{
    if (length < 1 || length > 1000) return NULL;
    cord *c = malloc(sizeof *c);
    c->length = length;
    c->strength = malloc((size_t)length * sizeof *c->strength);
    for (int i = 0; i < length; i++) c->strength[i] = 10 - 0.01 * i;
    return c;
}
void cord_cut(cord *c)
{
    free(c->strength);
    free(c);
}
kite *kite_make(void) { return calloc(1, sizeof(kite)); }
void kite_tie(kite *k, const cord *c) { k->tied = c; }
double kite_pull(const kite *k) { return k->tied != NULL ? k->tied->strength[k->tied->length - 1] : 0; }
void kite_break(kite *k) { free(k); }
