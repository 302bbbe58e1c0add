/* SPDX-License-Identifier: MIT */
#include <ISO_Fortran_binding.h>
#include <stdint.h>
#include <stdlib.h>

CFI_cdesc_t *new_whole(void)
{
    static double numbers[6];
    const CFI_index_t extents[] = {2, 3};
    CFI_cdesc_t *d = malloc(sizeof(CFI_CDESC_T(2)));
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 2; i++)
            numbers[2 * j + i] = 10 * (i + 1) + j + 1;
    return CFI_establish(d, numbers, CFI_attribute_other, CFI_type_double, 0, 2, extents) == 0 ? d : NULL;
}

CFI_cdesc_t *new_section(void)
{
    static int32_t numbers[12];
    const CFI_index_t extents[] = {4, 3};
    const CFI_index_t lower[] = {0, 0}, upper[] = {3, 2}, step[] = {2, 1};
    CFI_cdesc_t *whole = malloc(sizeof(CFI_CDESC_T(2)));
    CFI_cdesc_t *part = malloc(sizeof(CFI_CDESC_T(2)));
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 4; i++)
            numbers[4 * j + i] = 10 * (i + 1) + j + 1;
    if (CFI_establish(whole, numbers, CFI_attribute_other, CFI_type_int32_t, 0, 2, extents) ||
        CFI_establish(part, NULL, CFI_attribute_other, CFI_type_int32_t, 0, 2, NULL) ||
        CFI_section(part, whole, lower, upper, step))
        return NULL;
    return part;
}

const void *first_whole(CFI_cdesc_t *d) { return d->base_addr; }
double at_whole(CFI_cdesc_t *d, const size_t *at)
{
    const CFI_index_t place[] = {d->dim[0].lower_bound + (CFI_index_t)at[0], d->dim[1].lower_bound + (CFI_index_t)at[1]};
    return *(double *)CFI_address(d, place);
}
const void *first_section(CFI_cdesc_t *d) { return d->base_addr; }
double at_section(CFI_cdesc_t *d, const size_t *at)
{
    const CFI_index_t place[] = {d->dim[0].lower_bound + (CFI_index_t)at[0], d->dim[1].lower_bound + (CFI_index_t)at[1]};
    return *(int32_t *)CFI_address(d, place);
}
