/* SPDX-License-Identifier: MIT */
#ifndef ARITHMETIC_H_
#define ARITHMETIC_H_

#include <stdbool.h>
#include <stdint.h>

/* dlb_add_overflows() and dlb_multiply_overflows() as compilers without builtins have them. */
bool portable_add_overflows(int64_t a, int64_t b, int64_t *sum);
bool portable_multiply_overflows(int64_t a, int64_t b, int64_t *product);

#endif
