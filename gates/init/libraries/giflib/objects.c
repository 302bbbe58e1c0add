/* SPDX-License-Identifier: MIT */
#include <gif_lib.h>
#include <stddef.h>
#include <stdlib.h>

ColorMapObject *new_colors(void)
{
    GifColorType colors[4];
    for (int i = 0; i < 4; i++) {
        colors[i].Red = (GifByteType)(10 * i);
        colors[i].Green = (GifByteType)(10 * i + 1);
        colors[i].Blue = (GifByteType)(10 * i + 2);
    }
    return GifMakeMapObject(4, colors);
}

SavedImage *new_raster(void)
{
    SavedImage *image = calloc(1, sizeof *image);
    image->ImageDesc.Width = 3;
    image->ImageDesc.Height = 2;
    image->RasterBits = malloc(6);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            image->RasterBits[3 * y + x] = (GifByteType)(10 * y + x);
    return image;
}

const void *first_colors(ColorMapObject *m) { return m->Colors; }
double at_colors(ColorMapObject *m, const size_t *at)
{
    const GifColorType *c = &m->Colors[at[0]];
    return at[1] == 0 ? c->Red : at[1] == 1 ? c->Green : c->Blue;
}
const void *first_raster(SavedImage *image) { return image->RasterBits; }
double at_raster(SavedImage *image, const size_t *at)
{
    return image->RasterBits[at[0] * (size_t)image->ImageDesc.Width + at[1]];
}
