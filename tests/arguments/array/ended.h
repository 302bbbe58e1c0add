#ifndef ENDED_H
#define ENDED_H

#include <stdint.h>

typedef struct { double *cells; int n; } grid;

/* Reads nothing: the tests pass addresses where no memory is. */
static inline uintptr_t address_of(const double *x, int n) { return n > 0 ? (uintptr_t)x : 0; }
static inline uintptr_t address_of_any(const double *x, int n, long step) { return n > 0 && step != 0 ? (uintptr_t)x : 0; }
static inline uintptr_t address_of_both(const double *x, const double *y, int n) { return n > 0 ? (uintptr_t)x + (uintptr_t)y : 0; }
static inline uintptr_t address_of_grid(const grid *g) { return (uintptr_t)g->cells; }

#endif
