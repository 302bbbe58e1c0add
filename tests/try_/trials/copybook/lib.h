#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct copybook {
    uint16_t *lines;
    size_t count;
} copybook;
copybook *copybook_write(const uint16_t *lines, size_t count); /* copies the lines */
void copybook_erase(copybook *c);
uint32_t copybook_sum(const copybook *c);
const uint16_t *copybook_lines(const copybook *c, size_t *count);
