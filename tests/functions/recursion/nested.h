/* Functions of 14 arrays: the wrapper of each needs some 40 KB of the stack. */
#ifndef NESTED_H
#define NESTED_H

#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define ARRAYS \
    const double x0[1], const double x1[1], const double x2[1], const double x3[1], const double x4[1], const double x5[1], const double x6[1], \
    const double x7[1], const double x8[1], const double x9[1], const double x10[1], const double x11[1], const double x12[1], const double x13[1]
#define USE_ARRAYS ((void)x0, (void)x1, (void)x2, (void)x3, (void)x4, (void)x5, (void)x6, (void)x7, (void)x8, (void)x9, (void)x10, \
                    (void)x11, (void)x12, (void)x13)

typedef enum { RED, BLUE } color;
typedef struct { double x, y; } point;
typedef struct { int passes; double *cells; int count; } plan;
typedef struct { int passes; } route;
typedef struct { int steps; } far;
typedef struct { double *cells; int n; } grid;

static inline far *new_far(void) { return calloc(1, sizeof(far)); }
static inline int of_arrays(ARRAYS) { USE_ARRAYS; return 1; }
static inline int of_integer(int value, ARRAYS) { USE_ARRAYS; return value; }
static inline double of_float(double value, ARRAYS) { USE_ARRAYS; return value; }
static inline double of_complex(double _Complex value, ARRAYS) { USE_ARRAYS; return creal(value); }
static inline int of_bool(bool value, ARRAYS) { USE_ARRAYS; return value; }
static inline int of_path(const char *value, ARRAYS) { USE_ARRAYS; return value[0]; }
static inline int of_strings(const char *const *value, ARRAYS) { USE_ARRAYS; return value[0] != NULL ? 1 : 0; }
static inline int of_color(color value, ARRAYS) { USE_ARRAYS; return (int)value; }
static inline int of_file(FILE *value, ARRAYS) { USE_ARRAYS; return value != NULL ? 1 : 0; }
static inline int of_route(const route *value, ARRAYS) { USE_ARRAYS; return value->passes; }
static inline int of_routes(const route *const *value, int count, ARRAYS) { USE_ARRAYS; return (value ? count : 0); }
static inline int of_points(const point *value, int count, ARRAYS) { USE_ARRAYS; return (value ? count : 0); }
static inline int of_bytes(const void *value, size_t count, ARRAYS) { USE_ARRAYS; return (value ? (int)count : 0); }
static inline int of_grid(const grid *value, ARRAYS) { USE_ARRAYS; return value->n; }
static inline int of_written(double *value, int count, ARRAYS) { USE_ARRAYS; return (value ? count : 0); }
static inline void doubled(const double *value, double *out, int count, ARRAYS)
{
    USE_ARRAYS;
    for (int i = 0; i < count; i++) {
        out[i] = 2 * value[i];
    }
}
static inline int plan_at(const plan *self, int index, ARRAYS) { USE_ARRAYS; return self->passes + index; }
static inline int plan_item(const plan *self, int index) { return self->passes + index; }
static inline plan *plan_new(int passes)
{
    plan *const made = calloc(1, sizeof *made);

    if (made != NULL) {
        made->passes = passes;
    }
    return made;
}
static inline void plan_keep(plan *self, double *cells, int count, ARRAYS)
{
    USE_ARRAYS;
    self->cells = cells;
    self->count = count;
}

#endif
