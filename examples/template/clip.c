/* SPDX-License-Identifier: MIT */
#include "clip.h"

#include <stdlib.h>

clip_t *clip_new(size_t length)
{
    clip_t *clip = malloc(sizeof *clip);

    if (clip != NULL) {
        clip->length = length;
        clip->data = calloc(length != 0 ? length : 1, sizeof *clip->data); /* calloc(0, ...) may return NULL */
        if (clip->data == NULL) {
            free(clip);
            return NULL;
        }
    }
    return clip;
}

void clip_free(clip_t *clip)
{
    if (clip != NULL) {
        free(clip->data);
        free(clip);
    }
}
