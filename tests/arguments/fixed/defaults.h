/* SPDX-License-Identifier: MIT */
#include <string.h>
enum mode { MODE_A = 1, MODE_B = 2 };
static inline int area(int w, int h) { return w * h; }
static inline int lengths(const char *a, const char *b) { return (int)(10 * strlen(a) + strlen(b)); }
static inline int modes(enum mode a, enum mode b) { return 10 * (int)a + (int)b; }
static inline int digits(int a, int b, int c) { return 100 * a + 10 * b + c; }
static inline int measured(int twice, int n, const double *x) { return 10 * twice + n + (int)x[0]; }
static inline float half(float x) { return x / 2; }
static inline int greet(const char *name) { return (int)strlen(name); }
