#include "photos.h"

#include <stdlib.h>

photo *photo_new(int height, int width)
{
    photo *const p = malloc(sizeof *p);
    if (p != NULL) {
        const int pitch = (width + 15) / 16 * 16;
        *p = (photo){calloc((size_t)height, (size_t)pitch), height, width, pitch};
    }
    return p;
}

void photo_free(photo *p)
{
    free(p->pixels);
    free(p);
}
