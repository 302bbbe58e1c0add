/* SPDX-License-Identifier: MIT */
#include <leptonica/allheaders.h>

FPIX *new_image(void)
{
    FPIX *p = fpixCreate(3, 2);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            fpixSetPixel(p, x, y, (float)(10 * y + x) + 0.5f);
    return p;
}

DPIX *new_exact(void)
{
    DPIX *p = dpixCreate(2, 3);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 2; x++)
            dpixSetPixel(p, x, y, 10 * y + x + 0.5);
    return p;
}

NUMA *new_numbers(void)
{
    NUMA *n = numaCreate(20);
    numaAddNumber(n, 7);
    numaAddNumber(n, 5.5f);
    numaAddNumber(n, 6);
    return n;
}

const void *first_image(FPIX *p) { return fpixGetData(p); }
double at_image(FPIX *p, const size_t *at)
{
    l_float32 value = 0;
    fpixGetPixel(p, (int)at[1], (int)at[0], &value);
    return value;
}
const void *first_exact(DPIX *p) { return dpixGetData(p); }
double at_exact(DPIX *p, const size_t *at)
{
    l_float64 value = 0;
    dpixGetPixel(p, (int)at[1], (int)at[0], &value);
    return value;
}
const void *first_numbers(NUMA *n) { return numaGetFArray(n, L_NOCOPY); }
double at_numbers(NUMA *n, const size_t *at)
{
    l_float32 value = 0;
    numaGetFValue(n, (int)at[0], &value);
    return value;
}
