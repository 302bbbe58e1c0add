#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct drawer {
    double *cells;
    int first, end; /* the used cells: from `first` to the one before `end` */
} drawer;
/* A drawer of `end` cells, of which the first are not used. NULL unless 0 <= first <= end <= 1000. */
drawer *drawer_open(int first, int end);
void drawer_shut(drawer *d);
