/* SPDX-License-Identifier: MIT */
/* Blurs, adjusts and flips images. */
#include "image.h"

#include <stdlib.h>

/* Writes one row of blurred samples to `out`. The window has `rows` rows, and sums[i] is the sum of their samples at
 * index i. */
static void blur_row(const uint32_t *sums, uint8_t *out, int width, int channels, int rows, int radius)
{
    for (int channel = 0; channel < channels; channel++) {
        uint64_t total = 0;
        int left = 0, right = 0; /* the window covers the columns left to right - 1 */

        for (int x = 0; x < width; x++) {
            for (; right < width && right <= x + radius; right++) {
                total += sums[right * channels + channel];
            }
            for (; left < x - radius; left++) {
                total -= sums[left * channels + channel];
            }
            const uint64_t count = (uint64_t)(right - left) * (uint64_t)rows;
            out[x * channels + channel] = (uint8_t)((total + count / 2) / count);
        }
    }
}

image_status image_blur(const image_t *src, image_t *dst, int radius)
{
    const int width = src->width, height = src->height, channels = src->channels, row = width * channels;

    if (dst->width != width || dst->height != height || dst->channels != channels) {
        return IMAGE_ERROR_MISMATCH;
    }
    if (radius < 0) {
        return IMAGE_ERROR_ARGUMENT;
    }
    image_t *copy = image_copy(src);                    /* `dst` may share pixels with `src` */
    uint32_t *sums = calloc((size_t)row, sizeof *sums); /* each is at most 255 * IMAGE_MAX_SIDE */
    if (!copy || !sums) {
        image_unref(copy);
        free(sums);
        return IMAGE_ERROR_MEMORY;
    }
    /* The window covers the rows top to bottom - 1. The sum y + radius cannot overflow: if the radius is that large,
     * all rows enter the window at y = 0, and the sum is not evaluated again. blur_row() does the same with columns. */
    int top = 0, bottom = 0;
    for (int y = 0; y < height; y++) {
        for (; bottom < height && bottom <= y + radius; bottom++) {
            for (int i = 0; i < row; i++) {
                sums[i] += image_row(copy, bottom)[i];
            }
        }
        for (; top < y - radius; top++) {
            for (int i = 0; i < row; i++) {
                sums[i] -= image_row(copy, top)[i];
            }
        }
        blur_row(sums, image_row(dst, y), width, channels, bottom - top, radius);
    }
    free(sums);
    image_unref(copy);
    return IMAGE_OK;
}

image_status image_adjust(image_t *image, double brightness, double contrast)
{
    uint8_t table[256];

    /* The condition is negated so that it refuses NaN. */
    if (!(brightness >= -255 && brightness <= 255 && contrast >= 0 && contrast <= 255)) {
        return IMAGE_ERROR_ARGUMENT;
    }
    for (int v = 0; v < 256; v++) {
        const double value = (v - 128) * contrast + 128 + brightness;
        table[v] = value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5);
    }
    for (int y = 0; y < image->height; y++) {
        uint8_t *samples = image_row(image, y);
        for (int i = 0; i < image->width * image->channels; i++) {
            if (image->channels != 4 || i % 4 != 3) {
                samples[i] = table[samples[i]];
            }
        }
    }
    return IMAGE_OK;
}

void image_flip(image_t *image)
{
    for (int top = 0, bottom = image->height - 1; top < bottom; top++, bottom--) {
        uint8_t *a = image_row(image, top), *b = image_row(image, bottom);
        for (int i = 0; i < image->width * image->channels; i++) {
            const uint8_t sample = a[i];
            a[i] = b[i];
            b[i] = sample;
        }
    }
}
