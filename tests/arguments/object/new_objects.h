/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct row { float *at; long n; int *ended; } row;
typedef struct image { void *data; long height, width; int kind; } image;
extern int rows_living, images_living;
row *row_new(long n);
void row_end(row *r);
image *image_new(int kind, long height, long width);
void image_end(image *i);
int ramp(int n, row *into);
void count_up(long count, row *into);
int fill(image *into, int value);
int add(const row *a, const row *b, row *into);
long row_length(const row *r);
