/* SPDX-License-Identifier: MIT */
#pragma once
#include <stdlib.h>
typedef struct space { int masses, scale; } space;
typedef struct mass { long n; double *at; space *s; int own; } mass;
typedef struct scale { double *at; long n; } scale_t;
typedef struct series { double *at; long n; double factor; const char *unit; } series;
typedef struct unit { double factor; } *unit_t;
typedef struct { int twice; } rules;
typedef struct lengths { double *at; long n; double factor; space *s; } lengths;
typedef struct weights { double *at; long n; scale_t *scale; } weights;
extern int spaces_living, masses_late;
space *space_new(void);
void space_end(space *s);
mass *mass_new(long n, space *s);
mass *mass_over(space *s, double *at, long n);
void mass_end(mass *m, space *s);
double mass_total(const space *s, const mass *m);
double mass_dot(const mass *a, const mass *b, const mass *c);
double mass_all(space *s, const mass *const *all, int n);
int mass_fill(space *s, mass *m, double value);
mass *mass_same(space *s, mass *m);
mass *mass_kept(space *s, mass *m);
int mass_into(const mass *m, mass *into);
mass *mass_twin(const mass *m);
double series_value(const series *x, double factor, const char *unit);
weights *weights_over(scale_t *scale, double *at, long n);
void weights_end(weights *w);
double weights_sum(const weights *w);
double weights_of(const weights *w, const scale_t *scale);
unit_t unit_new(double factor);
static inline void unit_end(unit_t u) { free(u); }
static inline rules rules_new(int twice) { return (rules){twice}; }
double lengths_sum(unit_t u, rules r, const lengths *x);
int lengths_has(const space *s, const lengths *x);
