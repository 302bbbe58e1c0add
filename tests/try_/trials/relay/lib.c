#include "lib.h"
#include <stdlib.h>
struct relay {
    const int32_t *x;
    size_t n;
};
static int64_t last;
relay *relay_new(void) { return calloc(1, sizeof(relay)); }
void relay_connect(relay *r, const int32_t *x, size_t n)
{
    r->x = x;
    r->n = n;
}
int64_t relay_total(const relay *r)
{
    int64_t total = 0;
    for (size_t i = 0; i < r->n; i++) total += r->x[i];
    return total;
}
void relay_free(relay *r)
{
    last = relay_total(r);
    free(r);
}
int64_t relay_last(void) { return last; }
