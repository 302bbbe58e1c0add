/* SPDX-License-Identifier: MIT */
#include "returned_arguments.h"

int live;

image *image_new(int n)
{
    image *made = malloc(sizeof *made);

    live++;
    made->n = n;
    return made;
}
void image_free(image *m) { live--; free(m); }
image *image_negative(image *to, const image *source)
{
    if (to == NULL) {
        to = image_new(0);
    }
    to->n = -source->n;
    return to;
}
image *image_eaten(image *to, image *food)
{
    if (food != NULL) {
        to->n += food->n;
        image_free(food);
    }
    return to;
}
number_t number_new(int n)
{
    number_t made = malloc(sizeof *made);

    live++;
    made->n = n;
    return made;
}
void number_free(number_t n) { live--; free(n); }
number_t number_add(number_t n, int more)
{
    n->n += more;
    return n;
}
number_t number_either(number_t n, number_t other, int second) { return second ? other : n; }
pair pair_new(float x, float y) { return (pair){x, y}; }
pair pair_scaled(pair p, float by) { return (pair){p.x * by, p.y * by}; }
