/* SPDX-License-Identifier: MIT */
#include "import_contexts.h"
int contexts_live, too_late;
context *context_new(void)
{
    contexts_live++;
    return calloc(1, sizeof(context));
}
void context_free(context *c)
{
    contexts_live--;
    too_late += c->vectors;
    free(c);
}
options_t options_new(int scale)
{
    options_t made = malloc(sizeof *made);
    made->scale = scale;
    return made;
}
void options_free(options_t o) { free(o); }
vector *vector_over(context *c, options_t o, double *data, long n)
{
    vector *made = malloc(sizeof *made);
    *made = (vector){data, n, c, o != NULL ? o->scale : 1};
    c->vectors++;
    return made;
}
void vector_free(context *c, vector *v)
{
    c->vectors--;
    free(v);
}
double vector_sum(const context *c, const vector *v)
{
    double sum = 100 * c->vectors;
    for (long i = 0; i < v->n; i++) {
        sum += v->scale * v->data[i];
    }
    return sum;
}
