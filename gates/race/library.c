/* SPDX-License-Identifier: MIT */
#include "library.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int living;
static atomic_int misplaced;

int library_count(void)
{
    return atomic_load(&living);
}

int library_misplaced(void)
{
    return atomic_load(&misplaced);
}

/* ---- Grids ---- */

grid *grid_around(double *data, long rows, long columns, ptrdiff_t stride, done_function *done, void *user)
{
    grid *const self = calloc(1, sizeof *self);

    if (self != NULL) {
        self->data = data;
        self->rows = rows;
        self->columns = columns;
        self->stride = stride;
        self->done = done;
        self->user = user;
        atomic_init(&self->references, 1);
        (void)atomic_fetch_add(&living, 1);
    }
    return self;
}

grid *grid_new(long rows, long columns)
{
    const size_t count = (size_t)rows * (size_t)columns;
    double *const data = calloc(count + 1, sizeof *data);
    grid *self;

    if (data == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        data[i] = 1.0;
    }
    self = grid_around(data, rows, columns, columns, free, data);
    if (self == NULL) {
        free(data);
    }
    return self;
}

void grid_ref(grid *self)
{
    (void)atomic_fetch_add(&self->references, 1);
}

void grid_unref(grid *self)
{
    if (atomic_fetch_sub(&self->references, 1) == 1) {
        if (self->done != NULL) {
            self->done(self->user);
        }
        free(self);
        (void)atomic_fetch_sub(&living, 1);
    }
}

double grid_sum(const grid *self)
{
    double sum = 0.0;

    for (long i = 0; i < self->rows; i++) {
        sum += numbers_sum(self->data + i * self->stride, (size_t)self->columns);
    }
    return sum;
}

int grid_add(const grid *a, const grid *b, grid *to)
{
    if (a->rows != b->rows || a->columns != b->columns || a->rows != to->rows || a->columns != to->columns) {
        return -1;
    }
    for (long i = 0; i < a->rows; i++) {
        for (long j = 0; j < a->columns; j++) {
            to->data[i * to->stride + j] = a->data[i * a->stride + j] + b->data[i * b->stride + j];
        }
    }
    return 0;
}

grid *grid_part(grid *whole, long first, long count)
{
    grid *self;

    if (first < 0 || count < 0 || first > whole->rows - count) {
        return NULL;
    }
    self = grid_around(whole->data + first * whole->stride, count, whole->columns, whole->stride, NULL, NULL);
    if (self != NULL) {
        self->whole = whole;
    }
    return self;
}

double grids_sum(const grid *const *list, size_t count)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++) {
        sum += grid_sum(list[i]);
    }
    return sum;
}

/* ---- Rows ---- */

row *row_new(size_t count)
{
    row *const self = calloc(1, sizeof *self);

    if (self == NULL) {
        return NULL;
    }
    self->count = count;
    self->data = calloc(count + 1, sizeof *self->data);
    if (self->data == NULL) {
        free(self);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        self->data[i] = 1.0;
    }
    (void)atomic_fetch_add(&living, 1);
    return self;
}

