#pragma once
#include <stddef.h>
#include <stdint.h>
/* The changes of n prices. The result is overwritten by the next call; it has *count numbers, at most 16. */
const double *ticker_changes(const double *prices, size_t n, size_t *count);
/* The name of a price, until the next call. */
const char *ticker_name(unsigned number);
