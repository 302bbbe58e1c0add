/* SPDX-License-Identifier: MIT */
#include <flint/nmod_mat.h>
#include <stddef.h>

nmod_mat_struct *new_matrix(void)
{
    static nmod_mat_struct m;
    nmod_mat_init(&m, 2, 3, 101);
    for (ulong i = 0; i < 2; i++)
        for (ulong j = 0; j < 3; j++)
            nmod_mat_entry(&m, i, j) = 10 * (i + 1) + j + 1;
    return &m;
}

const void *first_matrix(nmod_mat_struct *m) { return nmod_mat_entry_ptr(m, 0, 0); }
double at_matrix(nmod_mat_struct *m, const size_t *at) { return (double)nmod_mat_get_entry(m, (slong)at[0], (slong)at[1]); }
