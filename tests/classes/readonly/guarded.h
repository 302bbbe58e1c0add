/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
enum { STATUS_OFF, STATUS_ON };
typedef struct { double *p; int n; } plan;
static inline plan *plan_new(double *x, int n) { plan *p = malloc(sizeof *p); p->p = x; p->n = n; return p; }
static inline void plan_run(plan *p) { for (int i = 0; i < p->n; i++) { p->p[i] += 1; } }
static inline double plan_sum(const plan *p) { return p->p[0] + p->p[1] + p->p[2]; }
typedef struct { int k; } conf;
static const conf standard = {3};
static conf own = {4};
static inline const conf *conf_standard(void) { return &standard; }
static inline conf *conf_own(void) { return &own; }
static inline void conf_set(conf *c, int k) { c->k = k; }
static inline int conf_get(conf *c) { return c->k; }
typedef struct { int w; unsigned char *p; } image;
static inline void render(const image *to) { for (int i = 0; i < to->w; i++) { to->p[i] = 7; } }
static inline int status(void) { return STATUS_ON; }
static inline char meets(int x) { return x > 2; }
typedef struct { int code; const char *message; } outcome;
static inline outcome attempt(int x) { outcome made = {x, "no luck"}; return made; }
