/* SPDX-License-Identifier: MIT */
#include "new_objects.h"
int rows_living = 0, images_living = 0;
row *row_new(long n)
{
    row *r = n < 100 ? malloc(sizeof *r) : NULL;
    if (r == NULL) return NULL;
    *r = (row){calloc((size_t)n + 1, sizeof(float)), n, NULL};
    rows_living++;
    return r;
}
void row_end(row *r) { free(r->at); free(r); rows_living--; }
image *image_new(int kind, long height, long width)
{
    image *i = malloc(sizeof *i);
    *i = (image){calloc((size_t)(height * width) + 1, kind == 0 ? 1 : 4), height, width, kind};
    images_living++;
    return i;
}
void image_end(image *i) { free(i->data); free(i); images_living--; }
int ramp(int n, row *into)
{
    for (int i = 0; i < n; i++) into->at[i] = (float)i;
    return n != 7;
}
void count_up(long count, row *into) { for (long i = 0; i < count; i++) into->at[i] = (float)i + 1; }
int fill(image *into, int value)
{
    for (long i = 0; i < into->height * into->width; i++)
        if (into->kind == 0) ((unsigned char *)into->data)[i] = (unsigned char)value;
        else ((float *)into->data)[i] = (float)value;
    return into->kind;
}
int add(const row *a, const row *b, row *into)
{
    for (long i = 0; i < into->n; i++) into->at[i] = a->at[i] + b->at[i];
    return a->n == b->n;
}
long row_length(const row *r) { return r->n; }
