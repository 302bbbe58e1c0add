#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct cover {
    uint8_t *pixels;
    int side;
} cover;
typedef struct album album;
album *album_open(int side);      /* NULL for less than 1 or more than 100 */
cover *album_cover(album *a);     /* the cover, which the album frees */
cover *cover_new(int side);       /* a cover of nobody's, for cover_free() */
void cover_free(cover *c);
void album_close(album *a);
