#include "lib.h"
#include <stdlib.h>
enum { ALIGNMENT = 64 };
static float *align(char *at)
{
    size_t over = (size_t)(uintptr_t)at % ALIGNMENT;
    return (float *)(void *)(at + (over > 0 ? ALIGNMENT - over : 0));
}
flint *flint_strike(int count)
{
    if (count < 1 || count > 1000) return NULL;
    flint *f = malloc(sizeof *f);
    f->count = count;
    f->block = malloc((size_t)count * sizeof *f->edge + ALIGNMENT - 1);
    f->edge = align(f->block);
    for (int i = 0; i < count; i++) f->edge[i] = 1 / (float)(i + 1);
    return f;
}
void flint_drop(flint *f)
{
    free(f->block);
    free(f);
}
