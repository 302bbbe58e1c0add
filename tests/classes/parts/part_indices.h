/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct image { int planes; unsigned char *pixels; } image;
static inline image *image_new(int planes)
{
    image *made = malloc(sizeof *made);

    made->planes = planes;
    made->pixels = calloc((size_t)planes + 1, 4);
    for (int i = 0; i < 4 * planes; i++) {
        made->pixels[i] = (unsigned char)i;
    }
    return made;
}
static inline void image_free(image *m) { free(m->pixels); free(m); }
