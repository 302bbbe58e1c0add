#include "sampler.h"

#include <stdlib.h>
#include <string.h>

static int sheets, saved, named;

int living_sheets(void) { return sheets; }
int saved_sheets(void) { return saved; }
int named_sheets(void) { return named; }

sheet *sheet_new(size_t rows, size_t columns)
{
    sheet *made = rows < 100 && columns < 100 ? calloc(1, sizeof *made) : NULL;

    if (made != NULL) {
        made->data = calloc(rows * columns + 1, sizeof(double));
        made->rows = rows;
        made->columns = columns;
        sheets++;
    }
    return made;
}

void sheet_free(sheet *self)
{
    free(self->data);
    free(self);
    sheets--;
}

sheet *sheet_copy(const sheet *self)
{
    sheet *made = sheet_new(self->rows, self->columns);

    memcpy(made->data, self->data, self->rows * self->columns * sizeof(double));
    return made;
}

int sheet_add(sheet *self, const sheet *other)
{
    if (self->rows != other->rows || self->columns != other->columns) {
        return -1;
    }
    for (size_t i = 0; i < self->rows * self->columns; i++) {
        self->data[i] += other->data[i];
    }
    return 0;
}

int sheet_item(const sheet *self, int index) { return index >= 0 && index < (int)self->rows ? index : -1; }
int sheet_save(const sheet *self, const char *path) { return (void)self, (void)path, saved++; }
int sheet_name(const sheet *self, const char *name) { return (void)self, (void)name, named++; }
sheet *sheet_sum(sheet *const *parts, int count)
{
    return count > 0 ? sheet_copy(parts[0]) : NULL;
}

meter *meter_new(int steps)
{
    meter *made = steps >= 0 ? calloc(1, sizeof *made) : NULL;

    if (made != NULL) {
        made->steps = steps;
    }
    return made;
}

void meter_free(meter *self) { free(self); }

void meter_watch(meter *self, const double *limits, size_t n)
{
    self->limits = limits;
    self->count = n;
}

int meter_over(const meter *self, double value) { return self->count > 0 && value > self->limits[0]; }
void meter_take(meter *self, sheet *taken) { self->steps++, sheet_free(taken); }

double total(const double *x, size_t stride, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i * stride];
    }
    return sum;
}

double weighted(const double *x, const double *w, size_t n) { return total(x, 1, n) + total(w, 1, 2 * n); }
int paint(color c, int options, double alpha) { return (int)c + options + (int)alpha; }
int bytes_sum(const unsigned char *data, size_t size) { return size ? data[0] : 0; }
int width_of(span s) { return s.last - s.first; }
int at(const void *address) { return address != NULL; }
int only_if_equal(const int32_t *a, size_t n, const int32_t *b, size_t m) { return n == m ? (int)(n ? a[0] + b[0] : 0) : -1; }
