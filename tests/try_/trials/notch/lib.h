#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct notch {
    int32_t *depths;
    int count;
} notch;
/* A row of notches; the last one is the deepest. At least one, at most 1000. */
notch *notch_file(int count);
int notch_deepest(const notch *n);
void notch_free(notch *n);
