#include "lib.h"
#include <stdio.h>
enum { ROOM = 16 };
const double *ticker_changes(const double *prices, size_t n, size_t *count)
{
    static double changes[ROOM];
    *count = 0;
    for (size_t i = 1; i < n && *count < ROOM; i++) {
        if (prices[i] < prices[i - 1] || prices[i] > prices[i - 1]) changes[(*count)++] = prices[i] - prices[i - 1];
    }
    return changes;
}
const char *ticker_name(unsigned number)
{
    static char name[16];
    snprintf(name, sizeof name, "P%u", number % 1000);
    return name;
}
