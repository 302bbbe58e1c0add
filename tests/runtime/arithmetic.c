/* SPDX-License-Identifier: MIT */
/* The arithmetic of compilers without overflow builtins against 128-bit numbers, as against the builtins. */
#include "arithmetic.h"
#include "check.h"
#include "dlb_emit.h"

__extension__ typedef __int128 wide;

static int wrong;

static void compare(int64_t a, int64_t b)
{
    const wide sum = (wide)a + b;
    const wide product = (wide)a * b;
    int64_t found = 0, builtin = 0;
    bool overflows;

    overflows = portable_add_overflows(a, b, &found);
    wrong += overflows != (sum < INT64_MIN || sum > INT64_MAX);
    wrong += overflows != dlb_add_overflows(a, b, &builtin);
    wrong += !overflows && (found != (int64_t)sum || found != builtin);
    overflows = portable_multiply_overflows(a, b, &found);
    wrong += overflows != (product < INT64_MIN || product > INT64_MAX);
    wrong += overflows != dlb_multiply_overflows(a, b, &builtin);
    wrong += !overflows && (found != (int64_t)product || found != builtin);
    checks_made++;
}

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252U;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Of any magnitude: as often below 2^10 as above 2^53. */
static int64_t random_number(void)
{
    return (int64_t)random_bits() >> (random_bits() % 64);
}

int main(void)
{
    static const int64_t edges[] = {
        0, 1, 2, 3, INT32_MAX, INT64_C(1) << 31, UINT32_MAX, INT64_C(1) << 32, 3037000499, 3037000500,
        INT64_C(1) << 62, INT64_MAX / 3, INT64_MAX / 2, INT64_MAX / 2 + 1, INT64_MAX - 1, INT64_MAX,
    };
    enum { EDGES = sizeof edges / sizeof edges[0] };

    for (int i = 0; i < EDGES; i++) {
        for (int j = 0; j < EDGES; j++) {
            for (int signs = 0; signs < 4; signs++) {
                const int64_t a = (signs & 1) != 0 ? -edges[i] : edges[i];
                const int64_t b = (signs & 2) != 0 ? -edges[j] : edges[j];

                compare(a, b);
                compare(a - (a < 0), b); /* INT64_MIN too */
                compare(a, b - (b < 0));
                compare(a - (a < 0), b - (b < 0));
            }
        }
    }
    for (int i = 0; i < 1000000; i++) {
        compare(random_number(), random_number());
    }
    CHECK_EQUAL(wrong, 0);
    return checks_result();
}
