/* SPDX-License-Identifier: MIT */
/* A small library that many threads may call at once. Its counters are atomic; nothing else is locked. Numbers that two
 * threads share are only read: who may write them is up to the callers. */
#ifndef LIBRARY_H_
#define LIBRARY_H_

#include <dlpack/dlpack.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Returns how many objects of this library exist, cells excepted. */
int library_count(void);
/* Returns how many cells were freed by a thread that has not made them. */
int library_misplaced(void);

/* ---- A reference-counted grid, of memory of its own or of others ---- */

typedef void done_function(void *user);
typedef struct grid {
    double *data;
    long rows, columns;
    ptrdiff_t stride; /* elements from row to row */
    atomic_int references;
    done_function *done; /* frees the memory of others; or NULL */
    void *user;
    struct grid *whole; /* the grid whose memory this one shares, which it does not keep; or NULL */
} grid;

grid *grid_new(long rows, long columns); /* of ones */
grid *grid_around(double *data, long rows, long columns, ptrdiff_t stride, done_function *done, void *user);
void grid_ref(grid *self);
void grid_unref(grid *self);
double grid_sum(const grid *self);
int grid_add(const grid *a, const grid *b, grid *to); /* 0, or -1 if the extents differ */
grid *grid_part(grid *whole, long first, long count);  /* rows of it; NULL if it has fewer */
double grids_sum(const grid *const *list, size_t count);

/* ---- A row, which is filled by the generated code ---- */

typedef struct row {
    double *data;
    size_t count;
} row;

row *row_new(size_t count); /* of ones */
void row_free(row *self);
double row_sum(const row *self);

/* ---- A note, around bytes of others ---- */

typedef struct note {
    uint8_t *bytes;
    size_t count;
    done_function *done;
    void *user;
} note;

note *note_around(uint8_t *bytes, size_t count, done_function *done, void *user);
void note_free(note *self);

/* ---- A screen, whose pixels can be used between two calls only ---- */

typedef struct screen {
    uint8_t pixels[16];
    atomic_int locks;
    atomic_int flushes;
} screen;

screen *screen_new(void);
void screen_free(screen *self);
void *screen_lock(screen *self);
void screen_unlock(screen *self);
void screen_flush(screen *self);
int screen_locks(const screen *self);

/* ---- A cell, which is freed by the thread that made it ---- */

typedef struct cell {
    int32_t value[2];
    pthread_t maker;
} cell;

cell *cell_new(void);
void cell_free(cell *self);

/* ---- A tank, which is no array; it consists of grids ---- */

enum { TANK_GRIDS = 3 };
typedef enum { TANK_EMPTY, TANK_FULL } tank_state;
typedef struct tank {
    grid *grids[TANK_GRIDS];
    _Atomic long level;
    char name[16];
} tank;

tank *tank_new(const char *name);
void tank_free(tank *self);
void tank_close(tank *self);
long tank_level(const tank *self);
void tank_set_level(tank *self, long level);
const char *tank_name(const tank *self);
double tank_measure(const tank *self, const double *x, size_t count);
const double *tank_numbers(const tank *self, size_t *count);
tank_state tank_next(tank_state state);

/* ---- Failures ---- */

typedef struct fault {
    char text[64];
} fault;

long level_check(long level, fault **error); /* stores a new fault if the level is negative */
const char *fault_text(const fault *self);
void fault_free(fault *self);

/* ---- Records ---- */

typedef struct point {
    double x;
    int32_t tag; /* followed by padding */
} point;
typedef struct points {
    point *data;
    size_t count;
} points;

points *points_new(size_t count); /* with the tags 0, 1, 2 ... */
void points_free(points *self);
long points_tags(const point *p, size_t count); /* the sum */

/* ---- A lamp, of whose class the second module has none ---- */

typedef struct lamp {
    long watts;
} lamp;

lamp *lamp_new(long watts);
void lamp_free(lamp *self);
long lamp_watts(const lamp *self);
/* Returns all lamps, and `fresh` new ones, each of which twice. The caller frees the table. */
lamp **lamps_pick(lamp *const *all, size_t count, size_t fresh, size_t *picked);

/* ---- Small structs, which Python makes ---- */

typedef struct plan {
    int passes;
    float rate;
} plan;
typedef struct strip {
    float *data;
    size_t count;
} strip;

double plan_cost(const plan *self);

/* ---- A window, whose rows overlap ---- */

typedef struct window {
    double data[6];
} window;

window *window_new(void); /* of ones */
void window_free(window *self);
double window_sum(const DLTensor *x);

/* ---- A chip ---- */

typedef struct chip {
    float *data;
    size_t count;
    atomic_int waits;
} chip;

chip *chip_new(size_t count); /* of ones */
void chip_free(chip *self);
void chip_wait(chip *self, intptr_t stream);
int chip_waits(const chip *self);
double chip_sum(const float *x, size_t count, intptr_t stream);

/* ---- Arrays, strings ---- */

double numbers_sum(const double *x, size_t count);
void numbers_scale(double *x, size_t count, double factor);
int numbers_ramp(double first, size_t count, double *y);
int numbers_check(const double *x, size_t count); /* -1: it always fails */
double tensor_sum(const DLTensor *x);
uint32_t bytes_sum(const void *x, size_t size);
void numbers_double(const double *x, size_t count, double *y);
void numbers_add(const double *restrict x, size_t count, double *restrict y);
double chosen_real(double x);
int64_t chosen_whole(int64_t x);
size_t name_length(const char *name);
char *names_join(const char *const *names, size_t count); /* freed by the caller */

#endif
