/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef double real;
typedef struct pair { float a, b; } pair;
#define MOST 4
static inline const real *axis(void) { static const real at[3] = {1, 2, 3}; return at; }
static inline real *grid(int N) { return calloc((size_t)(3 * N + 1), sizeof(real)); }
static inline void fill(real *out) { for (int i = 0; i < MOST; i++) { out[i] = i; } }
static inline double sum(const pair *P, int N)
{
    double total = 0;
    for (int i = 0; i < N; i++) { total += P[i].a + P[i].b; }
    return total;
}
