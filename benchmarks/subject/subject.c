/* SPDX-License-Identifier: MIT-0 */
#include "subject.h"

#include <stdlib.h>

picture_t *picture_new(int height, int width, int channels)
{
    picture_t *const picture = malloc(sizeof *picture);
    const size_t pitch = (size_t)width * (size_t)channels;

    if (picture == NULL) {
        return NULL;
    }
    *picture = (picture_t){calloc((size_t)height, pitch), height, width, channels, (ptrdiff_t)pitch, 1};
    if (picture->pixels == NULL) {
        free(picture);
        return NULL;
    }
    return picture;
}

void picture_ref(picture_t *picture)
{
    (void)__atomic_fetch_add(&picture->references, 1, __ATOMIC_RELAXED);
}

void picture_unref(picture_t *picture)
{
    if (__atomic_fetch_sub(&picture->references, 1, __ATOMIC_ACQ_REL) == 1) {
        free(picture->pixels);
        free(picture);
    }
}

int picture_f(const picture_t *picture)
{
    return picture->channels;
}

int picture_f3(const picture_t *a, const picture_t *b, const picture_t *c)
{
    return a->channels + b->channels + c->channels;
}

volume_t *volume_new(void)
{
    enum { RANK = 5 };
    static const size_t extents[RANK] = {2, 3, 4, 5, 6};
    volume_t *const volume = calloc(1, sizeof *volume);
    size_t step = sizeof(double);

    if (volume == NULL) {
        return NULL;
    }
    volume->type = VOLUME_F64;
    volume->place = VOLUME_HOST;
    volume->rank = RANK;
    volume->mapped = 1;
    volume->references = 1;
    for (int axis = RANK - 1; axis >= 0; axis--) {
        volume->extents[axis] = extents[axis];
        volume->steps[axis] = (ptrdiff_t)step;
        step *= extents[axis] + (axis < RANK - 1); /* one item more than is shown */
    }
    volume->data = calloc(1, step);
    if (volume->data == NULL) {
        free(volume);
        return NULL;
    }
    return volume;
}

void volume_ref(volume_t *volume)
{
    (void)__atomic_fetch_add(&volume->references, 1, __ATOMIC_RELAXED);
}

void volume_unref(volume_t *volume)
{
    if (__atomic_fetch_sub(&volume->references, 1, __ATOMIC_ACQ_REL) == 1) {
        free(volume->data);
        free(volume);
    }
}
