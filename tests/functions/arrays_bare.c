/* SPDX-License-Identifier: MIT */
/* Arrays without a struct of the library's own, and calls that wait. */
#include "arrays.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- Bare arrays ---- */

double numbers_sum(const double *x, size_t count)
{
    return numbers_sum_strided(x, count, 1);
}

size_t memory_and_numbers(const void *x, size_t bytes, const double *y, size_t count)
{
    (void)x;
    (void)y;
    return bytes + count;
}

size_t flags_count(const bool *x, size_t count)
{
    size_t set = 0;

    for (size_t i = 0; i < count; i++) {
        set += x[i];
    }
    return set;
}

double numbers_sum_of(size_t count, const double *x)
{
    return numbers_sum(x, count);
}

double numbers_sum_weighted(const double *x, const double *weights, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += x[i] * (weights != NULL ? weights[i] : 1);
    }
    return sum;
}

double numbers_sum3(const double x[3])
{
    return x[0] + x[1] + x[2];
}

double numbers_sum_table(const double *x, size_t rows, size_t columns)
{
    return numbers_sum(x, rows * columns);
}

double numbers_sum_rectangle(const double *x, int rows, int columns)
{
    return numbers_sum(x, (size_t)rows * (size_t)columns);
}

double numbers_sum_range(const double *x, size_t first, size_t last)
{
    return numbers_sum(x, last - first + 1);
}

double numbers_sum_share(const double *x, size_t total, int parts)
{
    return numbers_sum(x, total / (size_t)parts);
}

double numbers_sum_rest(const double *x, size_t total, int parts)
{
    return numbers_sum(x, total % (size_t)parts);
}

void numbers_middle(const double (*points)[NUMBERS_AXES], int count, double middle[NUMBERS_AXES])
{
    for (int axis = 0; axis < NUMBERS_AXES; axis++) {
        middle[axis] = 0;
        for (int i = 0; i < count; i++) {
            middle[axis] += points[i][axis] / count;
        }
    }
}

double numbers_turn(double points[][NUMBERS_AXES], size_t count, const double by[NUMBERS_AXES][NUMBERS_AXES])
{
    for (size_t i = 0; by != NULL && i < count; i++) {
        const double x = points[i][0], y = points[i][1], z = points[i][2];

        for (int axis = 0; axis < NUMBERS_AXES; axis++) {
            points[i][axis] = by[axis][0] * x + by[axis][1] * y + by[axis][2] * z;
        }
    }
    return by != NULL ? by[0][0] + by[1][1] + by[2][2] : 0;
}

float complex complexes_sum(const float complex *x, size_t count)
{
    float complex sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += x[i];
    }
    return sum;
}

long long integers_sum(const int16_t *x, size_t count)
{
    long long sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += x[i];
    }
    return sum;
}

void numbers_scale(double *x, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++) {
        x[i] *= factor;
    }
}

void numbers_scale_table(double *x, size_t rows, size_t columns, ptrdiff_t row_step, ptrdiff_t column_step,
                         double factor)
{
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            x[(ptrdiff_t)row * row_step + (ptrdiff_t)column * column_step] *= factor;
        }
    }
}

double numbers_sum_strided(const double *x, size_t count, unsigned step)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += x[i * step];
    }
    return sum;
}

void numbers_copy(double *to, size_t count, const double *source)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = source[i];
    }
}

uintptr_t memory_where(const void *x)
{
    return (uintptr_t)x;
}

void memory_fill(void *x, size_t bytes, unsigned char value)
{
    if (bytes > 0) {
        memset(x, value, bytes);
    }
}

size_t memory_size(const void *x, size_t bytes)
{
    return x == NULL && bytes > 0 ? 0 : bytes;
}

/* ---- DLTensors ---- */

/* "2:64:1 on 1:0, 2 x 3 in steps of 3, 1" */
const char *tensor_text(const DLTensor *x)
{
    static char text[1024];
    size_t used = (size_t)snprintf(text, sizeof text, "%d:%d:%d on %d:%d,", x->dtype.code, x->dtype.bits,
                                   x->dtype.lanes, (int)x->device.device_type, (int)x->device.device_id);

    for (int i = 0; i < x->ndim; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " %lld/%lld", (long long)x->shape[i],
                                 (long long)x->strides[i]);
    }
    return text;
}

