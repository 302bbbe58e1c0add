/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <suitesparse/cs.h>

cs_di *new_matrix(void)
{
    const int rows[] = {0, 2, 1, 2}, columns[] = {0, 2, 4};
    cs_di *m = cs_di_spalloc(3, 2, 4, 1, 0);
    for (int k = 0; k < 4; k++) {
        m->i[k] = rows[k];
        m->x[k] = k + 1;
    }
    for (int j = 0; j < 3; j++)
        m->p[j] = columns[j];
    return m;
}

const void *first_entries(cs_di *m) { return m->x; }
double at_entries(cs_di *m, const size_t *at) { return m->x[at[0]]; }
const void *first_rows(cs_di *m) { return m->i; }
double at_rows(cs_di *m, const size_t *at) { return m->i[at[0]]; }
const void *first_columns(cs_di *m) { return m->p; }
double at_columns(cs_di *m, const size_t *at) { return m->p[at[0]]; }
