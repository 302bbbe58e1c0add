/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct image { int n; } image;
typedef struct number *number_t;
struct number { int n; };
typedef struct pair { float x, y; } pair;
extern int live;
image *image_new(int n);
void image_free(image *m);
image *image_negative(image *to, const image *source);
image *image_eaten(image *to, image *food);
number_t number_new(int n);
void number_free(number_t n);
number_t number_add(number_t n, int more);
number_t number_either(number_t n, number_t other, int second);
pair pair_new(float x, float y);
pair pair_scaled(pair p, float by);
