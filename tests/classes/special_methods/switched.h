/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct belt { int16_t *at; size_t n; } belt;
static inline long long belt_sum(const belt *b)
{
    long long sum = 0;
    for (size_t i = 0; i < b->n; i++) {
        sum += b->at[i];
    }
    return sum;
}
static inline long long sum(const int16_t *x, size_t n) { return belt_sum(&(belt){(int16_t *)(uintptr_t)x, n}); }
static inline long long belts_sum(const belt *const *all, size_t n)
{
    long long total = 0;
    for (size_t i = 0; i < n; i++) {
        total += belt_sum(all[i]);
    }
    return total;
}
static inline size_t size(const void *bytes, size_t n) { (void)bytes; return n; }
static inline int twice(int n) { return 2 * n; }
static inline double half(double x) { return x / 2; }
static inline bool opposite(bool b) { return !b; }
static inline int path_first(const char *path) { return path[0]; }
