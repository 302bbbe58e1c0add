/* SPDX-License-Identifier: MIT */
#include <cpl.h>
#include <stddef.h>

static cpl_image *filled(cpl_size width, cpl_size height, cpl_type type, double fraction)
{
    cpl_init(CPL_INIT_DEFAULT);
    cpl_image *image = cpl_image_new(width, height, type);
    for (cpl_size y = 0; y < height; y++)
        for (cpl_size x = 0; x < width; x++)
            cpl_image_set(image, x + 1, y + 1, 10.0 * (double)y + (double)x + fraction);
    return image;
}

cpl_image *new_image(void) { return filled(3, 2, CPL_TYPE_FLOAT, 0.5); }
cpl_image *new_counts(void) { return filled(2, 3, CPL_TYPE_INT, 0); }

cpl_matrix *new_matrix(void)
{
    cpl_init(CPL_INIT_DEFAULT);
    cpl_matrix *m = cpl_matrix_new(2, 3);
    for (cpl_size i = 0; i < 2; i++)
        for (cpl_size j = 0; j < 3; j++)
            cpl_matrix_set(m, i, j, 10.0 * (double)(i + 1) + (double)(j + 1));
    return m;
}

cpl_vector *new_vector(void)
{
    cpl_init(CPL_INIT_DEFAULT);
    cpl_vector *v = cpl_vector_new(3);
    for (cpl_size i = 0; i < 3; i++)
        cpl_vector_set(v, i, (double)i + 0.5);
    return v;
}

const void *first_image(cpl_image *image) { return cpl_image_get_data(image); }
double at_image(cpl_image *image, const size_t *at)
{
    int rejected = 0;
    return cpl_image_get(image, (cpl_size)at[1] + 1, (cpl_size)at[0] + 1, &rejected);
}
const void *first_matrix(cpl_matrix *m) { return cpl_matrix_get_data(m); }
double at_matrix(cpl_matrix *m, const size_t *at) { return cpl_matrix_get(m, (cpl_size)at[0], (cpl_size)at[1]); }
const void *first_vector(cpl_vector *v) { return cpl_vector_get_data(v); }
double at_vector(cpl_vector *v, const size_t *at) { return cpl_vector_get(v, (cpl_size)at[0]); }
