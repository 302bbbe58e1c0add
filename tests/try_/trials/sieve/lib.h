#pragma once
#include <stddef.h>
#include <stdint.h>
/* The primes up to `limit`, ascending; returns how many there are. `primes` has room for `limit` numbers. */
int sieve_primes(int limit, int32_t *primes);
int sieve_is_prime(int number);
