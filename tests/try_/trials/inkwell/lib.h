#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct inkwell inkwell;
inkwell *inkwell_new(void);
/* The inkwell frees `drops` with free(), at the next call or at the end. */
void inkwell_fill(inkwell *i, double *drops, size_t n);
double inkwell_level(const inkwell *i);
void inkwell_free(inkwell *i);
