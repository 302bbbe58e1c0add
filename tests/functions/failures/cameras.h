/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
typedef struct { int gain; } camera;
/* Each of them has polled before it failed for another reason. */
static inline int polled(void) { errno = EAGAIN; return -1; }
static inline camera *camera_new(const char *name)
{
    return name[0] == 'x' || polled() == 0 ? calloc(1, sizeof(camera)) : NULL;
}
static inline int camera_grab(camera *c, int frame) { (void)c; (void)frame; return polled(); }
static inline int camera_log(camera *c, const char *path) { (void)c; (void)path; return polled(); }
static inline int camera_set_gain(camera *c, int gain) { c->gain = gain; return polled(); }
static inline int camera_probe(const char *name) { (void)name; return polled(); }
