/* SPDX-License-Identifier: MIT */
#include <shapefil.h>
#include <stddef.h>

SHPObject *new_shape(void)
{
    const double x[] = {0.5, 1.5, 2.5, 3.5}, y[] = {10.5, 11.5, 12.5, 13.5};
    const int parts[] = {0, 2};
    return SHPCreateObject(SHPT_ARC, -1, 2, parts, NULL, 4, x, y, NULL, NULL);
}

const void *first_x(SHPObject *s) { return s->padfX; }
double at_x(SHPObject *s, const size_t *at) { return s->padfX[at[0]]; }
const void *first_y(SHPObject *s) { return s->padfY; }
double at_y(SHPObject *s, const size_t *at) { return s->padfY[at[0]]; }
const void *first_parts(SHPObject *s) { return s->panPartStart; }
double at_parts(SHPObject *s, const size_t *at) { return s->panPartStart[at[0]]; }
