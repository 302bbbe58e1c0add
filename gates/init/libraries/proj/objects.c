/* SPDX-License-Identifier: MIT */
#include <proj.h>
#include <stddef.h>

PJ_COORD *new_coordinate(void)
{
    static PJ_COORD c;
    c = proj_coord(0.5, 1.5, 2.5, 3.5);
    return &c;
}

const void *first_coordinate(PJ_COORD *c) { return c->v; }
double at_coordinate(PJ_COORD *c, const size_t *at) { return c->v[at[0]]; }
