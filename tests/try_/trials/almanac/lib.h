#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct almanac {
    const double *days; /* of the cache */
    int count;
} almanac;
almanac *almanac_of(int year); /* NULL for a year before 1 or after 9999 */
int almanac_cached(void);      /* how many years are in the cache */
void almanac_free(almanac *a); /* the cache keeps the days until the end of the process */
