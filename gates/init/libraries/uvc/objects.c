/* SPDX-License-Identifier: MIT */
#include <libuvc/libuvc.h>
#include <stddef.h>

static uvc_frame_t *frame(enum uvc_frame_format format, uint32_t width, uint32_t height, size_t step)
{
    uvc_frame_t *f = uvc_allocate_frame(height * step);
    f->frame_format = format;
    f->width = width;
    f->height = height;
    f->step = step;
    f->data_bytes = height * step;
    return f;
}

uvc_frame_t *new_gray(void)
{
    uvc_frame_t *f = frame(UVC_FRAME_FORMAT_GRAY8, 3, 2, 4);
    for (size_t y = 0; y < 2; y++)
        for (size_t x = 0; x < 3; x++)
            ((uint8_t *)f->data)[y * f->step + x] = (uint8_t)(10 * y + x);
    return f;
}

uvc_frame_t *new_rgb(void)
{
    uvc_frame_t *f = frame(UVC_FRAME_FORMAT_RGB, 2, 3, 6);
    for (size_t y = 0; y < 3; y++)
        for (size_t x = 0; x < 2; x++)
            for (size_t c = 0; c < 3; c++)
                ((uint8_t *)f->data)[y * f->step + 3 * x + c] = (uint8_t)(100 * y + 10 * x + c);
    return f;
}

const void *first_gray(uvc_frame_t *f) { return f->data; }
double at_gray(uvc_frame_t *f, const size_t *at) { return ((uint8_t *)f->data)[at[0] * f->step + at[1]]; }
const void *first_rgb(uvc_frame_t *f) { return f->data; }
double at_rgb(uvc_frame_t *f, const size_t *at) { return ((uint8_t *)f->data)[at[0] * f->step + 3 * at[1] + at[2]]; }
