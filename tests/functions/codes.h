#ifndef CODES_H
#define CODES_H

#include <stddef.h>
#include <stdint.h>

/* A library that takes addresses of any elements, and a code of its own for what they are. */

enum { CODES_BYTE = 8, CODES_FLOAT = -32, CODES_LONG = 20 };
#define CODES_DOUBLE (-64L)
typedef const struct codes_info *codes_type;

extern const codes_type codes_byte, codes_float;

double codes_sum(int type, const void *values, size_t count);
int codes_fill(void *values, size_t count, long type, double value);
int codes_size(codes_type type, const void *values);

#include <dlpack/dlpack.h>
double codes_first(const DLTensor *values, signed char type);

#endif
