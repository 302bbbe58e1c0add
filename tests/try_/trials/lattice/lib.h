#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct lattice {
    double *nodes;
    size_t count;
} lattice;
lattice lattice_of(const double *nodes, size_t count); /* by value; owns a copy of the nodes */
int lattice_init(lattice *l, int count);               /* 0, or -1 for less than 0 or more than 1000 */
double lattice_sum(lattice l);
void lattice_clear(lattice *l); /* frees the nodes, and not the struct */
