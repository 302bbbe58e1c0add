/* SPDX-License-Identifier: MIT */
#include <libavutil/buffer.h>
#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>

/* Makes a frame with one plane, whose rows have 16 bytes. */
static AVFrame *allocated(enum AVPixelFormat format, int width, int height)
{
    AVFrame *f = av_frame_alloc();
    f->format = format;
    f->width = width;
    f->height = height;
    f->buf[0] = av_buffer_allocz((size_t)(16 * height));
    f->data[0] = f->buf[0]->data;
    f->linesize[0] = 16;
    return f;
}

AVFrame *new_gray(void)
{
    AVFrame *f = allocated(AV_PIX_FMT_GRAY8, 5, 2);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 5; x++)
            f->data[0][y * f->linesize[0] + x] = (uint8_t)(10 * y + x);
    return f;
}

AVFrame *new_rgb(void)
{
    AVFrame *f = allocated(AV_PIX_FMT_RGB24, 3, 2);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            for (int c = 0; c < 3; c++)
                f->data[0][y * f->linesize[0] + 3 * x + c] = (uint8_t)(100 * y + 10 * x + c);
    return f;
}

const void *first_gray(AVFrame *f) { return f->data[0]; }
double at_gray(AVFrame *f, const size_t *at) { return f->data[0][at[0] * (size_t)f->linesize[0] + at[1]]; }
const void *first_rgb(AVFrame *f) { return f->data[0]; }
double at_rgb(AVFrame *f, const size_t *at) { return f->data[0][at[0] * (size_t)f->linesize[0] + 3 * at[1] + at[2]]; }
