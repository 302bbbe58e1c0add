#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct reed {
    double *notes; /* NULL if there are none */
    size_t count;
} reed;
reed *reed_cut(const double *notes, size_t count); /* copies the notes */
double reed_sum(const double *notes, size_t count); /* `notes` is not read for count 0 */
double *reed_positive(const double *notes, size_t count, size_t *found); /* to be freed; NULL if there are none */
void reed_burn(reed *r);
