#include "readings.h"

#include <stdlib.h>

reading *reading_new(char kind, int count)
{
    reading *r = malloc(sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->kind = kind;
    r->count = count;
    if (kind == 'd') {
        r->values.doubles = calloc((size_t)count, sizeof(double));
    } else {
        r->values.floats = calloc((size_t)count, sizeof(float));
    }
    return r;
}

void reading_free(reading *r)
{
    free(r->values.floats);
    free(r);
}
