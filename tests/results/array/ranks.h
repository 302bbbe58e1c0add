/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct model { int64_t extents[70]; int rank; float values[6]; } model;
model *model_new(int rank);
void model_free(model *m);
int model_predict(model *m, const int64_t **extents, uint64_t *rank, const float **values);
int model_copy(const model *m, int64_t **extents, int axis, double **values);
const float *model_values(const model *m);
int32_t model_rank(const model *m);
int32_t model_extent(const model *m, int32_t axis);
void model_set(model *m, int64_t extent);
const float *model_find(const model *m, const int64_t **extents, int *rank);
const float *model_fixed(const model *m, int64_t extents[4], int *rank);
