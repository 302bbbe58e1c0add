#pragma once
#include <stddef.h>
#include <stdint.h>
/* A line of 24 bytes, which the caller frees. NULL if there is no such line. */
char *motto_line(int number);
int motto_lines(void);
