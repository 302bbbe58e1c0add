/* SPDX-License-Identifier: MIT */
/* A small library of 8-bit images: reference-counted pictures with padded rows, BMP files, and a few operations.
 *
 * Threads: image_ref() and image_unref() may be called from any thread at any time. Everything else may run in several
 * threads at once as long as nobody writes the pixels that another thread reads or writes. The library has no globals.
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

/* Pixels made by this library start at a multiple of this many bytes, and so does each of their rows. */
#define IMAGE_ALIGNMENT 64

/* A picture. The top row comes first, each row from left to right, each pixel as `channels` adjacent 8-bit samples:
 * grey (1), red green blue (3), or red green blue alpha (4; 255 is opaque, colours are not premultiplied).
 *
 * The samples may be changed freely. The fields are for reading only: they stay as they were made until the image goes.
 * Images come from the functions below and must not be declared, copied or resized by hand: the library keeps the
 * reference count behind this struct. */
typedef struct image {
    int width;       /* in pixels, 1 to IMAGE_MAX_SIDE */
    int height;      /* in pixels, 1 to IMAGE_MAX_SIDE */
    int channels;    /* samples in a pixel: 1, 3 or 4 */
    ptrdiff_t pitch; /* in bytes, from a row to the row below; negative if wrapped pixels have the bottom row first */
    uint8_t *pixels; /* the first sample of the top row; never NULL */
} image_t;

/* What became of a call. */
typedef enum image_status {
    IMAGE_OK = 0,
    IMAGE_ERROR_ARGUMENT,    /* an argument is outside of its documented range */
    IMAGE_ERROR_MISMATCH,    /* two images do not have the same width, height and channels */
    IMAGE_ERROR_MEMORY,      /* there is not enough memory */
    IMAGE_ERROR_OPEN,        /* the file could not be opened; errno says why */
    IMAGE_ERROR_READ,        /* the system failed to read from the open file */
    IMAGE_ERROR_WRITE,       /* the system failed to write all of the file */
    IMAGE_ERROR_FORMAT,      /* the file is not a BMP file */
    IMAGE_ERROR_UNSUPPORTED, /* the file is of a kind, or a size, that this library does not handle */
    IMAGE_ERROR_CORRUPT      /* the file is truncated or contradicts itself */
} image_status;

/* Returns one phrase in English for any status, without a final full stop; a constant, never NULL. */
const char *image_strerror(image_status status);

/* Returns a new image of zeros, which the caller owns (one reference), or NULL if an argument is out of range or memory
 * is short. Rows are padded to a multiple of IMAGE_ALIGNMENT bytes. */
image_t *image_create(int width, int height, int channels);

/* Returns a new image (one reference) around pixels that somebody else owns, which must stay valid until the image is
 * gone and are not freed then. Nothing is copied. `pixels` is the first sample of the top row, `pitch` as in image_t:
 * at least width * channels bytes, in either direction (any value if there is only one row); no alignment is needed.
 * Returns NULL if `pixels` is NULL, an argument is out of range, or memory is short. */
image_t *image_wrap(uint8_t *pixels, int width, int height, int channels, ptrdiff_t pitch);

/* Gives up memory that an image no longer needs. It runs once, in the thread that dropped the last reference. */
typedef void image_deleter(void *user);

/* Like image_wrap(), but the image calls release(user) when its last reference goes. On failure (NULL) it is not called
 * and the caller still owns the pixels. */
image_t *image_adopt(uint8_t *pixels, int width, int height, int channels, ptrdiff_t pitch, image_deleter *release,
                     void *user);

/* Returns a new image (one reference) with the same samples in memory of its own, or NULL if memory is short. */
image_t *image_copy(const image_t *image);

/* Adds a reference and returns `image`, which must not be NULL. Each reference ends with one image_unref(). */
image_t *image_ref(image_t *image);

/* Drops a reference; the last one frees the image and releases its pixels. NULL is ignored. */
void image_unref(image_t *image);

/* Returns the first sample of row `y`, which must be from 0 to height - 1. */
static inline uint8_t *image_row(const image_t *image, int y)
{
    return image->pixels + image->pitch * y;
}

/* Reads a BMP file: uncompressed with 24 bits (3 channels), 32 bits (4 channels), or 8 bits and a palette (1 channel if
 * all its colours are grey, else 3). A 32-bit file whose alpha is 0 everywhere does not use it and is read as opaque.
 * `*out` is a new image that the caller owns, or NULL if the result is not IMAGE_OK. Damaged and hostile files are
 * refused before memory is taken for more pixels than the file holds. The file must allow seeking. */
image_status image_read(const char *path, image_t **out);

/* Writes `image` as an uncompressed BMP file of 8 (with a grey palette), 24 or 32 bits for 1, 3 or 4 channels, and
 * replaces a file of that name. After IMAGE_ERROR_WRITE an incomplete file may be left. */
image_status image_write(const image_t *image, const char *path);

/* Fills `dst` with `src` blurred: each sample becomes the mean, rounded to nearest, of the square of 2 * radius + 1
 * pixels around it, as far as that lies in the image. The time taken does not depend on `radius` (0 and more). Alpha is
 * blurred like a colour. Both images have the same width, height and channels; they may be one or share pixels. */
image_status image_blur(const image_t *src, image_t *dst, int radius);

/* Changes every sample v but alpha, in place, to (v - 128) * contrast + 128 + brightness, rounded and limited to
 * 0..255. `brightness` is from -255 to 255 (0 changes nothing), `contrast` from 0 to 255 (1 changes nothing). */
image_status image_adjust(image_t *image, double brightness, double contrast);

/* Turns the image upside down, in place. */
void image_flip(image_t *image);

#ifdef __cplusplus
}
#endif
#endif
