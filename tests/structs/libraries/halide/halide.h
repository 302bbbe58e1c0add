/* Halide's buffers: types as numbers, dimensions behind a pointer with the fastest first, flags that say who has new data. */
#ifndef HALIDE_H
#define HALIDE_H

#include <stdint.h>

typedef struct halide_type_t {
    uint8_t code; /* 0: int, 1: unsigned, 2: float, 3: handle, 4: bfloat */
    uint8_t bits;
    uint16_t lanes;
} halide_type_t;

typedef struct halide_dimension_t {
    int32_t min, extent, stride;
    uint32_t flags;
} halide_dimension_t;

enum { halide_buffer_flag_host_dirty = 1, halide_buffer_flag_device_dirty = 2 };

typedef struct halide_buffer_t {
    uint64_t device;
    void *device_interface;
    uint8_t *host;
    uint64_t flags;
    halide_type_t type;
    int32_t dimensions;
    halide_dimension_t *dim;
    void *padding;
} halide_buffer_t;

int halide_copy_to_host(void *user_context, halide_buffer_t *buffer);
void halide_device_free(halide_buffer_t *buffer);

/* A buffer with room for its dimensions behind it. */
typedef struct halide_room {
    halide_buffer_t buffer;
    halide_dimension_t room[4];
} halide_room;

halide_buffer_t *halide_make(int code, int bits, int lanes, int dimensions, const halide_dimension_t *dim);
void halide_free(halide_buffer_t *buffer);
int halide_live(void);
int halide_freed(void);

#endif
