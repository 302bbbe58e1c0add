#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct relay relay;
relay *relay_new(void);
/* Reads `x` until the next call, and once more in relay_free(). */
void relay_connect(relay *r, const int32_t *x, size_t n);
int64_t relay_total(const relay *r);
void relay_free(relay *r);
int64_t relay_last(void); /* the total of the relay that was freed last */
