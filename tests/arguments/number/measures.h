#include <complex.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct { double low, high; } span;
typedef struct { double *at; size_t n; double scale; } scaled;
static inline double real(double x) { return x; }
static inline float single(float x) { return x; }
static inline double complex turned(double complex z) { return z * I; }
static inline double width(span s) { return s.high - s.low; }
static inline double total(const double *x, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline float total_single(const float *x, size_t n) { float s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline double complex total_complex(const double complex *x, size_t n) { double complex s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
static inline double first(const double x[3]) { return x[0]; }
