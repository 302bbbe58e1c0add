/* A library that names everything as most do: a struct with padded rows, statuses, and functions that take pictures. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { PIC_OK, PIC_ERROR_OPEN, PIC_ERROR_MEMORY } pic_status;

/* A picture of bytes. */
typedef struct pic_image {
    uint8_t *pixels;
    int height, width, channels;
    ptrdiff_t pitch; /* bytes from one row to the next */
    int is_readonly;
    double gamma;
    const char *title;
} pic_image;

/* Creates a black picture. */
pic_image *pic_image_create(int width, int height, int channels);
pic_image *pic_image_copy(const pic_image *image);
void pic_image_free(pic_image *image);
size_t pic_image_get_size(const pic_image *image);
pic_status pic_image_load(const char *path, pic_image **out);
pic_status pic_image_blur(const pic_image *source, pic_image *target, int radius);
const char *pic_strerror(pic_status status);
void pic_curve_apply(const float *x, float *y, size_t n);
double pic_curve_mean(const double *samples, int count);

#ifdef __cplusplus
}
#endif
#endif
