/* SPDX-License-Identifier: MIT */
#include "masses.h"
#include <string.h>
int spaces_living = 0, masses_late = 0;
space *space_new(void) { space *s = calloc(1, sizeof *s); spaces_living++; s->scale = 1; return s; }
void space_end(space *s) { masses_late += s->masses; spaces_living--; free(s); }
mass *mass_new(long n, space *s)
{
    mass *m;
    if (n < 0) return NULL;
    m = malloc(sizeof *m);
    *m = (mass){n, calloc((size_t)n + 1, sizeof(double)), s, 1};
    s->masses++;
    return m;
}
mass *mass_over(space *s, double *at, long n)
{
    mass *m = malloc(sizeof *m);
    *m = (mass){n, at, s, 0};
    if (s != NULL) s->masses++;
    return m;
}
void mass_end(mass *m, space *s)
{
    if (s != NULL) s->masses--;
    if (s != m->s) masses_late += 1000;
    if (m->own) free(m->at);
    free(m);
}
double mass_total(const space *s, const mass *m)
{
    double t = s != NULL ? 100.0 * s->masses : 0;
    for (long i = 0; i < m->n; i++) t += m->at[i];
    return m->s == s ? t : -1;
}
double mass_dot(const mass *a, const mass *b, const mass *c)
{
    double t = 0;
    for (long i = 0; i < a->n; i++) t += a->at[i] * b->at[i] * (c != NULL ? c->at[i] : 1);
    return a->s == b->s ? t : -1;
}
double mass_all(space *s, const mass *const *all, int n)
{
    double t = 0;
    for (int i = 0; i < n; i++) t += all[i]->s == s ? all[i]->at[0] : -100;
    return t;
}
int mass_fill(space *s, mass *m, double value)
{
    for (long i = 0; i < m->n; i++) m->at[i] = value;
    return m->s == s;
}
mass *mass_same(space *s, mass *m) { (void)s; return m; }
mass *mass_kept(space *s, mass *m) { s->masses++; mass *k = malloc(sizeof *k); *k = (mass){m->n, m->at, s, 0}; return k; }
int mass_into(const mass *m, mass *into)
{
    for (long i = 0; i < m->n; i++) into->at[i] = 2 * m->at[i];
    return into->n != m->n || into->s != m->s;
}
mass *mass_twin(const mass *m) { mass *t = mass_new(m->n, m->s); memcpy(t->at, m->at, (size_t)m->n * sizeof(double)); return t; }
double series_value(const series *x, double factor, const char *unit)
{
    return x->factor == factor && strcmp(x->unit, unit) == 0 && x->unit != unit ? x->at[0] * factor : -1;
}
weights *weights_over(scale_t *scale, double *at, long n)
{
    weights *w = malloc(sizeof *w);
    *w = (weights){at, n, scale};
    return w;
}
void weights_end(weights *w) { if (w->scale->n > 0) w->scale->at[0] += 1; free(w); }
double weights_sum(const weights *w) { return w->at[0] * w->scale->at[0]; }
double weights_of(const weights *w, const scale_t *scale) { return w->scale == scale ? w->at[0] * scale->at[0] : -1; }
unit_t unit_new(double factor) { unit_t u = malloc(sizeof *u); u->factor = factor; return u; }
double lengths_sum(unit_t u, rules r, const lengths *x)
{
    return x->factor == u->factor * (r.twice ? 2 : 1) ? x->factor * x->at[0] : -1;
}
int lengths_has(const space *s, const lengths *x) { return x->s == s; }
