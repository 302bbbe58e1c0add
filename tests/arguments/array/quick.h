/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct box { double value; } box;
static inline box *box_new(double value)
{
    box *const self = malloc(sizeof *self);

    if (self != NULL) {
        self->value = value;
    }
    return self;
}
static inline void box_free(box *self) { free(self); }
static inline double box_value(const box *self) { return self->value; }
static inline double boxes_sum(const box *const *list, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        sum += list[i]->value;
    }
    return sum;
}
static inline void boxes_into(const box *const *list, int count, box *to) { to->value = boxes_sum(list, count); }
static inline double boxes_two(const box *const *a, int m, const box *const *b, int n)
{
    return boxes_sum(a, m) - boxes_sum(b, n);
}
static inline box *boxes_last(box *const *list, int count) { return list[count - 1]; }
static inline double doubles(const double *x, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        sum += x[i];
    }
    return sum;
}
static inline uintptr_t place(const double *x) { return (uintptr_t)x; }
static inline double three(const double x[3]) { return doubles(x, 3); }
static inline double floats(const float *x, int count) { return count > 0 ? x[0] + x[count - 1] : 0; }
static inline int shorts(const int16_t *x, int count) { return count > 0 ? x[0] + x[count - 1] : 0; }
static inline double with_box(const box *self, const double *x, int count) { return self->value + doubles(x, count); }
