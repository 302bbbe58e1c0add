#include "shed.h"

#include <stdlib.h>

pot *pot_new(int n)
{
    pot *p = malloc(sizeof *p);

    p->n = n;
    p->values = calloc((size_t)n + 1, sizeof(double));
    return p;
}
void pot_free(pot *p)
{
    free(p->values);
    free(p);
}
void pot_spill(pot *p)
{
    free(p->values);
    p->values = NULL;
    p->n = 0;
}
void pot_smash(pot *p)
{
    pot_free(p);
}
pot *pot_same(pot *p)
{
    return p;
}

purse *purse_new(void)
{
    purse *p = malloc(sizeof *p);

    p->coin = calloc(1, sizeof(coin));
    p->coin->references = 1;
    return p;
}
coin *purse_coin(purse *p)
{
    p->coin->references++;
    return p->coin;
}
void coin_unref(coin *c)
{
    if (--c->references == 0) {
        free(c);
    }
}
void purse_free(purse *p)
{
    coin_unref(p->coin);
    free(p);
}

share *share_new(void)
{
    share *s = malloc(sizeof *s);

    s->count = malloc(sizeof(int));
    *s->count = 1;
    s->values = calloc(4, sizeof(float));
    return s;
}
share *share_again(const share *s)
{
    share *again = malloc(sizeof *again);

    *again = *s;
    ++*s->count;
    return again;
}
void share_free(share *s)
{
    if (--*s->count == 0) {
        free(s->values);
        free(s->count);
    }
    free(s);
}

static slip slips[64];
slip *slip_new(void)
{
    for (int i = 0; i < 64; i++) {
        if (!slips[i].used) {
            slips[i].used = 1;
            return &slips[i];
        }
    }
    return NULL;
}
void slip_free(slip *s)
{
    s->used = 0;
}

window *window_new(void)
{
    window *w = malloc(sizeof *w);

    w->all = calloc(16, 1);
    w->at = 0;
    return w;
}
void window_slide(window *w, int by)
{
    w->at = (w->at + by) & 7;
}
void window_free(window *w)
{
    free(w->all);
    free(w);
}

static const uint8_t lights[4] = {1, 2, 3, 4};
lamp *lamp_new(void)
{
    lamp *l = malloc(sizeof *l);

    l->light = (uint8_t *)(uintptr_t)lights;
    return l;
}
void lamp_free(lamp *l)
{
    free(l);
}

crane *crane_new(void)
{
    return calloc(1, sizeof(crane));
}
void crane_lift(crane *c, pot *load)
{
    c->load = load;
}
pot *crane_load(const crane *c)
{
    return c->load;
}
double crane_weigh(const crane *c)
{
    return c->load != NULL ? c->load->n : 0;
}
void crane_free(crane *c)
{
    free(c);
}

double shed_sum(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}
double shed_sum_of(const double *x, int64_t step, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[(int64_t)i * step];
    }
    return sum;
}
void shed_shift(double *to, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = from[i] + 1;
    }
}
void shed_double(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] *= 2;
    }
}
void shed_fill_gaps(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = 5;
    }
}
void shed_slopes(const double *x, size_t n, double *out)
{
    for (size_t i = 0; i + 1 < n; i++) {
        out[i] = x[i + 1] - x[i];
    }
}
void shed_tally(const uint8_t *x, size_t n, int32_t *out)
{
    for (size_t i = 0; i < n; i++) {
        out[x[i] % 8]++;
    }
}
void shed_mark(int place, size_t n, double *out)
{
    if (place >= 0 && (size_t)place < n) {
        out[place] = 1;
    }
}
void shed_half(int16_t *out, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        out[i] = (int16_t)(i + 1);
    }
}
void shed_before(double *x)
{
    x[-1] = 0;
}
void shed_first_half(int n, int32_t *out)
{
    for (int i = 0; i < n / 2; i++) {
        out[i] = i + 1;
    }
}
void shed_one_more(int n, int32_t *out)
{
    for (int i = 0; i <= n; i++) {
        out[i] = i;
    }
}
const int32_t *shed_numbers(pot *p)
{
    return (const int32_t *)(const void *)p->values;
}
void shed_print(int number, char *out)
{
    for (int i = 0; i < number; i++) {
        out[i] = '-';
    }
}
void shed_free(double *x)
{
    free(x);
}
const char *shed_text(void)
{
    static char *text;

    if (text == NULL) {
        text = calloc(1, 16);
    }
    return text;
}
void shed_abort(void)
{
    abort();
}
