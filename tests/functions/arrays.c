/* SPDX-License-Identifier: MIT */
/* The structs. */
#include "arrays.h"

#include <stdatomic.h>
#include <stdlib.h>

/* ---- Matrices ---- */

matrix *matrix_new(size_t rows, size_t columns)
{
    matrix *const self = calloc(1, sizeof *self);

    if (self != NULL) {
        matrix_resize(self, rows, columns);
    }
    return self;
}

void matrix_free(matrix *self)
{
    free(self->data);
    free(self);
}

void matrix_resize(matrix *self, size_t rows, size_t columns)
{
    free(self->data);
    *self = (matrix){calloc(rows * columns + 1, sizeof(double)), rows, columns, (ptrdiff_t)columns};
}

int matrix_times(const matrix *source, matrix *to, float factor)
{
    if (source->rows != to->rows || source->columns != to->columns) {
        return -1;
    }
    for (size_t row = 0; row < to->rows; row++) {
        for (size_t column = 0; column < to->columns; column++) {
            to->data[(ptrdiff_t)row * to->stride + (ptrdiff_t)column] = factor * matrix_row(source, row)[column];
        }
    }
    return 0;
}

const double *matrix_row(const matrix *self, size_t row)
{
    return self->data + (ptrdiff_t)row * self->stride;
}

double matrix_sum(const matrix *self)
{
    double sum = 0;

    for (size_t row = 0; row < self->rows; row++) {
        sum += numbers_sum(matrix_row(self, row), self->columns);
    }
    return sum;
}

uintptr_t matrix_where(const matrix *self)
{
    return (uintptr_t)self->data;
}

void matrix_scale(matrix *self, double factor)
{
    for (size_t row = 0; row < self->rows; row++) {
        numbers_scale(self->data + (ptrdiff_t)row * self->stride, self->columns, factor);
    }
}

int matrix_add(const matrix *a, const matrix *b, matrix *to)
{
    if (a->rows != b->rows || a->columns != b->columns || a->rows != to->rows || a->columns != to->columns) {
        return -1;
    }
    for (size_t row = 0; row < a->rows; row++) {
        for (size_t column = 0; column < a->columns; column++) {
            to->data[(ptrdiff_t)row * to->stride + (ptrdiff_t)column] =
                matrix_row(a, row)[column] + matrix_row(b, row)[column];
        }
    }
    return 0;
}

void matrix_take(matrix *to, const matrix *source)
{
    matrix_resize(to, source->rows, source->columns);
    to->data[0] = matrix_sum(source);
}

int matrix_fail(const matrix *a, matrix *b)
{
    if (b != NULL) {
        matrix_scale(b, 0);
    }
    return a == NULL && b == NULL ? 0 : -1;
}

double matrix_sum_if(const matrix *self)
{
    return self != NULL ? matrix_sum(self) : 0;
}

size_t matrix_area(const matrix *self, size_t elements, size_t bytes)
{
    const size_t last = (self->rows - 1) * (size_t)self->stride + self->columns; /* with the gaps between rows */

    return elements == self->rows * self->columns && bytes == last * sizeof(double) ? elements : 0;
}

double matrices_sum(const matrix *const *list, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += matrix_sum(list[i]);
    }
    return sum;
}

double matrices_sum3(const matrix *const list[3])
{
    return matrices_sum(list, 3);
}

void matrices_scale(matrix *const *list, int8_t count, double factor)
{
    for (int i = 0; i < count; i++) {
        matrix_scale(list[i], factor);
    }
}

/* ---- Pictures ---- */

static atomic_int pictures;
static int refuses;

static picture *new_picture(uint8_t *pixels, int width, int height, ptrdiff_t pitch, int owns)
{
    picture *const self = malloc(sizeof *self);

    if (self != NULL) {
        *self = (picture){pixels, width, height, pitch, 1, owns, NULL};
        (void)atomic_fetch_add(&pictures, 1);
    }
    return self;
}

picture *picture_new(int width, int height)
{
    return new_picture(calloc((size_t)width, (size_t)height), width, height, width, 1);
}

picture *picture_around(uint8_t *pixels, int width, int height, ptrdiff_t pitch)
{
    return refuses == 1 ? NULL : new_picture(pixels, width, height - (refuses == 2), pitch, 0);
}

void picture_ref(picture *self)
{
    self->references++;
}

void picture_unref(picture *self)
{
    if (--self->references == 0) {
        if (self->part != NULL) {
            picture_unref(self->part);
        }
        if (self->owns) {
            free(self->pixels);
        }
        free(self);
        (void)atomic_fetch_sub(&pictures, 1);
    }
}

unsigned picture_sum(const picture *self)
{
    unsigned sum = 0;

    for (int row = 0; row < self->height; row++) {
        for (int column = 0; column < self->width; column++) {
            sum += self->pixels[row * self->pitch + column];
        }
    }
    return sum;
}

void picture_invert(picture *self)
{
    for (int row = 0; row < self->height; row++) {
        for (int column = 0; column < self->width; column++) {
            self->pixels[row * self->pitch + column] ^= 0xFF;
        }
    }
}

uintptr_t picture_where(const picture *self)
{
    return (uintptr_t)self->pixels;
}

const picture *picture_shown(const picture *of)
{
    return of;
}

picture *picture_rows(picture *of, int first, int count)
{
    if (of->part == NULL) {
        of->part = new_picture(NULL, of->width, 0, of->pitch, 0);
    }
    if (of->part != NULL) {
        of->part->pixels = of->pixels + first * of->pitch;
        of->part->height = count;
    }
    return of->part;
}

unsigned pictures_sum(const picture *a, const picture *b, const picture *c)
{
    return picture_sum(a) + picture_sum(b) + picture_sum(c);
}

void picture_refuse(int refusing)
{
    refuses = refusing;
}

int picture_count(void)
{
    return atomic_load(&pictures);
}

/* ---- Strips, slices, remotes, tanks ---- */

strip *strip_around(const uint16_t *data, size_t count, strip_done *done, void *user)
{
    strip *const self = malloc(sizeof *self);

    if (self != NULL) {
        *self = (strip){data, count, done, user};
    }
    return self;
}

void strip_free(strip *self)
{
    self->done(self->user);
    free(self);
}

unsigned strip_sum(const strip *self)
{
    unsigned sum = 0;

    for (size_t i = 0; i < self->count; i++) {
        sum += self->data[i];
    }
    return sum;
}

double slice_sum(slice self)
{
    return numbers_sum(self.data, self.count);
}

void slice_free(slice self)
{
    free(self.data);
}

size_t remote_count(const remote *self)
{
    return self->count;
}

tank *tank_new(void)
{
    return calloc(1, sizeof(tank));
}

void tank_free(tank *self)
{
    free(self);
}

double tank_fill(tank *self, const double *x, size_t count)
{
    self->level += numbers_sum(x, count);
    return self->level;
}
