/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
typedef struct {
    float *pixels;
    double scale;
    int width, height;
    unsigned row;
    const char *name;
    struct { int a, b; } pair;
    float flat[16], table[4][5], cube[2][3][4], tail[1];
    uint32_t *words;
    void *any;
} image_t;
image_t *image_wrap(void *data, int width, int height);
image_t *image_sized(void *data, size_t width);
int image_rows(const image_t *image);
void image_free(image_t *image);
#define IMAGE_ROWS(image) ({ const image_t *image_ = (image); image_->height; })
