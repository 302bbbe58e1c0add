#pragma once
#include <stddef.h>
#include <stdint.h>
typedef enum tint_mode { TINT_DARK, TINT_LIGHT, TINT_INVERSE } tint_mode;
/* Changes n samples by the table of a mode. */
void tint_apply(uint8_t *samples, size_t n, tint_mode mode);
int tint_strength(tint_mode mode);
