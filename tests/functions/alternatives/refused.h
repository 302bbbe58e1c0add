#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int of_i1(const int8_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_u1(const uint8_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_i2(const int16_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_u2(const uint16_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_i4(const int32_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_u4(const uint32_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_i8(const int64_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_u8(const uint64_t *x, size_t n) { (void)x; return (int)n; }
static inline int of_f4(const float *x, size_t n) { (void)x; return (int)n; }
static inline int of_f8(const double *x, size_t n) { (void)x; return (int)n; }
static inline int of_c8(const float complex *x, size_t n) { (void)x; return (int)n; }
static inline int of_c16(const double complex *x, size_t n) { (void)x; return (int)n; }

static inline int saved(const double *x, size_t n, const char *path) { (void)x; (void)path; return (int)n; }
static inline int drawn(const double *x, size_t n, const float *y, size_t m) { (void)x; (void)y; return (int)(n + m); }
static inline int drawn_i(const int32_t *x, size_t n, const float *y, size_t m) { (void)x; (void)y; return (int)(n + m); }
static inline int plotted(const float *plane, size_t h, size_t w, int axis) { (void)plane; return (int)(h * w) + axis; }
static inline int of_line(const double *x, size_t n, const float *y, size_t m) { (void)x; (void)y; return (int)(n + m); }
static inline int of_plane(const double *x, size_t h, size_t w, const char *path) { (void)x; (void)path; return (int)(h * w); }
static inline int of_file(const float *x, size_t n, const char *path) { (void)x; (void)path; return (int)n; }
static inline int of_block(const double *x, size_t n) { (void)x; return 100 + (int)n; }
static inline int named(const char *name) { return name[0]; }
static inline int truth(bool name) { return name; }
static inline int numbered(int name) { return name; }

typedef struct { float *at; long n; } floats;
typedef struct { double *at; long n; } doubles;
static inline long of_floats(const floats *const *all, int n) { (void)all; return n; }
static inline long of_doubles(const doubles *const *all, int n) { (void)all; return n; }
