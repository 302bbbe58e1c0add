/* SPDX-License-Identifier: MIT */
#include <matio.h>
#include <stddef.h>
#include <stdint.h>

matvar_t *new_matrix(void)
{
    double numbers[6];
    size_t dims[] = {2, 3};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            numbers[i + 2 * j] = 10 * (i + 1) + j + 1;
    return Mat_VarCreate("matrix", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, numbers, 0);
}

matvar_t *new_cube(void)
{
    uint16_t numbers[12];
    size_t dims[] = {2, 3, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++)
                numbers[i + 2 * (j + 3 * k)] = (uint16_t)(100 * k + 10 * j + i);
    return Mat_VarCreate("cube", MAT_C_UINT16, MAT_T_UINT16, 3, dims, numbers, 0);
}

static size_t place(matvar_t *v, const size_t *at)
{
    size_t subscripts[3];
    for (int axis = 0; axis < v->rank; axis++)
        subscripts[axis] = at[axis] + 1;
    size_t index = 0;
    Mat_CalcSingleSubscript2(v->rank, v->dims, subscripts, &index);
    return index;
}

const void *first_matrix(matvar_t *v) { return v->data; }
double at_matrix(matvar_t *v, const size_t *at) { return ((double *)v->data)[place(v, at)]; }
const void *first_cube(matvar_t *v) { return v->data; }
double at_cube(matvar_t *v, const size_t *at) { return ((uint16_t *)v->data)[place(v, at)]; }
