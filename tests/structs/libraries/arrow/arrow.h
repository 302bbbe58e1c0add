/* In the style of the Arrow C data interface: unsigned sizes, type names as text, memory that must not be written. */
#ifndef ARROW_H
#define ARROW_H

#include <stdint.h>

typedef struct ArrowColumn ArrowColumn;
struct ArrowColumn {
    const char *format;
    uint64_t length;
    uint32_t list_size;
    const void *buffers[2]; /* validity, values */
    void (*release)(ArrowColumn *column);
};

ArrowColumn *arrow_column(const char *format, uint64_t length, uint32_t list_size, const void *values);
int arrow_live(void);

#endif
