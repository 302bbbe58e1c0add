/* SPDX-License-Identifier: MIT */
#include <dmtx.h>

DmtxImage *new_gray(void)
{
    static unsigned char pixels[8];
    DmtxImage *image = dmtxImageCreate(pixels, 3, 2, DmtxPack8bppK);
    dmtxImageSetProp(image, DmtxPropRowPadBytes, 1);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            dmtxImageSetPixelValue(image, x, 1 - y, 0, 10 * y + x);
    return image;
}

DmtxImage *new_rgb(void)
{
    static unsigned char pixels[18];
    DmtxImage *image = dmtxImageCreate(pixels, 2, 3, DmtxPack24bppRGB);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 2; x++)
            for (int c = 0; c < 3; c++)
                dmtxImageSetPixelValue(image, x, 2 - y, c, 100 * y + 10 * x + c);
    return image;
}

static int value(DmtxImage *image, size_t row, size_t column, size_t channel)
{
    int number = -1;
    dmtxImageGetPixelValue(image, (int)column, dmtxImageGetProp(image, DmtxPropHeight) - 1 - (int)row, (int)channel, &number);
    return number;
}

const void *first_gray(DmtxImage *image) { return image->pxl; }
double at_gray(DmtxImage *image, const size_t *at) { return value(image, at[0], at[1], 0); }
const void *first_rgb(DmtxImage *image) { return image->pxl; }
double at_rgb(DmtxImage *image, const size_t *at) { return value(image, at[0], at[1], at[2]); }
