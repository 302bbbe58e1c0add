/* SPDX-License-Identifier: MIT */
#include <igraph/igraph.h>
#include <stddef.h>

igraph_vector_t *new_vector(void)
{
    static igraph_vector_t v;
    igraph_vector_init(&v, 0);
    igraph_vector_reserve(&v, 8);
    for (int i = 0; i < 3; i++)
        igraph_vector_push_back(&v, i + 0.5);
    return &v;
}

igraph_vector_int_t *new_integers(void)
{
    static igraph_vector_int_t v;
    const igraph_integer_t numbers[] = {3, 1, 4, 1};
    igraph_vector_int_init_array(&v, numbers, 4);
    return &v;
}

igraph_matrix_t *new_matrix(void)
{
    static igraph_matrix_t m;
    igraph_matrix_init(&m, 2, 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            igraph_matrix_set(&m, i, j, 10 * (i + 1) + j + 1);
    return &m;
}

const void *first_vector(igraph_vector_t *v) { return igraph_vector_get_ptr(v, 0); }
double at_vector(igraph_vector_t *v, const size_t *at) { return igraph_vector_get(v, (igraph_integer_t)at[0]); }
const void *first_integers(igraph_vector_int_t *v) { return igraph_vector_int_get_ptr(v, 0); }
double at_integers(igraph_vector_int_t *v, const size_t *at)
{
    return (double)igraph_vector_int_get(v, (igraph_integer_t)at[0]);
}
const void *first_matrix(igraph_matrix_t *m) { return igraph_matrix_get_ptr(m, 0, 0); }
double at_matrix(igraph_matrix_t *m, const size_t *at)
{
    return igraph_matrix_get(m, (igraph_integer_t)at[0], (igraph_integer_t)at[1]);
}
