#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct ladder {
    int16_t *rungs;
    int count;
} ladder;
ladder *ladder_build(int count); /* NULL for less than 1 or more than 1000 */
/* Sets the first `count` rungs: not below 0, and not more than there are. */
void ladder_mark(ladder *l, int count);
int ladder_marked(const ladder *l);
void ladder_free(ladder *l);
