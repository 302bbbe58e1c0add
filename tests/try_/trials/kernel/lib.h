#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct kernel {
    int rows, columns;
    double weights[]; /* rows * columns */
} kernel;
kernel *kernel_new(int rows, int columns); /* NULL unless both are from 0 to 100 */
double kernel_norm(const kernel *k);
