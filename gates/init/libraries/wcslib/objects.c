/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <wcslib/lin.h>

struct linprm *new_transformation(void)
{
    static struct linprm lin = {.flag = -1};
    if (lininit(1, 3, &lin, 0))
        return NULL;
    for (int i = 0; i < 3; i++) {
        lin.crpix[i] = i + 0.5;
        for (int j = 0; j < 3; j++)
            lin.pc[i * lin.naxis + j] = 10 * (i + 1) + j + 1;
    }
    return &lin;
}

const void *first_matrix(struct linprm *lin) { return lin->pc; }
double at_matrix(struct linprm *lin, const size_t *at) { return lin->pc[at[0] * (size_t)lin->naxis + at[1]]; }
const void *first_reference(struct linprm *lin) { return lin->crpix; }
double at_reference(struct linprm *lin, const size_t *at) { return lin->crpix[at[0]]; }
