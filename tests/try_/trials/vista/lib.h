#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct vista {
    uint8_t *pixels;
    size_t size;
    size_t mapped;
} vista;
vista *vista_open(size_t size); /* NULL for 0 or more than 1000000 bytes, or if there is no memory */
size_t vista_bright(const vista *v);
void vista_shut(vista *v);
