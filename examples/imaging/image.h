/* SPDX-License-Identifier: MIT */
/* A small library of 8-bit images: reference-counted pictures with padded rows, BMP files, and a few operations.
 *
 * Threads: any thread may call image_ref() and image_unref() at any time. Several threads may run all other functions
 * at once, as long as no thread writes pixels that another thread reads or writes. The library has no global
 * variables.
 */
#ifndef IMAGE_H_
#define IMAGE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest width and height, in pixels, that any function accepts. */
#define IMAGE_MAX_SIDE 65535

/* The alignment in bytes of the pixels that this library allocates, and of each of their rows. */
#define IMAGE_ALIGNMENT 64

/* A picture. The top row comes first, each row from left to right, each pixel as `channels` adjacent 8-bit samples:
 * grey (1), red green blue (3), or red green blue alpha (4; 255 is opaque, colours are not premultiplied).
 *
 * Callers may change the samples. They may only read the fields, which stay the same until the image is freed. Only
 * the functions below create images. Do not declare, copy or resize the struct: the library keeps the reference count
 * behind it. */
typedef struct image {
    int width;       /* in pixels, 1 to IMAGE_MAX_SIDE */
    int height;      /* in pixels, 1 to IMAGE_MAX_SIDE */
    int channels;    /* samples in a pixel: 1, 3 or 4 */
    ptrdiff_t pitch; /* in bytes, from a row to the row below; negative if wrapped pixels have the bottom row first */
    uint8_t *pixels; /* the first sample of the top row; never NULL */
} image_t;

/* The result of a call. */
typedef enum image_status {
    IMAGE_OK = 0,
    IMAGE_ERROR_ARGUMENT,    /* an argument is outside of its documented range */
    IMAGE_ERROR_MISMATCH,    /* two images do not have the same width, height and channels */
    IMAGE_ERROR_MEMORY,      /* there is not enough memory */
    IMAGE_ERROR_OPEN,        /* the file could not be opened; errno says why */
    IMAGE_ERROR_READ,        /* the system failed to read from the open file */
    IMAGE_ERROR_WRITE,       /* the system failed to write all of the file */
    IMAGE_ERROR_FORMAT,      /* the file is not a BMP file */
    IMAGE_ERROR_UNSUPPORTED, /* the library does not support this kind or size of file */
    IMAGE_ERROR_CORRUPT      /* the file is truncated or inconsistent */
} image_status;

/* Returns an English phrase for any status, without a full stop. It is a constant string, never NULL. */
const char *image_strerror(image_status status);

/* Returns a new image with samples of 0. The caller owns it (one reference). Returns NULL if an argument is out of
 * range or memory is short. Rows are padded to a multiple of IMAGE_ALIGNMENT bytes. */
image_t *image_create(int width, int height, int channels);

/* Returns a new image (one reference) that uses the pixels of another owner. Nothing is copied. The pixels must stay
 * valid until the image is freed, and are not freed with it. `pixels` points to the first sample of the top row, and
 * needs no alignment. `pitch` is as in image_t: at least width * channels bytes, in either direction, or any value if
 * there is only one row. Returns NULL if `pixels` is NULL, an argument is out of range, or memory is short. */
image_t *image_wrap(uint8_t *pixels, int width, int height, int channels, ptrdiff_t pitch);

/* Frees the pixels of an image. It runs once, in the thread that drops the last reference. */
typedef void image_deleter(void *user);

/* Returns a new image (one reference) that owns `pixels`, and takes the same arguments as image_wrap(). The image
 * calls release(user) when its last reference is dropped. Returns NULL on failure: then release() is not called, and
 * the caller still owns the pixels. */
image_t *image_adopt(uint8_t *pixels, int width, int height, int channels, ptrdiff_t pitch, image_deleter *release,
                     void *user);

/* Returns a new image (one reference) with a copy of the samples, or NULL if memory is short. */
image_t *image_copy(const image_t *image);

/* Adds a reference and returns `image`, which must not be NULL. Drop each reference with one image_unref(). */
image_t *image_ref(image_t *image);

/* Drops a reference. With the last one, it frees the image and the pixels that it owns. It ignores NULL. */
void image_unref(image_t *image);

/* Returns the first sample of row `y`, which must be from 0 to height - 1. */
static inline uint8_t *image_row(const image_t *image, int y)
{
    return image->pixels + image->pitch * y;
}

/* Reads an uncompressed BMP file with 24 bits (3 channels), with 32 bits (4 channels), or with 8 bits and a palette
 * (1 channel if all its colours are grey, else 3). A 32-bit file whose alpha is 0 everywhere is read as opaque. The
 * file must allow seeking. `*out` is a new image that the caller owns, or NULL if the result is not IMAGE_OK. The
 * function refuses damaged and hostile files before it allocates memory for more pixels than the file holds. */
image_status image_read(const char *path, image_t **out);

/* Writes `image` as an uncompressed BMP file, and replaces a file of that name. The file has 8 bits with a grey
 * palette, 24 or 32 bits, for 1, 3 or 4 channels. After IMAGE_ERROR_WRITE, an incomplete file can remain. */
image_status image_write(const image_t *image, const char *path);

/* Blurs `src` into `dst`. Each sample becomes the mean of the square around it, rounded to nearest. The square has a
 * side of 2 * radius + 1 pixels; pixels outside of the image do not count. `radius` is 0 or more, and does not affect
 * the time that the call takes. Alpha is blurred like a colour. Both images must have the same width, height and
 * channels. They may be one image, or share pixels. */
image_status image_blur(const image_t *src, image_t *dst, int radius);

/* Changes every sample v except alpha, in place, to (v - 128) * contrast + 128 + brightness, rounded and limited to
 * 0..255. `brightness` is from -255 to 255, and 0 has no effect. `contrast` is from 0 to 255, and 1 has no effect. */
image_status image_adjust(image_t *image, double brightness, double contrast);

/* Turns the image upside down, in place. */
void image_flip(image_t *image);

#ifdef __cplusplus
}
#endif
#endif
