#include "lib.h"
#include <stdlib.h>
struct hive {
    queen *now;
    int queens;
};
queen *queen_raise(void)
{
    queen *q = malloc(sizeof *q);
    for (int i = 0; i < 4; i++) q->rings[i] = 0.1f * (float)i;
    return q;
}
void queen_free(queen *q) { free(q); }
hive *hive_found(void) { return calloc(1, sizeof(hive)); }
void hive_settle(hive *h, queen *q)
{
    free(h->now);
    h->now = q;
    h->queens++;
}
int hive_queens(const hive *h) { return h->queens; }
void hive_free(hive *h)
{
    free(h->now);
    free(h);
}
