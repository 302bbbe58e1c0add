/* SPDX-License-Identifier: MIT */
#include <gsl/gsl_matrix_double.h>
#include <gsl/gsl_vector_double.h>
#include <stdlib.h>

static gsl_matrix *filled(size_t rows, size_t columns)
{
    gsl_matrix *m = gsl_matrix_alloc(rows, columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            gsl_matrix_set(m, i, j, 10.0 * (double)i + (double)j);
    return m;
}

gsl_matrix *new_whole(void) { return filled(2, 3); }

gsl_matrix *new_part(void)
{
    gsl_matrix_view view = gsl_matrix_submatrix(filled(4, 5), 1, 2, 3, 2);
    gsl_matrix *m = malloc(sizeof *m);
    *m = view.matrix;
    return m;
}

gsl_vector *new_column(void)
{
    gsl_vector_view view = gsl_matrix_column(filled(4, 5), 3);
    gsl_vector *v = malloc(sizeof *v);
    *v = view.vector;
    return v;
}

const void *first_matrix(gsl_matrix *m) { return gsl_matrix_ptr(m, 0, 0); }
double at_matrix(gsl_matrix *m, const size_t *at) { return gsl_matrix_get(m, at[0], at[1]); }
const void *first_vector(gsl_vector *v) { return gsl_vector_ptr(v, 0); }
double at_vector(gsl_vector *v, const size_t *at) { return gsl_vector_get(v, at[0]); }