uintptr_t tensor_where(const DLTensor *x)
{
    return (uintptr_t)x->data + (uintptr_t)x->byte_offset;
}

static double element(DLDataType dtype, const char *place)
{
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
        double parts[2];
    } value;

    memset(&value, 0, sizeof value);
    memcpy(&value, place, dtype.bits / 8);
    switch (dtype.code * 100 + dtype.bits) {
    case kDLInt * 100 + 8:
        return value.i8;
    case kDLInt * 100 + 16:
        return value.i16;
    case kDLInt * 100 + 32:
        return value.i32;
    case kDLInt * 100 + 64:
        return (double)value.i64;
    case kDLUInt * 100 + 16:
        return value.u16;
    case kDLUInt * 100 + 32:
        return value.u32;
    case kDLUInt * 100 + 64:
        return (double)value.u64;
    case kDLFloat * 100 + 32:
        return (double)value.f32;
    case kDLFloat * 100 + 64:
    case kDLComplex * 100 + 128: /* the real part */
        return value.f64;
    default:
        return value.u8; /* bool too */
    }
}

static double sum_axes(const DLTensor *x, int axis, const char *place)
{
    double sum = 0;

    if (axis == x->ndim) {
        return element(x->dtype, place);
    }
    for (int64_t i = 0; i < x->shape[axis]; i++) {
        sum += sum_axes(x, axis + 1, place + i * x->strides[axis] * (x->dtype.bits / 8));
    }
    return sum;
}

double tensor_sum(const DLTensor *x)
{
    return sum_axes(x, 0, (const char *)x->data + x->byte_offset);
}

int tensor_is_there(const DLTensor *x)
{
    return x != NULL;
}

uint64_t tensor_flags(const DLTensor *x, uint64_t flags)
{
    (void)x;
    return flags;
}

static void fill_axes(const DLTensor *x, int axis, char *place, double value)
{
    if (axis == x->ndim) {
        memcpy(place, &value, sizeof value);
        return;
    }
    for (int64_t i = 0; i < x->shape[axis]; i++) {
        fill_axes(x, axis + 1, place + i * x->strides[axis] * (int64_t)sizeof value, value);
    }
}

void tensor_squeeze(DLTensor *x)
{
    for (int axis = 0; axis < x->ndim; axis++) {
        x->shape[axis] = 1;
        x->strides[axis] = 77;
    }
}

void tensor_fill(DLTensor *x, double value)
{
    fill_axes(x, 0, (char *)x->data + x->byte_offset, value);
}

/* ---- Calls that wait ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int waiting;
static int is_open;

static void set(int *flag)
{
    (void)pthread_mutex_lock(&lock);
    *flag = 1;
    (void)pthread_cond_broadcast(&change);
    (void)pthread_mutex_unlock(&lock);
}

static void wait_for(const int *flag)
{
    (void)pthread_mutex_lock(&lock);
    while (!*flag) {
        (void)pthread_cond_wait(&change, &lock);
    }
    (void)pthread_mutex_unlock(&lock);
}

void gate_reset(void)
{
    waiting = 0;
    is_open = 0;
}

void gate_arrived(void)
{
    wait_for(&waiting);
}

void gate_open(void)
{
    set(&is_open);
}

static void pass_gate(void)
{
    set(&waiting);
    wait_for(&is_open);
}

double numbers_wait(const double *x, size_t count)
{
    pass_gate();
    return numbers_sum(x, count);
}

double matrix_wait(const matrix *self)
{
    pass_gate();
    return matrix_sum(self);
}

int matrix_wait_and_fail(const matrix *self)
{
    pass_gate();
    return self != NULL ? -1 : 0;
}

void numbers_wait_and_scale(double *x, size_t count, double factor)
{
    pass_gate();
    numbers_scale(x, count, factor);
}

picture *picture_interrupted(const picture *of)
{
    (void)raise(SIGINT);
    return picture_new(of->width, of->height);
}
