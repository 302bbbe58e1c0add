/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

typedef struct model {
    int size;
} model;

typedef struct sim {
    double *values;
} sim;

extern int views_models, views_sims;

static inline model *model_new(int size)
{
    model *made = malloc(sizeof *made);

    made->size = size;
    views_models++;
    return made;
}

static inline void model_free(model *ended)
{
    ended->size = -1; /* whatever has its shape from it now is seen */
    views_models--;
    free(ended);
}

static inline sim *sim_new(const model *m)
{
    sim *made = malloc(sizeof *made);

    made->values = calloc((size_t)m->size, sizeof(double));
    for (int i = 0; i < m->size; i++) {
        made->values[i] = i;
    }
    views_sims++;
    return made;
}

static inline void sim_free(const model *m, sim *ended)
{
    memset(ended->values, 0, (size_t)m->size * sizeof(double));
    views_sims--;
    free(ended->values);
    free(ended);
}

typedef double number;

static inline int split(int n, number **low, int *nlow, number **high, int *nhigh)
{
    *nlow = n / 2;
    *nhigh = n - n / 2;
    *low = calloc((size_t)*nlow, sizeof(number));
    *high = calloc((size_t)*nhigh, sizeof(number));
    return 0;
}

typedef float weight;

static inline weight *weights(int *n)
{
    *n = 3;
    return calloc(3, sizeof(weight));
}
