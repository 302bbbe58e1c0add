#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct plaque plaque;
/* The inscription of a number, as UTF-16 units. NULL if the number is negative. */
plaque *plaque_cast(int number);
const void *plaque_units(const plaque *p);
int plaque_count(const plaque *p); /* units, two bytes each */
void plaque_melt(plaque *p);
