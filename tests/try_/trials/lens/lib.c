#include "lib.h"
#include <stdlib.h>
struct lens {
    const float *curve;
    size_t n;
};
lens *lens_grind(const float *curve, size_t n)
{
    if (n < 2) return NULL;
    lens *l = malloc(sizeof *l);
    l->curve = curve;
    l->n = n;
    return l;
}
float lens_at(const lens *l, float where)
{
    if (!(where > 0)) return l->curve[0];
    if (where >= 1) return l->curve[l->n - 1];
    float at = where * (float)(l->n - 1);
    size_t left = (size_t)at;
    if (left > l->n - 2) left = l->n - 2;
    return l->curve[left] + (at - (float)left) * (l->curve[left + 1] - l->curve[left]);
}
void lens_drop(lens *l) { free(l); }
