#pragma once
#include <stddef.h>
#include <stdint.h>
/* Limits n levels to at most `high`; most levels stay as they are. */
void tide_limit(double *levels, size_t n, double high);
/* Exchanges the first two levels, if there are two. */
void tide_turn(double *levels, size_t n);
/* Sets the last element to the sum of the others, if there is one. */
void tide_total(double *levels, size_t n);
