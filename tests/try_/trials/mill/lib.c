#include "lib.h"
#include <stdlib.h>
struct mill {
    grain fed;
    double ground;
};
mill *mill_build(void) { return calloc(1, sizeof(mill)); }
void mill_feed(mill *m, const grain *g) { m->fed = *g; }
double mill_grind(mill *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->fed.count; i++) sum += (double)m->fed.at[i];
    m->ground += sum;
    return sum;
}
void mill_raze(mill *m) { free(m); }
