#include "lib.h"
#include <stdlib.h>
tray *tray_over(float *cups, int count)
{
    tray *t = malloc(sizeof *t);
    t->cups = cups;
    t->count = count;
    return t;
}
tray *tray_set(int count)
{
    if (count < 1 || count > 100) return NULL;
    return tray_over(calloc((size_t)count, sizeof(float)), count);
}
void tray_lift(tray *t) { free(t); }
void tray_clear(tray *t)
{
    free(t->cups);
    tray_lift(t);
}
