/* SPDX-License-Identifier: MIT */
#include <nifti/nifti1_io.h>
#include <stddef.h>

nifti_image *new_volume(void)
{
    const int dims[8] = {3, 4, 3, 2, 1, 1, 1, 1};
    nifti_image *image = nifti_make_new_nim(dims, DT_INT16, 1);
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++)
                ((short *)image->data)[x + image->nx * (y + image->ny * z)] = (short)(100 * z + 10 * y + x);
    return image;
}

nifti_image *new_slice(void)
{
    const int dims[8] = {2, 3, 2, 1, 1, 1, 1, 1};
    nifti_image *image = nifti_make_new_nim(dims, DT_FLOAT32, 1);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            ((float *)image->data)[x + image->nx * y] = (float)(10 * y + x) + 0.5f;
    return image;
}

const void *first_volume(nifti_image *image) { return image->data; }
double at_volume(nifti_image *image, const size_t *at)
{
    return ((short *)image->data)[at[2] + (size_t)image->nx * (at[1] + (size_t)image->ny * at[0])];
}
const void *first_slice(nifti_image *image) { return image->data; }
double at_slice(nifti_image *image, const size_t *at)
{
    return ((float *)image->data)[at[1] + (size_t)image->nx * at[0]];
}
