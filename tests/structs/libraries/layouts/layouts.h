/* One struct that can say every layout; each tensor of the spec reads it another way. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct block {
    double *data;
    int rank;
    int64_t extent[3];
    ptrdiff_t step[3]; /* elements or bytes, as the tensor has it */
} block;

block *block_wrap(void *data, int rank, const int64_t *extent, const int64_t *step);
block *block_narrow(void *data, int rank, const uint8_t *extent, const int16_t *step);
void block_free(block *b);
int block_live(void);

#endif
