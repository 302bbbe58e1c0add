/* SPDX-License-Identifier: MIT */
#include <gdk-pixbuf/gdk-pixbuf.h>

static GdkPixbuf *filled(gboolean alpha, int width, int height)
{
    GdkPixbuf *p = gdk_pixbuf_new(GDK_COLORSPACE_RGB, alpha, 8, width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < gdk_pixbuf_get_n_channels(p); c++)
                gdk_pixbuf_get_pixels(p)[y * gdk_pixbuf_get_rowstride(p) + x * gdk_pixbuf_get_n_channels(p) + c] =
                    (guchar)(100 * y + 10 * x + c);
    return p;
}

GdkPixbuf *new_rgb(void) { return filled(FALSE, 5, 2); }
GdkPixbuf *new_rgba(void) { return filled(TRUE, 2, 3); }

const void *first_pixbuf(GdkPixbuf *p) { return gdk_pixbuf_get_pixels(p); }
double at_pixbuf(GdkPixbuf *p, const size_t *at)
{
    return gdk_pixbuf_read_pixels(p)[at[0] * (size_t)gdk_pixbuf_get_rowstride(p) +
                                     at[1] * (size_t)gdk_pixbuf_get_n_channels(p) + at[2]];
}
