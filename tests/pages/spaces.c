#include "spaces.h"

#include <stdlib.h>

struct space { int masses; };

space *space_new(void)
{
    return calloc(1, sizeof(space));
}

void space_free(space *s)
{
    free(s);
}

mass *mass_new(space *s, long n)
{
    mass *const m = malloc(sizeof *m);
    *m = (mass){n, calloc((size_t)n + 1, sizeof(double))};
    s->masses++;
    return m;
}

void mass_free(space *s, mass *m)
{
    s->masses--;
    free(m->at);
    free(m);
}

double mass_total(const space *s, const mass *m)
{
    double total = 0;
    (void)s;
    for (long i = 0; i < m->n; i++) {
        total += m->at[i];
    }
    return total;
}

void mass_double(space *s, const mass *m, mass *into)
{
    (void)s;
    for (long i = 0; i < m->n; i++) {
        into->at[i] = 2 * m->at[i];
    }
}