void row_free(row *self)
{
    free(self->data);
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

double row_sum(const row *self)
{
    return numbers_sum(self->data, self->count);
}

/* ---- Notes ---- */

note *note_around(uint8_t *bytes, size_t count, done_function *done, void *user)
{
    note *const self = calloc(1, sizeof *self);

    if (self != NULL) {
        *self = (note){bytes, count, done, user};
        (void)atomic_fetch_add(&living, 1);
    }
    return self;
}

void note_free(note *self)
{
    self->done(self->user);
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

/* ---- Screens ---- */

screen *screen_new(void)
{
    screen *const self = calloc(1, sizeof *self);

    if (self != NULL) {
        (void)atomic_fetch_add(&living, 1);
    }
    return self;
}

void screen_free(screen *self)
{
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

void *screen_lock(screen *self)
{
    (void)atomic_fetch_add(&self->locks, 1);
    return self->pixels;
}

void screen_unlock(screen *self)
{
    (void)atomic_fetch_sub(&self->locks, 1);
}

void screen_flush(screen *self)
{
    (void)atomic_fetch_add(&self->flushes, 1);
}

int screen_locks(const screen *self)
{
    return atomic_load(&self->locks);
}

/* ---- Cells ---- */

cell *cell_new(void)
{
    cell *const self = calloc(1, sizeof *self);

    if (self != NULL) {
        self->maker = pthread_self();
    }
    return self;
}

void cell_free(cell *self)
{
    if (!pthread_equal(self->maker, pthread_self())) {
        (void)atomic_fetch_add(&misplaced, 1);
    }
    free(self);
}

/* ---- Tanks ---- */

tank *tank_new(const char *name)
{
    tank *const self = calloc(1, sizeof *self);
    bool complete = self != NULL;

    for (int i = 0; complete && i < TANK_GRIDS; i++) {
        self->grids[i] = grid_new(i + 1, 4);
        complete = self->grids[i] != NULL;
    }
    if (!complete) {
        for (int i = 0; self != NULL && i < TANK_GRIDS && self->grids[i] != NULL; i++) {
            grid_unref(self->grids[i]);
        }
        free(self);
        return NULL;
    }
    strncpy(self->name, name, sizeof self->name - 1);
    (void)atomic_fetch_add(&living, 1);
    return self;
}

void tank_free(tank *self)
{
    for (int i = 0; i < TANK_GRIDS; i++) {
        grid_unref(self->grids[i]);
    }
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

void tank_close(tank *self)
{
    tank_free(self);
}

long tank_level(const tank *self)
{
    return atomic_load(&self->level);
}

void tank_set_level(tank *self, long level)
{
    atomic_store(&self->level, level);
}

const char *tank_name(const tank *self)
{
    return self->name;
}

double tank_measure(const tank *self, const double *x, size_t count)
{
    return numbers_sum(x, count) + grid_sum(self->grids[0]);
}

const double *tank_numbers(const tank *self, size_t *count)
{
    *count = 4;
    return self->grids[0]->data;
}

tank_state tank_next(tank_state state)
{
    return state == TANK_EMPTY ? TANK_FULL : TANK_EMPTY;
}

/* ---- Failures ---- */

long level_check(long level, fault **error)
{
    *error = NULL;
    if (level < 0) {
        *error = calloc(1, sizeof **error);
        if (*error != NULL) {
            (void)snprintf((*error)->text, sizeof (*error)->text, "the level %ld is negative", level);
            (void)atomic_fetch_add(&living, 1);
        }
    }
    return level;
}

const char *fault_text(const fault *self)
{
    return self->text;
}

void fault_free(fault *self)
{
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

/* ---- Records ---- */

points *points_new(size_t count)
{
    points *const self = calloc(1, sizeof *self);

    if (self == NULL) {
        return NULL;
    }
    self->count = count;
    self->data = calloc(count + 1, sizeof *self->data);
    if (self->data == NULL) {
        free(self);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        self->data[i].tag = (int32_t)i;
    }
    (void)atomic_fetch_add(&living, 1);
    return self;
}

void points_free(points *self)
{
    free(self->data);
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

long points_tags(const point *p, size_t count)
{
    long sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += p[i].tag;
    }
    return sum;
}

/* ---- Lamps ---- */

lamp *lamp_new(long watts)
{
    lamp *const self = calloc(1, sizeof *self);

    if (self != NULL) {
        self->watts = watts;
        (void)atomic_fetch_add(&living, 1);
    }
    return self;
}

void lamp_free(lamp *self)
{
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

long lamp_watts(const lamp *self)
{
    return self->watts;
}

lamp **lamps_pick(lamp *const *all, size_t count, size_t fresh, size_t *picked)
{
    lamp **const table = calloc(count + 2 * fresh + 1, sizeof(lamp *));

    *picked = 0;
    for (size_t i = 0; table != NULL && i < count; i++) {
        table[(*picked)++] = all[i];
    }
    for (size_t i = 0; table != NULL && i < fresh; i++) {
        lamp *const made = lamp_new((long)i);

        table[(*picked)++] = made;
        table[(*picked)++] = made;
    }
    return table;
}

/* ---- Small structs ---- */

double plan_cost(const plan *self)
{
    return (double)self->passes * (double)self->rate;
}

/* ---- Windows ---- */

window *window_new(void)
{
    window *const self = calloc(1, sizeof *self);

    for (int i = 0; self != NULL && i < 6; i++) {
        self->data[i] = 1.0;
    }
    if (self != NULL) {
        (void)atomic_fetch_add(&living, 1);
    }
    return self;
}

void window_free(window *self)
{
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

double window_sum(const DLTensor *x)
{
    const double *const first = (const double *)(const void *)((const char *)x->data + x->byte_offset);
    double sum = 0.0;

    for (int64_t i = 0; i < x->shape[0]; i++) {
        for (int64_t j = 0; j < x->shape[1]; j++) {
            sum += first[i * x->strides[0] + j * x->strides[1]];
        }
    }
    return sum;
}

/* ---- Chips ---- */

chip *chip_new(size_t count)
{
    chip *const self = calloc(1, sizeof *self);

    if (self == NULL) {
        return NULL;
    }
    self->count = count;
    self->data = calloc(count + 1, sizeof *self->data);
    if (self->data == NULL) {
        free(self);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        self->data[i] = 1.0F;
    }
    (void)atomic_fetch_add(&living, 1);
    return self;
}

void chip_free(chip *self)
{
    free(self->data);
    free(self);
    (void)atomic_fetch_sub(&living, 1);
}

void chip_wait(chip *self, intptr_t stream)
{
    (void)stream;
    (void)atomic_fetch_add(&self->waits, 1);
}

int chip_waits(const chip *self)
{
    return atomic_load(&self->waits);
}

double chip_sum(const float *x, size_t count, intptr_t stream)
{
    double sum = 0.0;

    (void)stream;
    for (size_t i = 0; i < count; i++) {
        sum += (double)x[i];
    }
    return sum;
}

/* ---- Arrays, strings ---- */

void numbers_double(const double *x, size_t count, double *y)
{
    for (size_t i = 0; i < count; i++) {
        y[i] = 2.0 * x[i];
    }
}

void numbers_add(const double *restrict x, size_t count, double *restrict y)
{
    for (size_t i = 0; i < count; i++) {
        y[i] += x[i];
    }
}

double chosen_real(double x)
{
    return x;
}

int64_t chosen_whole(int64_t x)
{
    return x;
}

double numbers_sum(const double *x, size_t count)
{
    double sum = 0.0;

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

int numbers_ramp(double first, size_t count, double *y)
{
    for (size_t i = 0; i < count; i++) {
        y[i] = first + (double)i;
    }
    return 0;
}

int numbers_check(const double *x, size_t count)
{
    (void)x;
    (void)count;
    return -1;
}

double tensor_sum(const DLTensor *x)
{
    double sum = 0.0;

    for (int64_t i = 0; x->ndim == 1 && i < x->shape[0]; i++) {
        const int64_t step = x->strides != NULL ? x->strides[0] : 1;

        sum += ((const double *)(const void *)((const char *)x->data + x->byte_offset))[i * step];
    }
    return sum;
}

uint32_t bytes_sum(const void *x, size_t size)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < size; i++) {
        sum += ((const uint8_t *)x)[i];
    }
    return sum;
}

size_t name_length(const char *name)
{
    return strlen(name);
}

char *names_join(const char *const *names, size_t count)
{
    size_t length = 1;
    char *joined;

    for (size_t i = 0; i < count; i++) {
        length += strlen(names[i]);
    }
    joined = calloc(length, 1);
    for (size_t i = 0; joined != NULL && i < count; i++) {
        strcat(joined, names[i]);
    }
    return joined;
}
