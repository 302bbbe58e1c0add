#include "lib.h"
#include <stdlib.h>
enum { ROOM = 10 };
struct pod {
    int count;
    pea *peas[ROOM];
};
pod *pod_grow(int peas)
{
    if (peas < 0 || peas > ROOM) return NULL;
    pod *p = calloc(1, sizeof *p);
    for (int i = 0; i < peas; i++) {
        p->peas[i] = calloc(1, sizeof(pea));
        p->peas[i]->skin[0] = (uint8_t)(i + 1);
    }
    p->count = peas;
    return p;
}
pea *pod_last(pod *p) { return p->count > 0 ? p->peas[p->count - 1] : NULL; }
pea *pod_pop(pod *p) { return p->count > 0 ? p->peas[--p->count] : NULL; }
void pod_push(pod *p, pea *e)
{
    if (p->count < ROOM) p->peas[p->count++] = e;
    else pea_free(e);
}
int pod_count(const pod *p) { return p->count; }
void pea_free(pea *e) { free(e); }
void pod_free(pod *p)
{
    while (p->count > 0) free(p->peas[--p->count]);
    free(p);
}
