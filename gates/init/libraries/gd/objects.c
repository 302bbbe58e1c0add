/* SPDX-License-Identifier: MIT */
#include <gd.h>
#include <stddef.h>

gdImage *new_palette(void)
{
    gdImage *image = gdImageCreate(3, 2);
    for (int i = 0; i < 20; i++)
        gdImageColorAllocate(image, i, i, i);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            gdImageSetPixel(image, x, y, 10 * y + x);
    return image;
}

gdImage *new_colors(void)
{
    gdImage *image = gdImageCreateTrueColor(2, 3);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 2; x++)
            gdImageSetPixel(image, x, y, 256 * y + x);
    return image;
}

const void *first_palette(gdImage *image) { return image->pixels[0]; }
double at_palette(gdImage *image, const size_t *at) { return gdImageGetPixel(image, (int)at[1], (int)at[0]); }
const void *first_colors(gdImage *image) { return image->tpixels[0]; }
double at_colors(gdImage *image, const size_t *at) { return gdImageGetPixel(image, (int)at[1], (int)at[0]); }
