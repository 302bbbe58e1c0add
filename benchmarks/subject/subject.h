/* SPDX-License-Identifier: MIT-0 */
/* The library that every contestant of the benchmark binds: a picture as plain as they come, and a harder array. */
#ifndef SUBJECT_H_
#define SUBJECT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* uint8[height, width, channels], rows padded to `pitch` bytes. */
typedef struct picture {
    uint8_t *pixels;
    int height;
    int width;
    int channels;
    ptrdiff_t pitch;
    long references; /* atomic */
} picture_t;

/* Zeroed, held once; NULL without memory. */
picture_t *picture_new(int height, int width, int channels);
void picture_ref(picture_t *picture);
void picture_unref(picture_t *picture);

/* The functions that are called with tensors: they read a field, so that the call itself is what is measured. */
int picture_f(const picture_t *picture);
int picture_f3(const picture_t *a, const picture_t *b, const picture_t *c);

/* An array of up to VOLUME_MAX axes, whose rank, type, place and steps are known at run time only. */
enum { VOLUME_MAX = 8 };
typedef enum volume_type {
    VOLUME_I8, VOLUME_I16, VOLUME_I32, VOLUME_I64, VOLUME_U8, VOLUME_U16, VOLUME_U32, VOLUME_U64,
    VOLUME_F32, VOLUME_F64, VOLUME_C64, VOLUME_C128
} volume_type;
typedef enum volume_place { VOLUME_HOST, VOLUME_PINNED, VOLUME_DEVICE, VOLUME_MANAGED } volume_place;

typedef struct volume {
    void *data;
    volume_type type;
    volume_place place;
    int ordinal;
    int rank;
    int mapped;
    size_t extents[VOLUME_MAX];
    ptrdiff_t steps[VOLUME_MAX]; /* in bytes */
    long references;
} volume_t;

/* Zeroed float64[2, 3, 4, 5, 6] on the host, with gaps between the outer axes; held once. */
volume_t *volume_new(void);
void volume_ref(volume_t *volume);
void volume_unref(volume_t *volume);

#ifdef __cplusplus
}
#endif
#endif
