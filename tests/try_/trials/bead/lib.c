#include "lib.h"
#include <stdlib.h>
struct string {
    bead *last;
};
bead *bead_new(int first)
{
    bead *b = calloc(1, sizeof *b);
    b->references = 1;
    b->holes[0] = first;
    return b;
}
bead *bead_ref(bead *b)
{
    b->references++;
    return b;
}
void bead_unref(bead *b)
{
    if (--b->references == 0) free(b);
}
bead *bead_larger(bead *a, bead *b) { return bead_ref(a->holes[0] >= b->holes[0] ? a : b); }
string *string_new(void) { return calloc(1, sizeof(string)); }
bead *string_last(string *s) { return s->last != NULL ? bead_ref(s->last) : NULL; }
void string_add(string *s, bead *b)
{
    bead_ref(b);
    if (s->last != NULL) bead_unref(s->last);
    s->last = b;
}
void string_free(string *s)
{
    if (s->last != NULL) bead_unref(s->last);
    free(s);
}
