#include "lib.h"
#include <stdlib.h>
static const float catalogue[2][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}},
};
swatch *swatch_page(int page)
{
    if (page < 0 || page > 1) return NULL;
    swatch *s = malloc(sizeof *s);
    s->rgb = (float *)catalogue[page][0];
    s->colours = 3;
    return s;
}
void swatch_drop(swatch *s) { free(s); }
