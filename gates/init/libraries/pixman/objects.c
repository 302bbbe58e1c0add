/* SPDX-License-Identifier: MIT */
#include <pixman.h>
#include <stddef.h>

pixman_image_t *new_mask(void)
{
    static uint32_t words[2];
    pixman_image_t *image = pixman_image_create_bits(PIXMAN_a8, 3, 2, words, 4);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            ((uint8_t *)words)[4 * y + x] = (uint8_t)(10 * y + x);
    return image;
}

pixman_image_t *new_pixels(void)
{
    static uint32_t words[8];
    pixman_image_t *image = pixman_image_create_bits(PIXMAN_a8r8g8b8, 3, 2, words, 16);
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 3; x++)
            words[4 * y + x] = 10 * y + x;
    return image;
}

const void *first_mask(pixman_image_t *p) { return pixman_image_get_data(p); }
double at_mask(pixman_image_t *p, const size_t *at)
{
    return ((uint8_t *)pixman_image_get_data(p))[at[0] * (size_t)pixman_image_get_stride(p) + at[1]];
}
const void *first_pixels(pixman_image_t *p) { return pixman_image_get_data(p); }
double at_pixels(pixman_image_t *p, const size_t *at)
{
    return pixman_image_get_data(p)[at[0] * (size_t)pixman_image_get_stride(p) / 4 + at[1]];
}
