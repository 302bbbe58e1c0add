/* A library with one function for each kind of argument and result, and counters that tests read. */
#ifndef SAMPLER_H
#define SAMPLER_H

#include <stddef.h>
#include <stdint.h>

typedef enum color { COLOR_RED, COLOR_GREEN = 4 } color;
enum { OPTION_FAST = 1, OPTION_EXACT = 2 };

typedef struct sheet {
    double *data;
    size_t rows, columns;
    int level;
} sheet;

typedef struct meter {
    const double *limits;
    size_t count;
    int steps;
} meter;

typedef struct span {
    int first, last;
} span;

int living_sheets(void);
int saved_sheets(void);
int named_sheets(void);
sheet *sheet_new(size_t rows, size_t columns);
void sheet_free(sheet *self);
sheet *sheet_copy(const sheet *self);
int sheet_add(sheet *self, const sheet *other);
int sheet_item(const sheet *self, int index);
int sheet_save(const sheet *self, const char *path);
int sheet_name(const sheet *self, const char *name);
sheet *sheet_sum(sheet *const *parts, int count);
meter *meter_new(int steps);
void meter_free(meter *self);
void meter_watch(meter *self, const double *limits, size_t n);
int meter_over(const meter *self, double value);
void meter_take(meter *self, sheet *taken);
double total(const double *x, size_t stride, size_t n);
double weighted(const double *x, const double *w, size_t n);
int paint(color c, int options, double alpha);
int bytes_sum(const unsigned char *data, size_t size);
int width_of(span s);
int at(const void *address);
int only_if_equal(const int32_t *a, size_t n, const int32_t *b, size_t m);

#endif
