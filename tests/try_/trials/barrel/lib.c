#include "lib.h"
#include <stdlib.h>
#include <string.h>
static int is_wrong(int size) { return size < 1 || size > 1000; }
barrel *barrel_make(int size)
{
    if (is_wrong(size)) return NULL;
    barrel *b = malloc(sizeof *b);
    b->size = size;
    b->staves = malloc((size_t)size);
    memset(b->staves, 1, (size_t)size);
    return b;
}
int barrel_set_size(barrel *b, int size)
{
    if (is_wrong(size)) return -1;
    uint8_t *staves = malloc((size_t)size);
    memset(staves, 1, (size_t)size);
    memcpy(staves, b->staves, (size_t)(size < b->size ? size : b->size));
    free(b->staves);
    b->staves = staves;
    b->size = size;
    return 0;
}
void barrel_free(barrel *b)
{
    free(b->staves);
    free(b);
}
