/* The library of headers/picture.h. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

pic_image *pic_image_create(int width, int height, int channels)
{
    const ptrdiff_t pitch = (ptrdiff_t)width * channels + 3;
    pic_image *image = calloc(1, sizeof *image);
    if (image == NULL) {
        return NULL;
    }
    *image = (pic_image){calloc((size_t)height, (size_t)pitch), height, width, channels, pitch, 0, 2.5, "black"};
    return image;
}

pic_image *pic_image_copy(const pic_image *image)
{
    pic_image *copy = pic_image_create(image->width, image->height, image->channels);
    if (copy != NULL) {
        memcpy(copy->pixels, image->pixels, pic_image_get_size(image));
    }
    return copy;
}

void pic_image_free(pic_image *image)
{
    free(image->pixels);
    free(image);
}

size_t pic_image_get_size(const pic_image *image)
{
    return (size_t)image->height * (size_t)image->pitch;
}

pic_status pic_image_load(const char *path, pic_image **out)
{
    *out = strcmp(path, "picture") == 0 ? pic_image_create(2, 1, 3) : NULL;
    return *out != NULL ? PIC_OK : PIC_ERROR_OPEN;
}

pic_status pic_image_blur(const pic_image *source, pic_image *target, int radius)
{
    target->pixels[0] = (uint8_t)(source->pixels[0] + radius);
    return PIC_OK;
}

const char *pic_strerror(pic_status status)
{
    return status == PIC_ERROR_OPEN ? "cannot open the picture" : "another failure";
}

void pic_curve_apply(const float *x, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 2 * x[i];
    }
}

double pic_curve_mean(const double *samples, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += samples[i];
    }
    return sum / count;
}
