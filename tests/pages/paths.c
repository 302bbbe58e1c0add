#include "paths.h"

#include <stdlib.h>
#include <string.h>

struct path {
    point *points;
    int count;
};

path *path_new(void)
{
    return calloc(1, sizeof(path));
}

void path_free(path *p)
{
    free(p->points);
    free(p);
}

int path_add(path *p, const point *points, int count)
{
    point *const all = realloc(p->points, (size_t)(p->count + count) * sizeof(point));
    if (all == NULL) {
        return -1;
    }
    memcpy(all + p->count, points, (size_t)count * sizeof(point));
    p->points = all;
    p->count += count;
    return 0;
}

const point *path_points(const path *p, int *count)
{
    *count = p->count;
    return p->points;
}

void smooth(const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = i > 0 && i + 1 < n ? (x[i - 1] + x[i] + x[i + 1]) / 3 : x[i];
    }
}
