#include "layouts.h"

#include <stdlib.h>

static int live;

block *block_wrap(void *data, int rank, const int64_t *extent, const int64_t *step)
{
    block *b = calloc(1, sizeof *b);

    b->data = data;
    b->rank = rank;
    for (int i = 0; i < rank; i++) {
        b->extent[i] = extent[i];
        b->step[i] = step[i];
    }
    live++;
    return b;
}

block *block_narrow(void *data, int rank, const uint8_t *extent, const int16_t *step)
{
    block *b = block_wrap(data, 0, NULL, NULL);

    b->rank = rank;
    for (int i = 0; i < rank; i++) {
        b->extent[i] = extent[i];
        b->step[i] = step[i];
    }
    return b;
}

void block_free(block *b)
{
    free(b);
    live--;
}

int block_live(void)
{
    return live;
}
