/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct symbolic { int unused; } symbolic;
typedef struct numeric { double *diagonal; } numeric;
symbolic *symbolic_new(int n);
void symbolic_free(symbolic *s);
numeric *numeric_of(const symbolic *s, double value);
int numeric_into(numeric **made, const symbolic *s);
numeric *numeric_sum(const numeric *x, const numeric *y);
numeric *numeric_twice(const numeric *x);
void numeric_free(numeric *m);
