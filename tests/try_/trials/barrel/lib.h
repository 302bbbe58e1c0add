#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct barrel {
    uint8_t *staves;
    int size;
} barrel;
barrel *barrel_make(int size);           /* NULL for less than 1 or more than 1000 */
int barrel_set_size(barrel *b, int size); /* moves the staves; 0, or -1 for a wrong size */
void barrel_free(barrel *b);
