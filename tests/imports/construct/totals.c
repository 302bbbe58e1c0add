/* SPDX-License-Identifier: MIT */
#include "totals.h"

#include <stdlib.h>

static int live;

total_t *total_new(const double *data, int64_t count)
{
    total_t *total = calloc(1, sizeof *total);

    for (int64_t i = 0; i < count; i++) {
        total->value += data[i];
    }
    live++;
    return total;
}

void total_free(total_t *total)
{
    free(total);
    live--;
}

double total_value(const total_t *total)
{
    return total->value;
}

double window_last(const window_t *window)
{
    return window->first[window->count - 1];
}

int total_live(void)
{
    return live;
}
