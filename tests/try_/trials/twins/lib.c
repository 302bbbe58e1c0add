#include "lib.h"
#include <stdlib.h>
twin *twin_new(int count)
{
    if (count < 1 || count > 1000) return NULL;
    twin *t = malloc(sizeof *t);
    t->values = calloc((size_t)count, sizeof *t->values);
    t->sharers = malloc(sizeof *t->sharers);
    *t->sharers = 1;
    t->count = count;
    return t;
}
twin *twin_share(const twin *t)
{
    twin *other = malloc(sizeof *other);
    *other = *t;
    ++*t->sharers;
    return other;
}
int twin_sharers(const twin *t) { return *t->sharers; }
void twin_free(twin *t)
{
    if (--*t->sharers == 0) {
        free(t->values);
        free(t->sharers);
    }
    free(t);
}
