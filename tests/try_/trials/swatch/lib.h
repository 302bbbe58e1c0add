#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct swatch {
    float *rgb; /* of the catalogue, which is constant, or of a mixture */
    int colours;
} swatch;
/* The colours of a page of the catalogue. NULL if there is no such page. */
swatch *swatch_page(int page);
void swatch_drop(swatch *s);
