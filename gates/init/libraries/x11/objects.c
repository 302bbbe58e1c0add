/* SPDX-License-Identifier: MIT */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stddef.h>
#include <stdlib.h>

static XImage *image(int width, int height, int bits, int bytes_per_line)
{
    XImage *x = calloc(1, sizeof *x);
    x->width = width;
    x->height = height;
    x->format = ZPixmap;
    x->data = calloc((size_t)height, (size_t)bytes_per_line);
    x->byte_order = x->bitmap_bit_order = LSBFirst;
    x->bitmap_unit = x->bitmap_pad = 32;
    x->depth = bits == 32 ? 24 : bits;
    x->bits_per_pixel = bits;
    x->bytes_per_line = bytes_per_line;
    if (!XInitImage(x))
        return NULL;
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++)
            XPutPixel(x, column, row, (unsigned long)(10 * row + column));
    return x;
}

XImage *new_gray(void) { return image(3, 2, 8, 4); }
XImage *new_pixels(void) { return image(2, 3, 32, 8); }

const void *first_image(XImage *x) { return x->data; }
double at_image(XImage *x, const size_t *at) { return (double)XGetPixel(x, (int)at[1], (int)at[0]); }
