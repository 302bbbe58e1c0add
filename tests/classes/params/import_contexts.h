/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct context { int vectors; } context;
typedef struct options { int scale; } *options_t;
typedef struct vector { double *data; long n; context *home; int scale; } vector;
extern int contexts_live, too_late;
context *context_new(void);
void context_free(context *c);
options_t options_new(int scale);
void options_free(options_t o);
vector *vector_over(context *c, options_t o, double *data, long n);
void vector_free(context *c, vector *v);
double vector_sum(const context *c, const vector *v);
