#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct husk {
    uint8_t *grains;
    size_t count;
} husk;
husk *husk_grow(size_t count); /* NULL for more than 1000 */
void husk_empty(husk *h);      /* frees the grains, and keeps the husk */
void husk_burn(husk *h);       /* frees the grains and the husk */
