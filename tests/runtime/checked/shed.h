/* A library with faults of its spec, and with designs that are right. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* An array of its own. */
typedef struct pot { double *values; int n; } pot;
pot *pot_new(int n);
void pot_free(pot *p);
void pot_spill(pot *p); /* frees the values */
void pot_smash(pot *p); /* frees it */
pot *pot_same(pot *p);

/* Counted references: two owners of one object are right. */
typedef struct coin { int references; float sides[2]; } coin;
typedef struct purse { coin *coin; } purse;
purse *purse_new(void);
coin *purse_coin(purse *p); /* a new reference */
void coin_unref(coin *c);
void purse_free(purse *p);

/* Elements that several objects share: the last one frees them. */
typedef struct share { int *count; float *values; } share;
share *share_new(void);
share *share_again(const share *s);
void share_free(share *s);

/* Objects and elements of a pool, which are never freed. */
typedef struct slip { int16_t cells[4]; int used; } slip;
slip *slip_new(void);
void slip_free(slip *s);

/* A part of an array that moves within it. */
typedef struct window { uint8_t *all; int at; } window;
window *window_new(void);
void window_slide(window *w, int by);
void window_free(window *w);

/* Constant elements. */
typedef struct lamp { uint8_t *light; } lamp;
lamp *lamp_new(void);
void lamp_free(lamp *l);

/* An object that another one uses. */
typedef struct crane { pot *load; } crane;
crane *crane_new(void);
void crane_lift(crane *c, pot *load);
pot *crane_load(const crane *c);
double crane_weigh(const crane *c);
void crane_free(crane *c);

double shed_sum(const double *x, size_t n);
double shed_sum_of(const double *x, int64_t step, size_t n);
void shed_shift(double *to, const double *from, size_t n);
void shed_double(double *x, size_t n);
void shed_fill_gaps(double *x, size_t n);
void shed_slopes(const double *x, size_t n, double *out);
void shed_tally(const uint8_t *x, size_t n, int32_t *out);
void shed_mark(int place, size_t n, double *out);
void shed_half(int16_t *out, size_t n);
void shed_before(double *x);
void shed_first_half(int n, int32_t *out);
void shed_one_more(int n, int32_t *out);
const int32_t *shed_numbers(pot *p);
void shed_print(int number, char *out);
void shed_free(double *x);
const char *shed_text(void);
void shed_abort(void);
