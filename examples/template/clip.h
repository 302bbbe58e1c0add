/* SPDX-License-Identifier: MIT */
/* The library. For an installed library, delete clip.h and clip.c, and link with it in CMakeLists.txt. */
#ifndef CLIP_H
#define CLIP_H

#include <stddef.h>

typedef struct {
    double *data;
    size_t length;
} clip_t;

clip_t *clip_new(size_t length);
void clip_free(clip_t *clip);

#endif
