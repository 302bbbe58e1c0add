/* SPDX-License-Identifier: MIT */
/* Creates, copies and frees images, and counts their references. */
#include "image.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* An image with its reference count. The public struct comes first, so a pointer to it is a pointer to both. */
struct owned_image {
    image_t image;
    atomic_size_t references;
    image_deleter *release; /* NULL if the image does not own its pixels */
    void *user;
};

const char *image_strerror(image_status status)
{
    static const char *const messages[] = {
        [IMAGE_OK] = "no error",
        [IMAGE_ERROR_ARGUMENT] = "argument out of range",
        [IMAGE_ERROR_MISMATCH] = "the images do not have the same shape",
        [IMAGE_ERROR_MEMORY] = "out of memory",
        [IMAGE_ERROR_OPEN] = "cannot open the file",
        [IMAGE_ERROR_READ] = "cannot read the file",
        [IMAGE_ERROR_WRITE] = "cannot write the file",
        [IMAGE_ERROR_FORMAT] = "not a BMP file",
        [IMAGE_ERROR_UNSUPPORTED] = "unsupported kind or size of BMP file",
        [IMAGE_ERROR_CORRUPT] = "truncated or damaged BMP file",
    };
    const size_t index = (size_t)status;

    return index < sizeof messages / sizeof *messages ? messages[index] : "unknown error";
}

static int is_shape(int width, int height, int channels)
{
    return width >= 1 && width <= IMAGE_MAX_SIDE && height >= 1 && height <= IMAGE_MAX_SIDE &&
           (channels == 1 || channels == 3 || channels == 4);
}

image_t *image_adopt(uint8_t *pixels, int width, int height, int channels, ptrdiff_t pitch, image_deleter *release,
                     void *user)
{
    if (!pixels || !is_shape(width, height, channels)) {
        return NULL;
    }
    const ptrdiff_t row = (ptrdiff_t)width * channels;
    if (height == 1 && pitch < row) {
        pitch = row; /* the pitch of a single row is never used */
    }
    const ptrdiff_t limit = PTRDIFF_MAX / height;
    if (pitch < -limit || pitch > limit || (pitch < row && pitch > -row)) {
        return NULL;
    }
    struct owned_image *owned = malloc(sizeof *owned);
    if (!owned) {
        return NULL;
    }
    owned->image = (image_t){.width = width, .height = height, .channels = channels, .pitch = pitch, .pixels = pixels};
    atomic_init(&owned->references, 1);
    owned->release = release;
    owned->user = user;
    return &owned->image;
}

image_t *image_wrap(uint8_t *pixels, int width, int height, int channels, ptrdiff_t pitch)
{
    return image_adopt(pixels, width, height, channels, pitch, NULL, NULL);
}

image_t *image_create(int width, int height, int channels)
{
    if (!is_shape(width, height, channels)) {
        return NULL;
    }
    const size_t row = (size_t)width * (size_t)channels;
    const size_t pitch = (row + IMAGE_ALIGNMENT - 1) / IMAGE_ALIGNMENT * IMAGE_ALIGNMENT;
    if (pitch > PTRDIFF_MAX / (size_t)height) {
        return NULL;
    }
    const size_t size = pitch * (size_t)height;
    uint8_t *pixels = aligned_alloc(IMAGE_ALIGNMENT, size);
    if (!pixels) {
        return NULL;
    }
    memset(pixels, 0, size);
    image_t *image = image_adopt(pixels, width, height, channels, (ptrdiff_t)pitch, free, pixels);
    if (!image) {
        free(pixels);
    }
    return image;
}

image_t *image_copy(const image_t *image)
{
    image_t *copy = image_create(image->width, image->height, image->channels);
    for (int y = 0; copy && y < image->height; y++) {
        memcpy(image_row(copy, y), image_row(image, y), (size_t)image->width * (size_t)image->channels);
    }
    return copy;
}

image_t *image_ref(image_t *image)
{
    struct owned_image *owned = (struct owned_image *)image;

    atomic_fetch_add_explicit(&owned->references, 1, memory_order_relaxed);
    return image;
}

void image_unref(image_t *image)
{
    struct owned_image *owned = (struct owned_image *)image;

    /* The release makes the writes of this thread visible to the thread that drops the last reference. That thread
     * acquires them before it frees the image. */
    if (!owned || atomic_fetch_sub_explicit(&owned->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    if (owned->release) {
        owned->release(owned->user);
    }
    free(owned);
}
