#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct twin {
    int16_t *values; /* shared */
    int *sharers;
    int count;
} twin;
twin *twin_new(int count);          /* NULL for less than 1 or more than 1000 */
twin *twin_share(const twin *t);    /* another object with the same values */
int twin_sharers(const twin *t);
void twin_free(twin *t);            /* the last one frees the values */
