/* SPDX-License-Identifier: MIT */
#include <gmp.h>
#include <stddef.h>

static __mpz_struct *number(__mpz_struct *z, const mp_limb_t *limbs, size_t count)
{
    mpz_init(z);
    mpz_import(z, count, -1, sizeof(mp_limb_t), 0, 0, limbs);
    return z;
}

__mpz_struct *new_positive(void)
{
    static __mpz_struct z;
    const mp_limb_t limbs[] = {5, 6, 7};
    return number(&z, limbs, 3);
}

__mpz_struct *new_negative(void)
{
    static __mpz_struct z;
    const mp_limb_t limbs[] = {8, 9};
    number(&z, limbs, 2);
    mpz_neg(&z, &z);
    return &z;
}

const void *first_limbs(__mpz_struct *z) { return mpz_limbs_read(z); }
double at_limbs(__mpz_struct *z, const size_t *at)
{
    return at[0] < mpz_size(z) ? (double)mpz_getlimbn(z, (mp_size_t)at[0]) : -1;
}
