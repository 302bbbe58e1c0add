/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdlib.h>
#include <theora/codec.h>

static th_img_plane *plane(int width, int height, int stride, unsigned char *first)
{
    th_img_plane *p = malloc(sizeof *p);
    p->width = width;
    p->height = height;
    p->stride = stride;
    p->data = first;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            p->data[y * stride + x] = (unsigned char)(10 * y + x);
    return p;
}

th_img_plane *new_plane(void)
{
    static unsigned char bytes[10];
    return plane(3, 2, 5, bytes);
}

th_img_plane *new_upward(void)
{
    static unsigned char bytes[12];
    return plane(2, 3, -4, bytes + 8);
}

const void *first_plane(th_img_plane *p) { return p->data; }
double at_plane(th_img_plane *p, const size_t *at) { return p->data[(ptrdiff_t)at[0] * p->stride + (ptrdiff_t)at[1]]; }
