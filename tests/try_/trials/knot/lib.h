#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct rope {
    double *strands;
    size_t n;
} rope;
rope *rope_twist(size_t n); /* NULL for more than 1000 */
void rope_cut(rope *r);
/* Whether all elements are equal; compares the addresses first. */
int knot_equal(const double *a, const double *b, size_t n);
/* Adds the strands of `b` to those of `a`; twice those of `a`, if both are one rope. -1 if they differ in length. */
int knot_tie(rope *a, const rope *b);
