/* SPDX-License-Identifier: MIT */
#include "addressed.h"
int graph_degrees(const index_t *rows, const index_t *offsets, index_t *degrees, index_t *most)
{
    *most = 0;
    for (index_t i = 0; i < *rows; i++) {
        degrees[i] = offsets[i + 1] - offsets[i];
        *most = degrees[i] > *most ? degrees[i] : *most;
    }
    return *rows < 0;
}
double scale_(const int *n, double *x, const double *by, const int *step)
{
    double sum = 0;
    for (int i = 0; i < *n; i += *step) { x[i] *= *by; sum += x[i]; }
    return sum;
}
void decode(const float *x, int *read, float *out, int *written, index_t *way)
{
    int n = *read < *written ? *read : *written;
    for (int i = 0; i < n; i++) { out[i] = x[i] * (float)*way; }
    *read = n;
    *written = n;
    *way = -*way;
}
