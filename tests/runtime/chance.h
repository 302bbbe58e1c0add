/* SPDX-License-Identifier: MIT */
/* Numbers by chance, the same in every run. For one file per program. */
#ifndef CHANCE_H_
#define CHANCE_H_

#include <stdint.h>

static inline uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252U;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static inline int random_below(int limit)
{
    return (int)(random_bits() % (uint64_t)limit);
}

/* What a struct should not say, and what it may: of any size and sign, often at an edge. */
static inline int64_t odd_number(void)
{
    static const int64_t edges[] = {
        -1, 0, 1, 2, 3, 7, 9, 64, 65, 66, 255, 32767, 32768, INT32_MAX, INT32_MIN, INT64_C(1) << 31,
        (INT64_C(1) << 32) + 1, INT64_C(1) << 40, INT64_C(1) << 62, INT64_MAX, INT64_MIN,
    };

    return random_below(3) > 0 ? edges[random_below((int)(sizeof edges / sizeof edges[0]))]
                               : (int64_t)random_bits() >> random_below(64);
}

#endif
