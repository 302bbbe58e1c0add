/* SPDX-License-Identifier: MIT */
#include <stdint.h>

typedef struct total {
    double value;
} total_t;

typedef struct window {
    const double *first;
    int64_t count;
} window_t;

total_t *total_new(const double *data, int64_t count);
void total_free(total_t *total);
double total_value(const total_t *total);
int total_live(void);
double window_last(const window_t *window);
