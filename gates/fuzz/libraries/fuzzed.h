/* SPDX-License-Identifier: MIT */
/* The library of the fuzzer of calls. Its functions accept all values and all lengths: each fault is one of the bindings. */
#ifndef FUZZED_H_
#define FUZZED_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers and arrays ---- */

static inline double total(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}
static inline int64_t total_whole(const int64_t *x, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += (uint64_t)x[i];
    }
    return (int64_t)sum;
}
static inline void negate(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = -x[i];
    }
}
static inline int64_t same_whole(int64_t number) { return number; }
static inline double same_real(double number) { return number; }

/* ---- Records ---- */

typedef struct point {
    double x;
    int32_t tag; /* followed by padding */
} point;

static inline int64_t tags(const point *p, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += p[i].tag;
    }
    return sum;
}
static inline void retag(point *p, size_t n, int32_t tag)
{
    for (size_t i = 0; i < n; i++) {
        p[i].tag = tag;
    }
}

/* ---- Objects ---- */

typedef struct lamp {
    int watts, holders;
} lamp;

int *lamps(void); /* the number of living lamps, which all modules share */
int lamps_alive(void);

static inline lamp *lamp_new(int watts)
{
    lamp *const l = malloc(sizeof *l);

    if (l != NULL) {
        *l = (lamp){watts, 1};
        ++*lamps();
    }
    return l;
}
static inline void lamp_free(lamp *l)
{
    --*lamps();
    free(l);
}
static inline lamp *lamp_same(lamp *l) { return l; }
/* Returns the lamps whose bit is set in `mask`, those of the first bits again, and new ones, in a table that the caller frees. */
static inline lamp **lamps_mixed(lamp *const *all, int n, unsigned mask, unsigned fresh, int *count)
{
    lamp **const table = malloc(((size_t)n + 64) * sizeof *table);

    *count = 0;
    for (int i = 0; i < n && table != NULL; i++) {
        if (mask >> (i % 32) & 1) {
            table[(*count)++] = all[i];
        }
    }
    for (unsigned i = 0; i < fresh % 16 && table != NULL; i++) {
        table[*count] = lamp_new((int)i);
        ++*count;
        if (mask >> i & 1) {
            table[*count] = table[*count - 1];
            ++*count;
        }
    }
    return table;
}
/* Stores at most 4 new lamps. Returns `want`, which can be more or negative. */
static inline int lamps_filled(lamp *all[4], int want)
{
    for (int i = 0; i < want && i < 4; i++) {
        all[i] = lamp_new(i);
    }
    return want;
}
static inline int watts_of_all(const lamp *const *all, int n)
{
    unsigned sum = 0;

    for (int i = 0; i < n; i++) {
        sum += (unsigned)all[i]->watts;
    }
    return (int)sum;
}

/* ---- Structs that Python makes ---- */

typedef struct plan {
    int passes;
    float rate;
} plan;

static inline double cost(const plan *a, const plan *b, const double *x, int n)
{
    return (double)a->passes * a->rate + (double)b->passes * b->rate + total(x, (size_t)n);
}

/* ---- Files ---- */

static inline long copy_file(FILE *source, FILE *to)
{
    char bytes[64];
    size_t got;
    long count = 0;

    while ((got = fread(bytes, 1, sizeof bytes, source)) > 0) {
        count += (long)fwrite(bytes, 1, got, to);
    }
    return ferror(source) || ferror(to) ? -1 : count;
}

/* ---- Streams ---- */

static inline double total_on(const float *x, size_t n, intptr_t stream)
{
    double sum = (double)stream * 0;

    for (size_t i = 0; i < n; i++) {
        sum += (double)x[i];
    }
    return sum;
}

/* ---- Failures ---- */

typedef struct fault {
    char text[64];
} fault;

static inline const char *fault_text(const fault *f) { return f->text; }
static inline void fault_free(fault *f)
{
    --*lamps();
    free(f);
}
static inline fault *fault_new(int64_t number)
{
    fault *const f = malloc(sizeof *f);

    if (f != NULL) {
        snprintf(f->text, sizeof f->text, "the number %lld is negative", (long long)number);
        ++*lamps();
    }
    return f;
}
static inline int64_t checked(int64_t level, fault **error)
{
    *error = level < 0 ? fault_new(level) : NULL;
    return level;
}
/* Returns a lamp, also beside a fault. */
static inline lamp *lamp_checked(int watts, fault **error)
{
    *error = watts < 0 ? fault_new(watts) : NULL;
    return lamp_new(watts);
}

/* ---- Outputs ---- */

static inline void doubled(const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 2 * x[i];
    }
}
static inline const double *digits(const double *x, size_t n)
{
    static const double all[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

    return x != NULL || n == 0 ? all : NULL;
}
static inline point *points_new(int n)
{
    point *const made = calloc((size_t)n + 1, sizeof *made);

    for (int i = 0; made != NULL && i < n; i++) {
        made[i].tag = i;
    }
    return made;
}
static inline void add_to(const double *restrict x, size_t n, double *restrict y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] += x[i];
    }
}

/* ---- Objects by value ---- */

typedef struct mark {
    int number;
} mark;

static inline mark mark_new(int number) { return (mark){number}; }
static inline int64_t marks_sum(const mark *all, int n)
{
    int64_t sum = 0;

    for (int i = 0; i < n; i++) {
        sum += all[i].number;
    }
    return sum;
}

/* ---- Classes of arrays ---- */

typedef struct windows {
    double *at;
    int64_t rows, columns, step;
} windows;

static inline windows *windows_new(int64_t rows, int64_t columns, int64_t step)
{
    windows *const w = malloc(sizeof *w);
    const size_t count = (size_t)((rows > 0 ? rows - 1 : 0) * step + columns);

    if (w != NULL) {
        *w = (windows){malloc((count + 1) * sizeof(double)), rows, columns, step};
        for (size_t i = 0; w->at != NULL && i < count; i++) {
            w->at[i] = (double)i;
        }
        ++*lamps();
    }
    return w;
}
static inline void windows_free(windows *w)
{
    --*lamps();
    free(w->at);
    free(w);
}

typedef struct row {
    float *at;
    int64_t n;
} row;

static inline double row_total(const row *r) { return total_on(r->at, (size_t)r->n, 0); }

#endif
