#include "lib.h"
#include <stdlib.h>
#include <string.h>
spool *spool_of(const double *wire, size_t length)
{
    spool *s = calloc(1, sizeof *s);
    if (length > 0) {
        s->length = length;
        s->wire = malloc(length * sizeof *wire);
        memcpy(s->wire, wire, length * sizeof *wire);
    }
    return s;
}
double spool_at(const spool *s, size_t index) { return index < s->length ? s->wire[index] : 0; }
void spool_clear(spool *s)
{
    free(s->wire);
    s->wire = NULL;
    s->length = 0;
}
void spool_free(spool *s)
{
    spool_clear(s);
    free(s);
}
