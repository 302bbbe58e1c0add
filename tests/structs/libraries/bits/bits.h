/* A frame header as hardware has it: extents in bit-fields. */
#ifndef BITS_H
#define BITS_H

#include <stdint.h>

struct frame {
    unsigned width : 12;
    unsigned height : 12;
    unsigned channels : 3;
    unsigned kind : 2;
    int pitch : 14;
    uint16_t *samples;
};

#endif
