/* SPDX-License-Identifier: MIT */
#include <stdint.h>
typedef int64_t index_t;
enum { UP = 1, DOWN = -1 };
int graph_degrees(const index_t *rows, const index_t *offsets, index_t *degrees, index_t *most);
double scale_(const int *n, double *x, const double *by, const int *step);
void decode(const float *x, int *read, float *out, int *written, index_t *way);
static inline int total(const char *x, int n) { (void)x; return n; }
