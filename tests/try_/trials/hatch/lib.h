#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct hatch {
    int16_t *slats;
    int count;
    int is_open;
} hatch;
hatch *hatch_fit(int count); /* NULL for less than 1 or more than 100 */
int hatch_seal(hatch *h);    /* frees the slats; 0 */
int hatch_scrap(hatch *h);   /* frees the slats and the hatch; 0 */
