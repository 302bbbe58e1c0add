/* The frame buffer of Linux: the kernel's own structs, memory that is only pretended to be a screen's. */
#ifndef DISPLAY_H
#define DISPLAY_H

#include <linux/fb.h>

typedef struct fb_display {
    struct fb_var_screeninfo var;
    struct fb_fix_screeninfo fix;
    unsigned char *memory;
} fb_display;

fb_display *fb_open(unsigned width, unsigned height, unsigned bits, unsigned red, unsigned line_length, unsigned visual);
void fb_pan(fb_display *d, unsigned x, unsigned y);
void fb_close(fb_display *d);
int fb_live(void);

#endif
