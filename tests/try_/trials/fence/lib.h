#pragma once
#include <stddef.h>
#include <stdint.h>
/* The gaps between n posts: n - 1 numbers. */
void fence_gaps(const double *posts, int n, double *gaps);
double fence_length(const double *posts, int n); /* 0 for less than two posts */
