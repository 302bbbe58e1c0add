/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <webp/encode.h>

WebPPicture *new_part(void)
{
    static WebPPicture whole;
    WebPPicture *part = calloc(1, sizeof *part);
    if (!WebPPictureInit(&whole) || !WebPPictureInit(part))
        return NULL;
    whole.use_argb = 1;
    whole.width = 5;
    whole.height = 4;
    if (!WebPPictureAlloc(&whole))
        return NULL;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++)
            whole.argb[y * whole.argb_stride + x] = (uint32_t)(10 * y + x);
    return WebPPictureView(&whole, 1, 1, 3, 2, part) ? part : NULL;
}

const void *first_part(WebPPicture *p) { return p->argb; }
double at_part(WebPPicture *p, const size_t *at) { return p->argb[at[0] * (size_t)p->argb_stride + at[1]]; }

WebPPicture *new_luma(void)
{
    WebPPicture *p = calloc(1, sizeof *p);
    if (!WebPPictureInit(p))
        return NULL;
    p->width = 3;
    p->height = 4;
    if (!WebPPictureAlloc(p))
        return NULL;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 3; x++)
            p->y[y * p->y_stride + x] = (uint8_t)(10 * y + x);
    return p;
}

const void *first_luma(WebPPicture *p) { return p->y; }
double at_luma(WebPPicture *p, const size_t *at) { return p->y[at[0] * (size_t)p->y_stride + at[1]]; }
