/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct strip { int16_t *steps; size_t count; } strip;
typedef struct reel { const unsigned char *tape; size_t size; } reel;
static inline long long strip_sum(const int16_t *steps, size_t n)
{
    long long sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += steps[i];
    }
    return sum;
}
static inline long long strips_sum(const strip *const *all, size_t n)
{
    long long sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += strip_sum(all[i]->steps, all[i]->count);
    }
    return sum;
}
static inline long long bytes_sum(const void *bytes, size_t n)
{
    long long sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += ((const unsigned char *)bytes)[i];
    }
    return sum;
}
static inline void strip_fill(int16_t *steps, size_t n, int16_t value)
{
    for (size_t i = 0; i < n; i++) {
        steps[i] = value;
    }
}
static inline reel *reel_new(const void *tape, size_t size)
{
    reel *made = malloc(sizeof *made);
    *made = (reel){tape, size};
    return made;
}
static inline long long reel_sum(const reel *r) { return bytes_sum(r->tape, r->size); }
static inline size_t extents(const void *x, size_t h, size_t w, size_t size) { return (void)x, h + w + size; }
