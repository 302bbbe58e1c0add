#pragma once
#include <stddef.h>
#include <stdint.h>
/* A checksum of the six bytes of a code. */
uint32_t stamp_sum(const unsigned char *code);
/* Whether both codes are equal: six bytes each. */
int stamp_equal(const unsigned char *a, const unsigned char *b);
