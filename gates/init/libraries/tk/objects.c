/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <tk.h>

Tk_PhotoImageBlock *new_rgba(void)
{
    static unsigned char bytes[30];
    static Tk_PhotoImageBlock b = {
        .pixelPtr = bytes, .width = 2, .height = 3, .pitch = 10, .pixelSize = 4, .offset = {0, 1, 2, 3}};
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 2; x++)
            for (int c = 0; c < 4; c++)
                bytes[10 * y + 4 * x + c] = (unsigned char)(100 * y + 10 * x + c);
    return &b;
}

const void *first_rgba(Tk_PhotoImageBlock *b) { return b->pixelPtr; }
double at_rgba(Tk_PhotoImageBlock *b, const size_t *at)
{
    return b->pixelPtr[(int)at[0] * b->pitch + (int)at[1] * b->pixelSize + b->offset[at[2]]];
}
