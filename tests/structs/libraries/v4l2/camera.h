/* A camera as video for Linux shows it: the kernel's own structs, and a driver that is only pretended. */
#ifndef CAMERA_H
#define CAMERA_H

#include <sched.h> /* struct timespec, in strict C99 as well */
#include <sys/select.h>

#include <linux/videodev2.h>

typedef struct camera {
    struct v4l2_format format;
    struct v4l2_buffer buffer;
    void *start[VIDEO_MAX_PLANES];
    int dequeued;
} camera;

camera *camera_open(unsigned pixelformat, unsigned width, unsigned height, unsigned bytesperline, unsigned sizeimage);
camera *camera_open_planes(unsigned pixelformat, unsigned width, unsigned height, unsigned planes, const unsigned *bytesperline);
int camera_ioctl(camera *c, unsigned long request); /* VIDIOC_DQBUF or VIDIOC_QBUF; 0, or -1 and errno */
void camera_unplug(camera *c);                      /* from here on, every ioctl is ENODEV */
void camera_close(camera *c);
void camera_plug(camera *c);
int camera_dequeued(const camera *c);
int camera_live(void);

#endif
