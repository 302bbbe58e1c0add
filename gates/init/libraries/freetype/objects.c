/* SPDX-License-Identifier: MIT */
#include <freetype/freetype.h>
#include <stddef.h>
#include <stdlib.h>

static FT_Bitmap *bitmap(unsigned rows, unsigned width, unsigned channels, int pitch, unsigned char mode)
{
    FT_Bitmap *b = calloc(1, sizeof *b);
    b->rows = rows;
    b->width = width;
    b->pitch = pitch;
    b->pixel_mode = mode;
    b->num_grays = 256;
    b->buffer = calloc(rows, (size_t)pitch);
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < width; x++)
            for (unsigned c = 0; c < channels; c++)
                b->buffer[y * (unsigned)pitch + channels * x + c] =
                    (unsigned char)((channels == 1 ? 10 : 100) * y + (channels == 1 ? 1 : 10) * x + c);
    return b;
}

FT_Bitmap *new_gray(void) { return bitmap(2, 5, 1, 8, FT_PIXEL_MODE_GRAY); }
FT_Bitmap *new_color(void) { return bitmap(3, 2, 4, 8, FT_PIXEL_MODE_BGRA); }

const void *first_gray(FT_Bitmap *b) { return b->buffer; }
double at_gray(FT_Bitmap *b, const size_t *at) { return b->buffer[at[0] * (size_t)b->pitch + at[1]]; }
const void *first_color(FT_Bitmap *b) { return b->buffer; }
double at_color(FT_Bitmap *b, const size_t *at) { return b->buffer[at[0] * (size_t)b->pitch + 4 * at[1] + at[2]]; }
