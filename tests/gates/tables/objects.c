/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <tables.h>

static short numbers[] = {11, 12, 13, 0, 21, 22, 23, 0};

struct table *new_part(void)
{
    static struct table t = {2, 3, 4, numbers};
    return &t;
}

struct table *new_whole(void)
{
    static struct table t = {2, 4, 4, numbers};
    return &t;
}

const void *first_table(struct table *t) { return t->first; }
double at_table(struct table *t, const size_t *at) { return t->first[at[0] * (size_t)t->row_length + at[1]]; }
