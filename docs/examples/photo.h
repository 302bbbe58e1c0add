#ifndef PHOTO_H
#define PHOTO_H

#include <stddef.h>
#include <stdint.h>

typedef struct photo {
    uint8_t *pixels;
    int height, width, channels, bits;
    ptrdiff_t pitch;
    int is_protected;
} photo_t;

photo_t *photo_new(int height, int width, int channels);
photo_t *photo_around(void *pixels, int height, int width, int channels, ptrdiff_t pitch);
void photo_free(photo_t *photo);
int photo_status(const photo_t *photo);
const char *photo_strerror(int status);
void photo_develop(photo_t *photo);
void photo_forget_thumbnail(photo_t *photo);

#endif
