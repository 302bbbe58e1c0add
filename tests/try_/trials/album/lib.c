#include "lib.h"
#include <stdlib.h>
struct album {
    cover *front;
    int plays;
};
cover *cover_new(int side)
{
    if (side < 1 || side > 100) return NULL;
    cover *c = malloc(sizeof *c);
    c->side = side;
    c->pixels = calloc((size_t)side, (size_t)side);
    return c;
}
void cover_free(cover *c)
{
    free(c->pixels);
    free(c);
}
album *album_open(int side)
{
    cover *front = cover_new(side);
    if (front == NULL) return NULL;
    album *a = calloc(1, sizeof *a);
    a->front = front;
    return a;
}
cover *album_cover(album *a) { return a->front; }
void album_close(album *a)
{
    cover_free(a->front);
    free(a);
}
