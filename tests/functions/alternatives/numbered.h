#include <complex.h>
#include <dlpack/dlpack.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One number: each function tells by the thousands of its result that it was called. */
static inline double one_whole(int64_t x) { return 1000 + (double)x; }
static inline double one_real(double x) { return 2000 + x; }
static inline double one_complex(double complex x) { return 3000 + creal(x) + cimag(x); }
static inline double one_truth(bool x) { return 4000 + x; }
static inline double one_curve(const double *x, size_t n) { return 5000 + (n > 0 ? x[0] : 0); }
static inline double one_letter(const char *x) { return 6000 + (double)x[0]; }
static inline double one_list(const int64_t *x, size_t n) { return 6000 + (n > 0 ? (double)x[0] : 0); }
static inline double one_wave(const double complex *x, size_t n) { return 7000 + (n > 0 ? creal(x[0]) + cimag(x[0]) : 0); }
static inline double one_unsigned(uint32_t x) { return 8000 + (double)x; }
static inline double one_single(float x) { return 9000 + (double)x; }
static inline double one_short(uint16_t x) { return 8000 + (double)x; }
static inline double one_memory(const void *x, size_t n) { return 5000 + (n > 0 ? ((const unsigned char *)x)[0] : 0); }
static inline double one_halves(const uint16_t *x, size_t n) { return 7000 + (n > 0 ? x[0] : 0); }
static inline double one_tensor(const DLTensor *x) { return 7000 + x->ndim; }
static inline double two_curves(const double *x, size_t n, const double *y) { return 1000 * (y != NULL) + (n > 0 ? x[0] : 0); }
static inline double two_lists(const int64_t *x, size_t n, const double *y) { return 3000 + 1000 * (y != NULL) + (n > 0 ? (double)x[0] : 0); }
static inline int small_whole(int8_t x) { return x; }
static inline double small_real(double x) { return x / 2; }

/* Sequences: the sum, in the type of the elements. */
static inline double sum_f8(const double *x, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline int64_t sum_i8(const int64_t *x, size_t n) { int64_t s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline uint64_t sum_u8(const uint64_t *x, size_t n) { uint64_t s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline double complex sum_c16(const double complex *x, size_t n) { double complex s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline bool sum_b(const bool *x, size_t n) { bool s = false; for (size_t i = 0; i < n; i++) s = s || x[i]; return s; }
static inline float sum_f4(const float *x, size_t n) { float s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline float complex sum_c8(const float complex *x, size_t n) { float complex s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline int sum_u1(const uint8_t *x, size_t n) { int s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline int sum_i1(const int8_t *x, size_t n) { int s = 1000; for (size_t i = 0; i < n; i++) s += x[i]; return s; }

/* Lists of arrays. */
typedef struct { float *at; long n; } floats;
typedef struct { double *at; long n; } doubles;
static inline void set_n(floats *f, long n) { f->n = n; }
static inline long count_floats(const floats *const *all, int n) { long s = 4000; for (int i = 0; i < n; i++) s += all[i]->n; return s; }
static inline long count_doubles(const doubles *const *all, int n) { long s = 8000; for (int i = 0; i < n; i++) s += all[i]->n; return s; }
