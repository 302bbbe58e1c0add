/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <zfp.h>

zfp_field *new_plane(void)
{
    static double numbers[6];
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            numbers[3 * y + x] = 10 * y + x;
    return zfp_field_2d(numbers, zfp_type_double, 3, 2);
}

zfp_field *new_strided(void)
{
    static int32_t numbers[40];
    zfp_field *f = zfp_field_3d(numbers, zfp_type_int32, 2, 3, 2);
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 2; x++)
                numbers[20 * z + 5 * y + 2 * x] = 100 * z + 10 * y + x;
    zfp_field_set_stride_3d(f, 2, 5, 20);
    return f;
}

static ptrdiff_t place(zfp_field *f, const size_t *at)
{
    ptrdiff_t strides[4], sum = 0;
    unsigned rank = zfp_field_dimensionality(f);
    zfp_field_stride(f, strides);
    for (unsigned axis = 0; axis < rank; axis++)
        sum += strides[axis] * (ptrdiff_t)at[rank - 1 - axis];
    return sum;
}

const void *first_plane(zfp_field *f) { return zfp_field_pointer(f); }
double at_plane(zfp_field *f, const size_t *at) { return ((double *)zfp_field_pointer(f))[place(f, at)]; }
const void *first_strided(zfp_field *f) { return zfp_field_pointer(f); }
double at_strided(zfp_field *f, const size_t *at) { return ((int32_t *)zfp_field_pointer(f))[place(f, at)]; }
