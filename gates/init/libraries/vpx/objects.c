/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <vpx/vpx_image.h>

vpx_image_t *new_luma(void)
{
    vpx_image_t *image = vpx_img_alloc(NULL, VPX_IMG_FMT_I420, 5, 3, 16);
    for (unsigned y = 0; y < 3; y++)
        for (unsigned x = 0; x < 5; x++)
            image->planes[VPX_PLANE_Y][y * (unsigned)image->stride[VPX_PLANE_Y] + x] = (unsigned char)(10 * y + x);
    return image;
}

const void *first_luma(vpx_image_t *image) { return image->planes[VPX_PLANE_Y]; }
double at_luma(vpx_image_t *image, const size_t *at)
{
    return image->planes[VPX_PLANE_Y][at[0] * (size_t)image->stride[VPX_PLANE_Y] + at[1]];
}
