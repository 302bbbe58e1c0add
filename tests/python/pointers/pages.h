/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct page {
    float grid[4][4];
    union { float floats[8]; double doubles[4]; unsigned char raw[32]; } any;
    float *table[2];
    uint8_t packed[2];
    int first, rows, columns, step, kind;
} page;
static inline page *page_new(int first, int rows, int columns, int step, int kind)
{
    page *const made = calloc(1, sizeof *made);
    *made = (page){.first = first, .rows = rows, .columns = columns, .step = step, .kind = kind};
    made->table[0] = made->table[1] = &made->grid[0][0];
    return made;
}
static inline void page_free(page *self) { free(self); }
