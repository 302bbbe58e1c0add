#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct spool {
    double *wire;
    size_t length;
} spool;
spool *spool_of(const double *wire, size_t length); /* copies the wire */
double spool_at(const spool *s, size_t index);      /* 0 beyond the end */
void spool_clear(spool *s);                         /* frees the wire */
void spool_free(spool *s);
