/* SPDX-License-Identifier: MIT */
/* A small library whose functions take arrays in every way that C has: structs around them, pointers with numbers
 * beside them, DLTensors, lists. It counts what lives, and has a gate at which calls wait for each other. */
#ifndef ARRAYS_H_
#define ARRAYS_H_

#include <complex.h>
#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- A matrix, whose rows may have gaps ---- */

typedef struct matrix {
    double *data;
    size_t rows;
    size_t columns;
    ptrdiff_t stride; /* elements from row to row */
} matrix;

matrix *matrix_new(size_t rows, size_t columns); /* of zeros, without gaps */
void matrix_free(matrix *self);
void matrix_resize(matrix *self, size_t rows, size_t columns);
double matrix_sum(const matrix *self);
uintptr_t matrix_where(const matrix *self);
void matrix_scale(matrix *self, double factor);
/* `to` = `a` + `b`; 0, or -1 if the extents differ. */
int matrix_add(const matrix *a, const matrix *b, matrix *to);
/* `to` = `source` times `factor`; 0, or -1 if the extents differ. */
int matrix_times(const matrix *source, matrix *to, float factor);
const double *matrix_row(const matrix *self, size_t row);
/* Sets all elements of `b` to 0, and fails. */
int matrix_fail(const matrix *a, matrix *b);
/* Makes `to` as large as `source`, and sets its first element to the sum of `source`. */
void matrix_take(matrix *to, const matrix *source);
double matrix_sum_if(const matrix *self); /* 0 for NULL */
size_t matrix_area(const matrix *self, size_t elements, size_t bytes);
double matrices_sum(const matrix *const *list, size_t count);
double matrices_sum3(const matrix *const list[3]);
void matrices_scale(matrix *const *list, int8_t count, double factor);

/* ---- A picture of bytes, reference-counted, made around memory by a call ---- */

typedef struct picture {
    uint8_t *pixels;
    int width;
    int height;
    ptrdiff_t pitch;
    int references;
    int owns;
    struct picture *part; /* what picture_rows() has returned; it lives as long as this */
} picture;

picture *picture_new(int width, int height);
picture *picture_around(uint8_t *pixels, int width, int height, ptrdiff_t pitch); /* NULL while refusing */
void picture_ref(picture *self);
void picture_unref(picture *self);
unsigned picture_sum(const picture *self);
void picture_invert(picture *self);
uintptr_t picture_where(const picture *self);
const picture *picture_shown(const picture *of); /* itself */
/* Rows of `of`, in which they live. */
picture *picture_rows(picture *of, int first, int count);
unsigned pictures_sum(const picture *a, const picture *b, const picture *c);
void picture_refuse(int refusing);
int picture_count(void); /* of all that live */

/* ---- A strip that keeps memory for as long as it lives, and says when it no longer does ---- */

typedef void strip_done(void *user);
typedef struct strip {
    const uint16_t *data;
    size_t count;
    strip_done *done;
    void *user;
} strip;

strip *strip_around(const uint16_t *data, size_t count, strip_done *done, void *user);
void strip_free(strip *self);
unsigned strip_sum(const strip *self);

/* ---- A slice, which is passed by value ---- */

typedef struct slice {
    double *data;
    size_t count;
} slice;

double slice_sum(slice self);
void slice_free(slice self);

/* ---- Memory of a device, which has a handle instead of an address ---- */

typedef struct remote {
    void *handle;
    size_t count;
} remote;

size_t remote_count(const remote *self);

/* ---- A handle ---- */

typedef struct tank {
    double level;
} tank;

tank *tank_new(void);
void tank_free(tank *self);
double tank_fill(tank *self, const double *x, size_t count);

/* ---- Bare arrays ---- */

double numbers_sum_of(size_t count, const double *x);
double numbers_sum(const double *x, size_t count);
double numbers_sum_weighted(const double *x, const double *weights, size_t count);
double numbers_sum3(const double x[3]);
static inline double numbers_first(const double x[1]) { return x[0]; }
double numbers_sum_table(const double *x, size_t rows, size_t columns);
double numbers_sum_rectangle(const double *x, int rows, int columns);
double numbers_sum_range(const double *x, size_t first, size_t last); /* of numbers that have indices from `first` on */
double numbers_sum_share(const double *x, size_t total, int parts);   /* of the part that each of `parts` has */
double numbers_sum_rest(const double *x, size_t total, int parts);    /* of those that no part has */
#define NUMBERS_AXES 3
/* The middle of points, one in each row. */
void numbers_middle(const double (*points)[NUMBERS_AXES], int count, double middle[NUMBERS_AXES]);
/* Turned by a matrix, or as it is; how large that matrix is. */
double numbers_turn(double points[][NUMBERS_AXES], size_t count, const double by[NUMBERS_AXES][NUMBERS_AXES]);
float complex complexes_sum(const float complex *x, size_t count);
size_t memory_and_numbers(const void *x, size_t bytes, const double *y, size_t count); /* bytes + count */
size_t flags_count(const bool *x, size_t count);
long long integers_sum(const int16_t *x, size_t count);
void numbers_scale(double *x, size_t count, double factor);
void numbers_scale_table(double *x, size_t rows, size_t columns, ptrdiff_t row_step, ptrdiff_t column_step,
                         double factor);
double numbers_sum_strided(const double *x, size_t count, unsigned step);
void numbers_copy(double *to, size_t count, const double *source);
uintptr_t memory_where(const void *x);
void memory_fill(void *x, size_t bytes, unsigned char value);
size_t memory_size(const void *x, size_t bytes);

/* ---- DLTensors ---- */

const char *tensor_text(const DLTensor *x);
uintptr_t tensor_where(const DLTensor *x);
double tensor_sum(const DLTensor *x);
int tensor_is_there(const DLTensor *x);
uint64_t tensor_flags(const DLTensor *x, uint64_t flags);
void tensor_fill(DLTensor *x, double value); /* of doubles */
void tensor_squeeze(DLTensor *x); /* makes its own copy of the tensor a single element */

/* ---- Calls that wait ---- */

void gate_reset(void);
void gate_arrived(void); /* waits until a call waits at the gate */
void gate_open(void);
double numbers_wait(const double *x, size_t count);
double matrix_wait(const matrix *self);
int matrix_wait_and_fail(const matrix *self);
void numbers_wait_and_scale(double *x, size_t count, double factor);
picture *picture_interrupted(const picture *of); /* a new one, while SIGINT is raised */

#endif
