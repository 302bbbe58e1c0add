/* SPDX-License-Identifier: MIT */
/* The operations on images. */
#include "image_test.h"

#include <limits.h>
#include <math.h>

static int blurred_sample(const image_t *image, int x, int y, int channel, int radius)
{
    int sum = 0, count = 0;

    for (int v = y - radius; v <= y + radius; v++) {
        for (int u = x - radius; u <= x + radius; u++) {
            if (u >= 0 && u < image->width && v >= 0 && v < image->height) {
                sum += image_row(image, v)[u * image->channels + channel];
                count++;
            }
        }
    }
    return (2 * sum + count) / (2 * count);
}

static int is_blurred(const image_t *src, const image_t *dst, int radius)
{
    for (int y = 0; y < src->height; y++) {
        for (int x = 0; x < src->width; x++) {
            for (int c = 0; c < src->channels; c++) {
                if (image_row(dst, y)[x * src->channels + c] != blurred_sample(src, x, y, c, radius)) {
                    return 0;
                }
            }
        }
    }
    return 1;
}

static void test_blur_averages_the_neighbours(void)
{
    static const int shapes[][3] = {{1, 1, 1}, {9, 7, 1}, {7, 9, 3}, {5, 5, 4}, {1, 6, 3}, {6, 1, 4}};

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        image_t *src = noise(shapes[s][0], shapes[s][1], shapes[s][2]), *before = image_copy(src);
        image_t *dst = noise(shapes[s][0], shapes[s][1], shapes[s][2]);
        for (int radius = 0; radius < 12; radius++) {
            CHECK(image_blur(src, dst, radius) == IMAGE_OK);
            CHECK(is_blurred(src, dst, radius));
        }
        CHECK(same(src, before));
        CHECK(image_blur(src, dst, INT_MAX) == IMAGE_OK);
        CHECK(is_blurred(src, dst, 12));
        CHECK(image_blur(src, src, 2) == IMAGE_OK); /* in place */
        CHECK(is_blurred(before, src, 2));
        image_unref(src);
        image_unref(dst);
        image_unref(before);
    }

    /* Within a larger picture: only the pixels of `dst` change, which are a row below those of `src`, upside down. */
    image_t *canvas = noise(12, 9, 3), *before = image_copy(canvas);
    image_t *src = image_wrap(image_row(canvas, 1) + 6, 5, 6, 3, canvas->pitch);
    image_t *dst = image_wrap(image_row(canvas, 7) + 6, 5, 6, 3, -canvas->pitch);
    image_t *was = image_copy(src);
    CHECK(image_blur(src, dst, 1) == IMAGE_OK);
    CHECK(is_blurred(was, dst, 1));
    for (int y = 0; y < 9; y++) {
        for (int i = 0; i < 36; i++) {
            if (y < 2 || y > 7 || i < 6 || i >= 21) {
                CHECK(image_row(canvas, y)[i] == image_row(before, y)[i]);
            }
        }
    }
    CHECK(image_blur(src, dst, -1) == IMAGE_ERROR_ARGUMENT);
    CHECK(image_blur(src, dst, INT_MIN) == IMAGE_ERROR_ARGUMENT);
    image_unref(src);
    image_unref(dst);
    image_unref(was);
    image_unref(before);

    static const int other[][3] = {{13, 9, 3}, {12, 8, 3}, {12, 9, 4}};
    for (int i = 0; i < 3; i++) {
        image_t *wrong = image_create(other[i][0], other[i][1], other[i][2]);
        CHECK(image_blur(canvas, wrong, 1) == IMAGE_ERROR_MISMATCH);
        CHECK(image_blur(wrong, canvas, 1) == IMAGE_ERROR_MISMATCH);
        image_unref(wrong);
    }
    image_unref(canvas);
}

static void test_blur_accepts_the_largest_images(void)
{
    uint8_t *white = malloc(IMAGE_MAX_SIDE), sample;
    if (!white) {
        exit(2);
    }
    memset(white, 255, IMAGE_MAX_SIDE);
    image_t *tall = image_wrap(white, 1, IMAGE_MAX_SIDE, 1, 1), *wide = image_wrap(white, IMAGE_MAX_SIDE, 1, 1, 0);
    CHECK(image_blur(tall, tall, 40000) == IMAGE_OK);
    CHECK(image_blur(wide, wide, 40000) == IMAGE_OK);
    sample = 255;
    for (int i = 0; i < IMAGE_MAX_SIDE; i++) {
        sample &= white[i];
    }
    CHECK(sample == 255);
    image_unref(tall);
    image_unref(wide);
    free(white);

    /* The total of a window goes beyond 32 bits. */
    image_t *image = image_create(5000, 4000, 1);
    if (!image) {
        exit(2);
    }
    for (int y = 0; y < 4000; y++) {
        memset(image_row(image, y), 251, 5000);
    }
    CHECK(image_blur(image, image, 5000) == IMAGE_OK);
    CHECK(image_row(image, 0)[0] == 251 && image_row(image, 3999)[4999] == 251);
    image_unref(image);
}

static void test_adjust_rounds_and_clips(void)
{
    static const double parameters[][2] = {{0, 1}, {10, 1}, {-255, 1}, {255, 1}, {0, 0}, {0.4, 1.5}, {-7, 0.3}, {3, 255}};

    for (size_t p = 0; p < sizeof parameters / sizeof *parameters; p++) {
        const double brightness = parameters[p][0], contrast = parameters[p][1];
        for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
            image_t *image = noise(30, 20, channels), *before = image_copy(image);
            int right = 1;
            CHECK(image_adjust(image, brightness, contrast) == IMAGE_OK);
            for (int y = 0; y < 20; y++) {
                for (int i = 0; i < 30 * channels; i++) {
                    const uint8_t old = image_row(before, y)[i], new = image_row(image, y)[i];
                    double value = floor((old - 128) * contrast + 128 + brightness + 0.5);
                    value = value < 0 ? 0 : value > 255 ? 255 : value;
                    right = right && new == (channels == 4 && i % 4 == 3 ? old : (int)value);
                }
            }
            CHECK(right);
            image_unref(image);
            image_unref(before);
        }
    }

    static const double refused[][2] = {{-256, 1}, {256, 1}, {0, -0.1}, {0, 256}, {NAN, 1}, {0, NAN}, {INFINITY, 1},
                                        {0, INFINITY}};
    image_t *image = noise(3, 3, 3), *before = image_copy(image);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(image_adjust(image, refused[i][0], refused[i][1]) == IMAGE_ERROR_ARGUMENT);
    }
    CHECK(same(image, before));
    image_unref(image);
    image_unref(before);
}

static void test_flip_reverses_the_rows(void)
{
    for (int height = 1; height < 6; height++) {
        image_t *image = noise(4, height, 3), *before = image_copy(image);
        image_flip(image);
        for (int y = 0; y < height; y++) {
            CHECK(memcmp(image_row(image, y), image_row(before, height - 1 - y), 12) == 0);
        }
        image_unref(image);
        image_unref(before);
    }
}

void test_operations(void)
{
    test_blur_averages_the_neighbours();
    test_blur_accepts_the_largest_images();
    test_adjust_rounds_and_clips();
    test_flip_reverses_the_rows();
}
