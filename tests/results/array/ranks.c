/* SPDX-License-Identifier: MIT */
#include "ranks.h"

model *model_new(int rank)
{
    model *made = malloc(sizeof *made);

    made->rank = rank;
    for (int i = 0; i < 70; i++) {
        made->extents[i] = i == 1 ? 3 : i == 0 && rank > 0 ? 2 : 1;
    }
    for (int i = 0; i < 6; i++) {
        made->values[i] = (float)i;
    }
    return made;
}

void model_free(model *m) { free(m); }
int32_t model_rank(const model *m) { return m->rank; }
int32_t model_extent(const model *m, int32_t axis) { return (int32_t)m->extents[axis]; }
const float *model_values(const model *m) { return m->values; }
void model_set(model *m, int64_t extent) { m->extents[0] = extent; }

const float *model_find(const model *m, const int64_t **extents, int *rank)
{
    *rank = m->rank;
    if (m->rank == 0) {
        return NULL;
    }
    *extents = m->extents;
    return m->values;
}

const float *model_fixed(const model *m, int64_t extents[4], int *rank)
{
    *rank = m->rank;
    for (int i = 0; i < 4; i++) {
        extents[i] = m->extents[i];
    }
    return m->values;
}

int model_predict(model *m, const int64_t **extents, uint64_t *rank, const float **values)
{
    *extents = m->extents;
    *rank = (uint64_t)m->rank;
    *values = m->values;
    return 0;
}

int model_copy(const model *m, int64_t **extents, int axis, double **values)
{
    *extents = malloc(sizeof(int64_t) * 2);
    (*extents)[0] = axis == 0 ? 3 : 2;
    (*extents)[1] = axis == 0 ? 2 : 3;
    *values = malloc(sizeof(double) * 6);
    for (int i = 0; i < 6; i++) {
        (*values)[i] = m->values[i];
    }
    return 0;
}
