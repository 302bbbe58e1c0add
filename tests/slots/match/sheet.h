/* SPDX-License-Identifier: MIT */
#include <stdint.h>
typedef struct sheet {
    void *data;
    int64_t rows, columns, pitch; /* in bytes */
    int mode;
} sheet;
