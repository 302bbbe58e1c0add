/* SPDX-License-Identifier: MIT */
#include "boxes.h"

#undef malloc
#undef free

struct box {
    void *all[2];
    size_t sizes[2];
    int count;
};

static int blocks, left = -1;

void *counted_malloc(size_t size)
{
    if (left == 0 || size == 0) { /* C allows both answers to malloc(0) */
        return NULL;
    }
    left -= left > 0;
    blocks++;
    return malloc(size);
}

void counted_free(void *memory)
{
    blocks -= memory != NULL;
    free(memory);
}

int live_blocks(void)
{
    return blocks;
}

void fail_after(int number)
{
    left = number;
}

box *box_new(void)
{
    return calloc(1, sizeof(box));
}

static void empty(box *b)
{
    for (int i = 0; i < b->count; i++) {
        counted_free(b->all[i]);
    }
    b->count = 0;
}

void box_free(box *b)
{
    empty(b);
    free(b);
}

int box_count(const box *b)
{
    return b->count;
}

const void *box_get(const box *b, int index, size_t *size)
{
    *size = index < b->count ? b->sizes[index] : 0;
    return index < b->count ? b->all[index] : NULL;
}

int box_add_bytes(box *b, void *bytes, size_t size)
{
    if (b->count == 2) {
        return 1;
    }
    b->sizes[b->count] = size;
    b->all[b->count++] = bytes;
    return 0;
}

box *box_of(uint8_t *bytes, size_t size)
{
    box *b = bytes[0] != 0 ? box_new() : NULL;

    if (b != NULL) {
        (void)box_add_bytes(b, bytes, size);
    }
    return b;
}

int box_add(box *b, double *values, size_t count)
{
    return box_add_bytes(b, values, count * sizeof(double));
}

int box_consume(box *b, double *values, size_t count)
{
    const int failed = box_add(b, values, count);

    if (failed) {
        counted_free(values);
    }
    return failed;
}

int box_add_const(box *b, const double *values, size_t count)
{
    return box_add(b, (double *)values, count);
}

int box_add_reals(box *b, real *values, size_t count)
{
    return box_add(b, values, count);
}

int box_add_picture(box *b, float *pixels, int width, int height)
{
    return box_add_bytes(b, pixels, (size_t)width * (size_t)height * sizeof(float));
}

int box_add_points(box *b, point *points, int count)
{
    return box_add_bytes(b, points, (size_t)count * sizeof(point));
}

int box_add_any(box *b, void *values, size_t count, int code)
{
    return box_add_bytes(b, values, count * (size_t)code);
}

int box_add_both(box *b, int32_t *first, size_t count, const double *weights, double *last)
{
    if (b->count > 0 || weights[0] < 0) {
        counted_free(last);
        return 1;
    }
    (void)box_add_bytes(b, first, count * sizeof(int32_t));
    (void)box_add(b, last, 2);
    return 0;
}

void box_set_only(box *b, double *values, size_t count)
{
    empty(b);
    if (values != NULL) {
        (void)box_add(b, values, count);
    }
}

double box_drop(double *values, size_t count, double first)
{
    const double last = values[count - 1];

    counted_free(values);
    return first + last;
}
