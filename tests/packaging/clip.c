/* SPDX-License-Identifier: MIT */
#include "clip.h"

#include <stdlib.h>

clip_t *clip_new(size_t length)
{
    clip_t *clip = malloc(sizeof *clip);

    if (clip) {
        clip->length = length;
        clip->data = calloc(length + 1, sizeof *clip->data);
    }
    return clip;
}

void clip_free(clip_t *clip)
{
    free(clip->data);
    free(clip);
}
