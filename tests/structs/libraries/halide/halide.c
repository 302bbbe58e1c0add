#include "halide.h"

#include <stdlib.h>
#include <string.h>

static int live, freed;

int halide_copy_to_host(void *user_context, halide_buffer_t *buffer)
{
    (void)user_context;
    if (buffer->flags & halide_buffer_flag_device_dirty) {
        buffer->host[0] = 99;
        buffer->flags &= ~(uint64_t)halide_buffer_flag_device_dirty;
    }
    return 0;
}

void halide_device_free(halide_buffer_t *buffer)
{
    buffer->device = 0;
    freed++;
}

halide_buffer_t *halide_make(int code, int bits, int lanes, int dimensions, const halide_dimension_t *dim)
{
    halide_room *room = calloc(1, sizeof *room);
    size_t bytes = (size_t)(bits * lanes + 7) / 8;

    room->buffer.type = (halide_type_t){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
    room->buffer.dimensions = dimensions;
    room->buffer.dim = room->room;
    for (int i = 0; i < dimensions; i++) {
        room->room[i] = dim[i];
        bytes += (size_t)(dim[i].extent - 1) * (size_t)dim[i].stride * (size_t)(bits * lanes) / 8;
    }
    room->buffer.host = calloc(bytes, 1);
    live++;
    return &room->buffer;
}

void halide_free(halide_buffer_t *buffer)
{
    free(buffer->host);
    free(buffer);
    live--;
}

int halide_live(void)
{
    return live;
}

int halide_freed(void)
{
    return freed;
}
