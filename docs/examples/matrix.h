#ifndef MATRIX_H
#define MATRIX_H

#include <stddef.h>

#define MATRIX_VERSION 2

typedef struct matrix_double {
    double *elements;
    size_t rows, columns, leading;
} matrix_double;

typedef struct matrix_float {
    float *elements;
    size_t rows, columns, leading;
} matrix_float;

void matrix_double_free(matrix_double *matrix);
void matrix_float_free(matrix_float *matrix);

typedef long grid_value;

struct grid_axis {
    size_t extent;
    ptrdiff_t step;
};

typedef struct grid {
    grid_value *values;
    const int rank;
    int is_compact;
    struct grid_axis *axes;
} grid;

typedef struct grid_with_axes {
    grid grid;
    struct grid_axis storage[8];
} grid_with_axes;

grid_value *grid_values(grid *g);

#endif
