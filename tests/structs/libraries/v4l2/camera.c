#include "camera.h"

#include <errno.h>
#include <stdlib.h>

static int live;

static void *plane(unsigned bytes)
{
    unsigned char *start = malloc(bytes);

    for (unsigned i = 0; i < bytes; i++) {
        start[i] = (unsigned char)i;
    }
    return start;
}

camera *camera_open(unsigned pixelformat, unsigned width, unsigned height, unsigned bytesperline, unsigned sizeimage)
{
    camera *c = calloc(1, sizeof *c);
    struct v4l2_pix_format *pix = &c->format.fmt.pix;

    c->format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    pix->pixelformat = pixelformat;
    pix->width = width;
    pix->height = height;
    pix->bytesperline = bytesperline;
    pix->sizeimage = sizeimage;
    c->start[0] = plane(sizeimage);
    live++;
    return c;
}

camera *camera_open_planes(unsigned pixelformat, unsigned width, unsigned height, unsigned planes, const unsigned *bytesperline)
{
    camera *c = calloc(1, sizeof *c);
    struct v4l2_pix_format_mplane *pix = &c->format.fmt.pix_mp;

    c->format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
    pix->pixelformat = pixelformat;
    pix->width = width;
    pix->height = height;
    pix->num_planes = (unsigned char)planes;
    for (unsigned i = 0; i < planes; i++) {
        pix->plane_fmt[i].bytesperline = bytesperline[i];
        pix->plane_fmt[i].sizeimage = bytesperline[i] * height;
        c->start[i] = plane(bytesperline[i] * height);
    }
    live++;
    return c;
}

int camera_ioctl(camera *c, unsigned long request)
{
    if (c->dequeued < 0) {
        errno = ENODEV;
        return -1;
    }
    if (c->dequeued == (request == VIDIOC_DQBUF)) {
        errno = EINVAL;
        return -1;
    }
    c->dequeued = request == VIDIOC_DQBUF;
    return 0;
}

void camera_unplug(camera *c)
{
    c->dequeued = -1;
}

void camera_plug(camera *c)
{
    c->dequeued = 0;
}

int camera_dequeued(const camera *c)
{
    return c->dequeued;
}

void camera_close(camera *c)
{
    for (int i = 0; i < VIDEO_MAX_PLANES; i++) {
        free(c->start[i]);
    }
    free(c);
    live--;
}

int camera_live(void)
{
    return live;
}
