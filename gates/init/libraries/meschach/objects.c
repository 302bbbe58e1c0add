/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <meschach/matrix.h>

VEC *new_vector(void)
{
    VEC *v = v_resize(v_get(5), 3);
    for (int i = 0; i < 3; i++)
        v_set_val(v, i, i + 0.5);
    return v;
}

MAT *new_matrix(void)
{
    MAT *m = m_get(2, 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            m_set_val(m, i, j, 10 * (i + 1) + j + 1);
    return m;
}

PERM *new_permutation(void)
{
    const unsigned numbers[] = {2, 0, 3, 1};
    PERM *p = px_get(4);
    for (int i = 0; i < 4; i++)
        p->pe[i] = numbers[i];
    return p;
}

const void *first_vector(VEC *v) { return v->ve; }
double at_vector(VEC *v, const size_t *at) { return v_entry(v, (int)at[0]); }
const void *first_matrix(MAT *m) { return m->me[0]; }
double at_matrix(MAT *m, const size_t *at) { return m_entry(m, (int)at[0], (int)at[1]); }
const void *first_permutation(PERM *p) { return p->pe; }
double at_permutation(PERM *p, const size_t *at) { return p->pe[at[0]]; }
