#include "lib.h"
#include <stdlib.h>
static tenant *waiting;
tenant *tenant_over(float *rooms, size_t count, void (*leave)(void *user), void *user)
{
    tenant *t = malloc(sizeof *t);
    t->rooms = rooms;
    t->count = count;
    t->leave = leave;
    t->user = user;
    return t;
}
void tenant_free(tenant *t)
{
    tenant *before = waiting;
    waiting = t;
    if (before != NULL) {
        if (before->count > 0) before->rooms[0] += 1; /* a last write: the memory is there until `leave` */
        before->leave(before->user);
        free(before);
    }
}
int tenants_waiting(void) { return waiting != NULL; }
