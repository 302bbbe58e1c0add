#include "lib.h"
int sieve_is_prime(int number)
{
    if (number < 2) return 0;
    for (int64_t d = 2; d * d <= number; d++) {
        if (number % d == 0) return 0;
    }
    return 1;
}
int sieve_primes(int limit, int32_t *primes)
{
    int count = 0;
    for (int number = 2; number <= limit; number++) {
        if (sieve_is_prime(number)) primes[count++] = number;
    }
    return count;
}
