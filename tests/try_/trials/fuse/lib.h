#pragma once
#include <stddef.h>
#include <stdint.h>
/* out[i] = sqrt(x[i]), by halves. Fails with -1 at a negative element, and leaves the rest of `out` as it was. */
int fuse_roots(const double *x, int n, double *out);
/* Fails with -1 for n = 0, and does not touch `mean`. */
int fuse_mean(const double *x, int n, double *mean);
