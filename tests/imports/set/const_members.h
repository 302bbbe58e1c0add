#ifndef CONST_MEMBERS_H
#define CONST_MEMBERS_H
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Each member is const in another way. */
typedef const unsigned char *constant_bytes;
typedef float *const fixed_floats;
typedef const signed char tiny;
typedef enum { SMALL, LARGE } scale;
typedef struct {
    float x, y;
} point;
typedef struct {
    const short rows;
    tiny columns;
    const bool writable;
    const double factor;
    const float share;
    const scale scale;
    const point origin;
    fixed_floats at;
    int count; /* not const */
    struct {
        const unsigned long bytes;
        struct {
            const int first;
        } part[2];
    } info;
    struct {
        const int a, b;
    } range; /* has const members, so that C cannot assign it */
    const volatile unsigned seen;
} sheet;

static inline point point_of(int x, int y) { return (point){(float)x, (float)y}; }
static inline double sheet_sum(const sheet *s)
{
    return s->factor + (double)s->share + (int)s->scale + (double)s->origin.x + (double)s->origin.y + s->count +
           (double)s->info.bytes + s->info.part[1].first + s->range.a + s->range.b + s->seen;
}

/* Sizes and steps for each axis, and a view of read-only memory. */
typedef struct {
    const int rank;
    const short size[4];
    const struct {
        long step;
    } axes[4];
    constant_bytes const bytes;
} volume;

/* Members behind a pointer. */
typedef struct {
    const int size;
    const float *const at;
} shared_row;
typedef struct {
    shared_row *const row;
} row;
static inline shared_row *row_new(void) { return (shared_row *)calloc(1, sizeof(shared_row)); }

/* Passed by value. */
typedef struct {
    float *const at;
    const short size;
} span;
static inline float span_sum(span s)
{
    float sum = 0;

    for (int i = 0; i < s.size; i++) {
        sum += s.at[i];
    }
    return sum;
}

/* The first member of a larger struct. */
typedef struct {
    float *const at;
    const int size;
} part;
typedef struct {
    part part;
    const int more;
} whole;
static inline int part_more(const part *p) { return ((const whole *)(const void *)p)->more; }
#endif
