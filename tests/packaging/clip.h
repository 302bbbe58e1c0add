/* SPDX-License-Identifier: MIT */
#include <stddef.h>

typedef struct {
    double *data;
    size_t length;
} clip_t;

clip_t *clip_new(size_t length);
void clip_free(clip_t *clip);
