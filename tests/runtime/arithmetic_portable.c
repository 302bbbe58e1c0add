/* SPDX-License-Identifier: MIT */
#define DLB_PORTABLE_ARITHMETIC
#include "dlb_emit.h"

#include "arithmetic.h"

bool portable_add_overflows(int64_t a, int64_t b, int64_t *sum)
{
    return dlb_add_overflows(a, b, sum);
}

bool portable_multiply_overflows(int64_t a, int64_t b, int64_t *product)
{
    return dlb_multiply_overflows(a, b, product);
}
