/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

typedef struct layer { int factor; } layer;
typedef struct settings { const double *weights; int n; } settings;
typedef struct net {
    const double *input;
    int count;
    const double *low;
    double *high;
    layer *layers[8];
    int size;
    settings own;
} net;

typedef struct buffer { double *data; int size; const unsigned char *mask; } buffer;

static inline void buffer_set_mask(buffer *b, const unsigned char *mask, int size) { b->mask = size ? mask : NULL; }
static inline double buffer_masked(const buffer *b)
{
    double sum = 0;

    for (int i = 0; i < b->size; i++) { sum += b->mask[i] ? b->data[i] : 0; }
    return sum;
}

static inline layer *layer_new(int factor)
{
    layer *made = malloc(sizeof *made);

    if (made != NULL) { made->factor = factor; }
    return made;
}
static inline void layer_free(layer *l) { l->factor = -1; free(l); }
static inline net *net_new(void) { return calloc(1, sizeof(net)); }
static inline double net_run(const net *n)
{
    double sum = 0;

    for (int i = 0; i < n->count; i++) { sum += n->input[i]; }
    for (int i = 0; i < n->size; i++) { sum *= n->layers[i]->factor; }
    return n->low != NULL ? sum + n->low[0] + n->high[1] : sum;
}
static inline void net_free(net *n)
{
    volatile double last = net_run(n); /* all that it was given is there still */

    (void)last;
    free(n);
}
static inline int net_set_input(net *n, const double *input, int count)
{
    n->input = input;
    n->count = count;
    return count == 13;
}
static inline void net_set_bounds(net *n, const double low[2], double high[2]) { n->low = low; n->high = high; }
static inline int net_add(net *n, layer *l)
{
    if (n->size == 8) { return 1; }
    n->layers[n->size++] = l;
    return 0;
}
static inline settings *net_settings(net *n) { return &n->own; }
static inline settings *settings_shared(void) { static settings shared; return &shared; }
static inline void settings_set_weights(settings *s, const double *weights, int n) { s->weights = weights; s->n = n; }
static inline double settings_sum(const settings *s)
{
    double sum = 0;

    for (int i = 0; i < s->n; i++) { sum += s->weights[i]; }
    return sum;
}
