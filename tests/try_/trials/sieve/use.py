import numpy
import sieve

primes = numpy.from_dlpack(sieve.primes(30))
print("primes", primes[:5], sieve.is_prime(29))
