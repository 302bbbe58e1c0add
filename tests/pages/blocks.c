#include "blocks.h"

#include <stdlib.h>

block *block_new(int place, int ordinal, size_t count)
{
    block *const b = malloc(sizeof *b);
    if (b != NULL) {
        *b = (block){calloc(count, sizeof(float)), count, place, ordinal};
    }
    return b;
}

void block_free(block *b)
{
    free(b->data);
    free(b);
}
