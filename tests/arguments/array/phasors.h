/* SPDX-License-Identifier: MIT */
#include <complex.h>
#include <stdlib.h>
typedef struct phasor { double re, im; } phasor;
typedef struct { float part[2]; } tone;
struct wave { float real, imag; };
typedef double _Complex exact;
typedef struct { phasor gain; tone low; exact high; double level; phasor *taps; long count; } bank;
static inline phasor turned(phasor z) { return (phasor){-z.im, z.re}; }
static inline tone halved(tone z) { return (tone){{z.part[0] / 2, z.part[1] / 2}}; }
static inline struct wave flipped(struct wave z) { return (struct wave){z.imag, z.real}; }
static inline exact squared(exact z) { return z * z; }
static inline phasor sum(const phasor *z, int n)
{
    phasor total = {0, 0};
    for (int i = 0; i < n; i++) { total.re += z[i].re; total.im += z[i].im; }
    return total;
}
static inline double energy(const tone *z, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) { total += z[i].part[0] * z[i].part[0] + z[i].part[1] * z[i].part[1]; }
    return total;
}
static inline double loudest(const struct wave *z, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) { most = z[i].imag > most ? z[i].imag : most; }
    return most;
}
static inline void conjugate(phasor *z, int n)
{
    for (int i = 0; i < n; i++) { z[i].im = -z[i].im; }
}
static inline void circle(phasor *z, int n)
{
    for (int i = 0; i < n; i++) { z[i] = (phasor){i, n}; }
}
static inline void split(int at, phasor *z, tone *t, exact *e)
{
    *z = (phasor){at, 1};
    *t = (tone){{(float)at, 2}};
    *e = at;
}
static inline void roots(phasor found[3])
{
    for (int i = 0; i < 3; i++) { found[i] = (phasor){i, 2 * i}; }
}
static inline void reversed(phasor *z) { *z = (phasor){z->im, z->re}; }
static inline int code(const void *z, int kind) { return z != 0 ? kind : -1; }
static inline bank *bank_new(int n)
{
    bank *const b = calloc(1, sizeof *b);
    b->taps = calloc((size_t)n, sizeof *b->taps);
    b->count = n;
    b->level = 2.5;
    circle(b->taps, n);
    return b;
}
static inline void bank_free(bank *b) { free(b->taps); free(b); }
static inline phasor bank_gain(const bank *b) { return b->gain; }
static inline void bank_set(bank *b, phasor gain) { b->gain = gain; }
static inline const phasor *bank_taps(const bank *b) { return b->taps; }
