#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline double norm_d(const double *x, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += x[i] * x[i]; return s; }
static inline double norm_f(const float *x, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s -= x[i] * x[i]; return s; }
static inline int norm_i(const int32_t *x, size_t n) { int s = 0; for (size_t i = 0; i < n; i++) s += 10 * x[i]; return s; }
static inline double norm_scaled(const double *x, size_t n, double scale) { return scale * norm_d(x, n); }

static inline int fill_d(double *out, size_t n, double value) { for (size_t i = 0; i < n; i++) out[i] = value; return 0; }
static inline int fill_u8(uint8_t *out, size_t n, int value) { for (size_t i = 0; i < n; i++) out[i] = (uint8_t)value; return 0; }

static inline double rank_line(const double *x, size_t n) { (void)x; return (double)n; }
static inline double rank_plane(const double *x, size_t h, size_t w) { (void)x; return (double)(100 * h + w); }

static inline int what_int(int x) { return x; }
static inline double what_float(double x) { return x / 2; }
static inline int what_string(const char *x) { return (int)strlen(x) + 1000; }
static inline double what_array(const double *x, size_t n) { return 2000 + norm_d(x, n); }

typedef struct gray { uint8_t *data; int64_t n; } gray;
typedef struct rgb { float *data; int64_t n; } rgb;
typedef struct wheel { int size; } wheel;
static inline gray *gray_new(int64_t n) { gray *g = malloc(sizeof *g); g->data = calloc((size_t)n + 1, 1); g->n = n; return g; }
static inline void gray_free(gray *g) { free(g->data); free(g); }
static inline rgb *rgb_new(int64_t n) { rgb *g = malloc(sizeof *g); g->data = calloc((size_t)n + 1, 4); g->n = n; return g; }
static inline void rgb_free(rgb *g) { free(g->data); free(g); }
static inline wheel *wheel_new(int size) { wheel *w = malloc(sizeof *w); w->size = size; return w; }
static inline void wheel_free(wheel *w) { free(w); }

static inline int size_gray(const gray *x) { return 1000 + (int)x->n; }
static inline int size_rgb(const rgb *x) { return 2000 + (int)x->n; }
static inline int size_wheel(const wheel *x) { return 3000 + x->size; }
static inline int size_wheels(wheel *const *x, int n) { return 4000 + n + (n > 0 ? x[0]->size : 0); }

static inline int gray_add_number(gray *self, int value) { for (int64_t i = 0; i < self->n; i++) self->data[i] += (uint8_t)value; return self->n > 0 ? self->data[0] : 0; }
static inline int gray_add_bytes(gray *self, const uint8_t *x, int64_t n) { for (int64_t i = 0; i < self->n && i < n; i++) self->data[i] += x[i]; return 1000 + (self->n > 0 ? self->data[0] : 0); }
static inline int gray_at(const gray *self, int index) { return self->data[index]; }
static inline int gray_named(const gray *self, const char *name) { return (int)(self->n * 100 + (int64_t)strlen(name)); }
static inline gray *gray_sized(int64_t n) { return gray_new(n); }
static inline gray *gray_of_bytes(const uint8_t *x, int64_t n) { gray *g = gray_new(n); memcpy(g->data, x, (size_t)n); return g; }

typedef struct view { const double *x; const float *y; int64_t n; } view;
static inline view *view_d(const double *x, int64_t n) { view *v = malloc(sizeof *v); *v = (view){x, NULL, n}; return v; }
static inline view *view_f(const float *x, int64_t n) { view *v = malloc(sizeof *v); *v = (view){NULL, x, n}; return v; }
static inline double view_sum(const view *v) { double s = 0; for (int64_t i = 0; i < v->n; i++) s += v->x ? v->x[i] : v->y[i]; return s; }
static inline void view_free(view *v) { free(v); }

static inline double pair_dd(const double *a, const double *b, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += a[i] * b[i]; return s; }
static inline double pair_df(const double *a, const float *b, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s -= a[i] * b[i]; return s; }
static inline double pair_ff(const float *a, const float *b, size_t n) { double s = 100; for (size_t i = 0; i < n; i++) s += a[i] * b[i]; return s; }

static inline int mode_by(const double *x, size_t n, int axis) { (void)x; return (int)n * 10 + axis; }
static inline int mode_at(const double *x, size_t n, int place) { (void)x; return (int)n * 10 - place; }

static inline double raised_d(const double *x, size_t n) { return n ? x[0] : -1; }
static inline double raised_f(const float *x, size_t n) { return n ? x[0] : -1; }

static inline int bytes_u8(const uint8_t *x, size_t n) { return n > 0 ? x[0] : 0; }
static inline int bytes_i8(const int8_t *x, size_t n) { return n > 0 ? x[0] : 0; }
static inline void half_d(const double *x, size_t n, double *y) { for (size_t i = 0; i < n; i++) y[i] = x[i] / 2; }
static inline void half_f(const float *x, size_t n, float *y) { for (size_t i = 0; i < n; i++) y[i] = x[i] / 2; }
