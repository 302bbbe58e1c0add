/* SPDX-License-Identifier: MIT */
#include <dc1394/dc1394.h>
#include <stdlib.h>

static dc1394video_frame_t *frame(dc1394color_coding_t coding, uint32_t width, uint32_t height, uint32_t stride)
{
    dc1394video_frame_t *f = calloc(1, sizeof *f);
    f->image = calloc(height, stride);
    f->size[0] = width;
    f->size[1] = height;
    f->color_coding = coding;
    f->data_depth = coding == DC1394_COLOR_CODING_MONO16 ? 16 : 8;
    f->stride = stride;
    f->image_bytes = stride * height;
    f->total_bytes = f->image_bytes;
    f->allocated_image_bytes = f->image_bytes;
    f->little_endian = DC1394_TRUE;
    return f;
}

dc1394video_frame_t *new_mono(void)
{
    dc1394video_frame_t *f = frame(DC1394_COLOR_CODING_MONO8, 3, 2, 4);
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 3; x++)
            f->image[y * f->stride + x] = (unsigned char)(10 * y + x);
    return f;
}

dc1394video_frame_t *new_deep(void)
{
    dc1394video_frame_t *f = frame(DC1394_COLOR_CODING_MONO16, 2, 3, 6);
    for (unsigned y = 0; y < 3; y++)
        for (unsigned x = 0; x < 2; x++) {
            unsigned value = 1000 + 10 * y + x;
            f->image[y * f->stride + 2 * x] = (unsigned char)(value & 255);
            f->image[y * f->stride + 2 * x + 1] = (unsigned char)(value >> 8);
        }
    return f;
}

dc1394video_frame_t *new_rgb(void)
{
    dc1394video_frame_t *f = frame(DC1394_COLOR_CODING_RGB8, 2, 2, 6);
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 2; x++)
            for (unsigned c = 0; c < 3; c++)
                f->image[y * f->stride + 3 * x + c] = (unsigned char)(100 * y + 10 * x + c);
    return f;
}

const void *first_mono(dc1394video_frame_t *f) { return f->image; }
double at_mono(dc1394video_frame_t *f, const size_t *at) { return f->image[at[0] * f->stride + at[1]]; }
const void *first_deep(dc1394video_frame_t *f) { return f->image; }
double at_deep(dc1394video_frame_t *f, const size_t *at)
{
    const unsigned char *bytes = f->image + at[0] * f->stride + 2 * at[1];
    return bytes[0] + 256 * bytes[1];
}
const void *first_rgb(dc1394video_frame_t *f) { return f->image; }
double at_rgb(dc1394video_frame_t *f, const size_t *at) { return f->image[at[0] * f->stride + 3 * at[1] + at[2]]; }
