/* SPDX-License-Identifier: MIT */
#include <cairo.h>
#include <stddef.h>
#include <stdint.h>

cairo_surface_t *new_mask(void)
{
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_A8, 5, 3);
    cairo_surface_flush(s);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 5; x++)
            cairo_image_surface_get_data(s)[y * cairo_image_surface_get_stride(s) + x] = (unsigned char)(10 * y + x);
    cairo_surface_mark_dirty(s);
    return s;
}

cairo_surface_t *new_pixels(void)
{
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 3, 2);
    cairo_surface_flush(s);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++) {
            unsigned char *row = cairo_image_surface_get_data(s) + y * cairo_image_surface_get_stride(s);
            ((uint32_t *)(void *)row)[x] = 0xff000000u + (uint32_t)(10 * y + x);
        }
    cairo_surface_mark_dirty(s);
    return s;
}

const void *first_mask(cairo_surface_t *s) { return cairo_image_surface_get_data(s); }
double at_mask(cairo_surface_t *s, const size_t *at)
{
    return cairo_image_surface_get_data(s)[at[0] * (size_t)cairo_image_surface_get_stride(s) + at[1]];
}
const void *first_pixels(cairo_surface_t *s) { return cairo_image_surface_get_data(s); }
double at_pixels(cairo_surface_t *s, const size_t *at)
{
    unsigned char *row = cairo_image_surface_get_data(s) + at[0] * (size_t)cairo_image_surface_get_stride(s);
    return ((uint32_t *)(void *)row)[at[1]];
}
