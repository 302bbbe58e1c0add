#include "scans.h"

#include <stdlib.h>

struct scan {
    int count;
    float values[64];
};

scan *scan_new(int count)
{
    scan *const s = count >= 0 && count <= 64 ? calloc(1, sizeof *s) : NULL;
    if (s != NULL) {
        s->count = count;
    }
    return s;
}

float *scan_values(scan *s)
{
    return s->values;
}

int scan_count(scan *s, int *count)
{
    *count = s->count;
    return 0;
}

void scan_free(scan *s)
{
    free(s);
}
