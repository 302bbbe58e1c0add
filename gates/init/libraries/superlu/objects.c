/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <superlu/slu_ddefs.h>

extern void sCreate_Dense_Matrix(SuperMatrix *, int, int, float *, int, Stype_t, Dtype_t, Mtype_t);

SuperMatrix *new_doubles(void)
{
    static double numbers[4 * 3];
    static SuperMatrix m;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            numbers[4 * j + i] = 10 * (i + 1) + j + 1;
    dCreate_Dense_Matrix(&m, 2, 3, numbers, 4, SLU_DN, SLU_D, SLU_GE);
    return &m;
}

SuperMatrix *new_floats(void)
{
    static float numbers[3 * 2];
    static SuperMatrix m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            numbers[3 * j + i] = (float)(10 * (i + 1) + j + 1);
    sCreate_Dense_Matrix(&m, 3, 2, numbers, 3, SLU_DN, SLU_S, SLU_GE);
    return &m;
}

const void *first_doubles(SuperMatrix *m) { return ((DNformat *)m->Store)->nzval; }
double at_doubles(SuperMatrix *m, const size_t *at)
{
    const DNformat *store = m->Store;
    return ((double *)store->nzval)[at[0] + at[1] * (size_t)store->lda];
}
const void *first_floats(SuperMatrix *m) { return ((DNformat *)m->Store)->nzval; }
double at_floats(SuperMatrix *m, const size_t *at)
{
    const DNformat *store = m->Store;
    return ((float *)store->nzval)[at[0] + at[1] * (size_t)store->lda];
}
