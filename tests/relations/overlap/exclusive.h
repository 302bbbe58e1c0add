/* SPDX-License-Identifier: MIT */
#include <dlpack/dlpack.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef struct { double *at; long size; } series;
typedef struct { double *at; long size; } copied;
typedef struct { int32_t entries[4]; series row; double room[2]; } ledger;
typedef struct { double *at; double room[3]; } mapped;
typedef struct { int n; } counter;
static inline void shift(const double *restrict source, double *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++) { to[i] = source != NULL ? source[i] + 1 : 1; }
}
static inline void shift_back(double *restrict to, const double *restrict source, size_t n) { shift(source, to, n); }
static inline void shift3(const double source[restrict 3], double to[static restrict 3]) { shift(source, to, 3); }
static inline void shift_bytes(const void *restrict source, void *restrict to, size_t n) { memcpy(to, source, n); }
static inline void shift_any(const void *restrict source, void *restrict to, size_t n) { memcpy(to, source, 2 * n); }
static inline void shift_tensor(const DLTensor *restrict source, DLTensor *restrict to)
{
    *(char *)to->data = *(const char *)source->data;
}
static inline double dot(const double *restrict a, const double *restrict b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += a[i] * b[i]; }
    return sum;
}
static inline void scale_by(double *x, const double *restrict by, size_t n)
{
    for (size_t i = 0; i < n; i++) { x[i] *= by[i]; }
}
static inline void shift_steps(const double *restrict source, long a, double *restrict to, long b, long n)
{
    for (long i = 0; i < n; i++) { to[i * b] = source[i * a] + 1; }
}
static inline void copy_plane(const short *restrict source, long fr, long fc, short *restrict to, long tr, long tc,
                              long h, long w)
{
    for (long i = 0; i < h; i++) { for (long j = 0; j < w; j++) { to[i * tr + j * tc] = source[i * fr + j * fc]; } }
}
static inline void smooth_rows(const float *restrict const *source, float *restrict const *to, int rows, int columns)
{
    for (int i = 0; i < rows; i++) { for (int j = 0; j < columns; j++) { to[i][j] = source[i][j] / 2; } }
}
static inline double total_rows(const float *restrict const *source, int rows, int columns)
{
    double sum = 0;
    for (int i = 0; i < rows; i++) { for (int j = 0; j < columns; j++) { sum += source[i][j]; } }
    return sum;
}
static inline void series_add(series *restrict to, const series *restrict source)
{
    for (long i = 0; i < to->size && i < source->size; i++) { to->at[i] += source->at[i]; }
}
static inline void series_scale(series *s, const double *restrict by)
{
    for (long i = 0; i < s->size; i++) { s->at[i] *= by[0]; }
}
static inline void copied_add(copied *restrict to, const copied *restrict source)
{
    for (long i = 0; i < to->size && i < source->size; i++) { to->at[i] += source->at[i]; }
}
static inline void fill_all(series *restrict const *all, int n, double value)
{
    for (int i = 0; i < n; i++) { for (long j = 0; j < all[i]->size; j++) { all[i]->at[j] = value; } }
}
static inline void fill_shared(series **restrict all, int n, double value) { fill_all(all, n, value); }
static inline double total_all(const series *restrict const *all, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) { for (long j = 0; j < all[i]->size; j++) { sum += all[i]->at[j]; } }
    return sum;
}
static inline void add_all(const series *const *all, int n, double *restrict to) { *to += total_all(all, n); }
static inline counter *counter_new(void) { return calloc(1, sizeof(counter)); }
static inline int counter_count(const counter *c) { return c->n; }
static inline int counter_merge(counter *restrict into, const counter *restrict source)
{
    return into->n += source->n + 1;
}
static inline ledger *ledger_new(void)
{
    ledger *l = calloc(1, sizeof *l);
    l->row = (series){l->room, 2};
    return l;
}
static inline series *ledger_row(ledger *l) { return &l->row; }
static inline void ledger_add(ledger *l, const int32_t *restrict by)
{
    for (int i = 0; i < 4; i++) { l->entries[i] += by[i]; }
}
static inline counter *counter_at(void *bytes, size_t n) { return n < sizeof(counter) ? NULL : bytes; }
static inline void counter_set(counter *c, const void *restrict bytes, size_t n)
{
    c->n = n > 0 ? *(const char *)bytes : 0;
}
static inline mapped *mapped_new(void) { return calloc(1, sizeof(mapped)); }
static inline void map_it(mapped *m) { m->at = m->room; }
static inline void unmap_it(mapped *m) { m->at = NULL; }
static inline void mapped_add(mapped *restrict to, const mapped *restrict source)
{
    to->room[0] += source->room[0] + 1;
}
