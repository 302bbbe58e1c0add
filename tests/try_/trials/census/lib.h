#pragma once
#include <stddef.h>
#include <stdint.h>
/* Counts how often each number occurs. The caller frees the result; it has `kinds` counts, the highest number + 1. */
int32_t *census_count(const uint8_t *x, size_t n, size_t *kinds);
