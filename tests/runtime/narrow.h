/* SPDX-License-Identifier: MIT */
/* A struct whose members hold less than an array can have. */
#ifndef NARROW_H_
#define NARROW_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KIND_U8 = 1, KIND_F32 };

typedef struct origin {
    int x, y;
} origin;

typedef struct narrow {
    void *data;
    int64_t rows;
    int height;
    uint8_t width;
    unsigned channels : 4;
    uint64_t columns : 40;
    bool pair;
    unsigned pitch;
    size_t skip;
    short step;
    int rank;
    int kind;
    double scale;
    float ratio;
    origin start;
    const char *name;
} narrow;

/* Sets the members of one, but for those that tell what its elements are. */
static inline void narrow_begin(narrow *object, int64_t rows, void *data)
{
    *object = (narrow){.rows = rows, .data = data};
}
/* The library's own way to make and to end one, of which the tests keep the only one. */
narrow *narrow_make(void *data, int64_t rows);
void narrow_destroy(narrow *object);

#endif
