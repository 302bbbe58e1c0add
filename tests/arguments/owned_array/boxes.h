/* SPDX-License-Identifier: MIT */
/* Boxes with arrays. A box owns the arrays that it takes over. */
#ifndef BOXES_H
#define BOXES_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct box box;
typedef double real;
typedef struct point { float x, y; } point;

/* The generated module and the library allocate with these functions. */
void *counted_malloc(size_t size);
void counted_free(void *memory);
#undef malloc
#undef free
#define malloc counted_malloc
#define free counted_free
int live_blocks(void);
void fail_after(int blocks); /* later calls of malloc fail after this number of blocks; -1: none fails */

box *box_new(void);
box *box_of(uint8_t *bytes, size_t size); /* NULL if the first byte is 0 */
void box_free(box *b);
int box_count(const box *b);
const void *box_get(const box *b, int index, size_t *size);

/* These return 0, or 1 if the box is full: it has place for two arrays. */
int box_add(box *b, double *values, size_t count);     /* owns the values after a success */
int box_consume(box *b, double *values, size_t count); /* owns the values, also after a failure */
int box_add_const(box *b, const double *values, size_t count);
int box_add_reals(box *b, real *values, size_t count);
int box_add_bytes(box *b, void *bytes, size_t size);
int box_add_picture(box *b, float *pixels, int width, int height);
int box_add_points(box *b, point *points, int count);
int box_add_any(box *b, void *values, size_t count, int code); /* code: the size of an element */
int box_add_both(box *b, int32_t *first, size_t count, const double *weights, double *last); /* consumes `last` */

void box_set_only(box *b, double *values, size_t count); /* replaces all arrays; NULL: by none */
double box_drop(double *values, size_t count, double first);  /* frees the values */
#endif
