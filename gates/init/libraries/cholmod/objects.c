/* SPDX-License-Identifier: MIT */
#include <complex.h>
#include <stddef.h>
#include <suitesparse/cholmod.h>

static cholmod_common *common(void)
{
    static cholmod_common c;
    static int started;
    if (!started)
        started = cholmod_start(&c);
    return &c;
}

cholmod_dense *new_dense(void)
{
    cholmod_dense *m = cholmod_allocate_dense(2, 3, 4, CHOLMOD_REAL, common());
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 3; j++)
            ((double *)m->x)[i + j * m->d] = 10.0 * (double)(i + 1) + (double)(j + 1);
    return m;
}

cholmod_dense *new_complex(void)
{
    cholmod_dense *m = cholmod_allocate_dense(3, 2, 3, CHOLMOD_COMPLEX, common());
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++) {
            ((double *)m->x)[2 * (i + j * m->d)] = 10.0 * (double)(i + 1) + (double)(j + 1);
            ((double *)m->x)[2 * (i + j * m->d) + 1] = 0.5;
        }
    return m;
}

cholmod_sparse *new_sparse(void)
{
    const int rows[] = {0, 2, 1, 0, 2}, columns[] = {0, 2, 3, 5};
    cholmod_sparse *m = cholmod_allocate_sparse(3, 3, 5, 1, 1, 0, CHOLMOD_REAL, common());
    for (int k = 0; k < 5; k++) {
        ((int *)m->i)[k] = rows[k];
        ((double *)m->x)[k] = k + 1;
    }
    for (int j = 0; j < 4; j++)
        ((int *)m->p)[j] = columns[j];
    return cholmod_check_sparse(m, common()) ? m : NULL;
}

const void *first_dense(cholmod_dense *m) { return m->x; }
double at_dense(cholmod_dense *m, const size_t *at) { return ((double *)m->x)[at[0] + at[1] * m->d]; }
const void *first_complex(cholmod_dense *m) { return m->x; }
double complex at_complex(cholmod_dense *m, const size_t *at)
{
    const double *parts = (double *)m->x + 2 * (at[0] + at[1] * m->d);
    return parts[0] + parts[1] * I;
}
const void *first_entries(cholmod_sparse *m) { return m->x; }
double at_entries(cholmod_sparse *m, const size_t *at) { return at[0] < m->nzmax ? ((double *)m->x)[at[0]] : -1; }
const void *first_rows(cholmod_sparse *m) { return m->i; }
double at_rows(cholmod_sparse *m, const size_t *at) { return at[0] < m->nzmax ? ((int *)m->i)[at[0]] : -1; }
const void *first_columns(cholmod_sparse *m) { return m->p; }
double at_columns(cholmod_sparse *m, const size_t *at) { return at[0] <= m->ncol ? ((int *)m->p)[at[0]] : -1; }
