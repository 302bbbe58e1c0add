#include "display.h"

#include <stdlib.h>

static int live;

fb_display *fb_open(unsigned width, unsigned height, unsigned bits, unsigned red, unsigned line_length, unsigned visual)
{
    fb_display *d = calloc(1, sizeof *d);

    d->var.xres = width;
    d->var.yres = height;
    d->var.bits_per_pixel = bits;
    d->var.red.length = red;
    d->fix.line_length = line_length;
    d->fix.visual = visual;
    d->fix.smem_len = line_length * height * 2; /* a second page, to pan to */
    d->memory = calloc(d->fix.smem_len, 1);
    live++;
    return d;
}

void fb_pan(fb_display *d, unsigned x, unsigned y)
{
    d->var.xoffset = x;
    d->var.yoffset = y;
}

void fb_close(fb_display *d)
{
    free(d->memory);
    free(d);
    live--;
}

int fb_live(void)
{
    return live;
}
