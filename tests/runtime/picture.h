/* SPDX-License-Identifier: MIT */
/* A struct with members of many types, all of which can have values that no array has. */
#ifndef PICTURE_H_
#define PICTURE_H_

#include <stdint.h>

enum { KIND_U8 = 1, KIND_F32, KIND_F64 };
enum { PLACE_CPU, PLACE_CUDA, PLACE_HOST };

typedef struct picture {
    void *data;
    const uint8_t *constant;
    int height;
    uint64_t width;
    int64_t pitch; /* bytes from row to row */
    uint64_t step;
    int64_t row_step;
    int64_t column_step;
    int kind;
    const char *format;
    uint64_t place;
    int64_t device_id;
    int ready;
    int locked;
    unsigned rows : 5;
    int lines : 4;
    uint64_t many_rows : 40;
} picture;

#endif
