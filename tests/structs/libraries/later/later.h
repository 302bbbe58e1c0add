/* In the style of an accelerator's runtime: elements below a byte, and types and devices that DLPack 1.3 has no name for. */
#ifndef LATER_H
#define LATER_H

#include <stdint.h>

enum { TILE_INT4, TILE_UINT2, TILE_BIT, TILE_PAIR, TILE_HANDLE, TILE_BCOMPLEX, TILE_NEXT };
enum { PLACE_HOST, PLACE_TPU, PLACE_ASCEND, PLACE_LAST };

typedef struct {
    void *data;
    int64_t count;
    int kind, place, ordinal;
} tile;

typedef struct {
    uint16_t (*pairs)[2];
    int64_t count;
    int code, ordinal;
} spectrum;

#endif
