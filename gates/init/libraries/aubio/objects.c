/* SPDX-License-Identifier: MIT */
#include <aubio/aubio.h>
#include <stddef.h>

fvec_t *new_vector(void)
{
    fvec_t *v = new_fvec(4);
    for (unsigned i = 0; i < 4; i++)
        fvec_set_sample(v, (smpl_t)i + 0.5f, i);
    return v;
}

fmat_t *new_matrix(void)
{
    static smpl_t samples[2 * 4];
    static smpl_t *rows[2] = {samples, samples + 4};
    static fmat_t m = {.length = 3, .height = 2, .data = rows};
    for (unsigned channel = 0; channel < 2; channel++)
        for (unsigned i = 0; i < 3; i++)
            fmat_set_sample(&m, (smpl_t)(10 * channel + i) + 0.5f, channel, i);
    return &m;
}

const void *first_vector(fvec_t *v) { return fvec_get_data(v); }
double at_vector(fvec_t *v, const size_t *at) { return fvec_get_sample(v, (uint_t)at[0]); }
const void *first_matrix(fmat_t *m) { return fmat_get_data(m)[0]; }
double at_matrix(fmat_t *m, const size_t *at) { return fmat_get_sample(m, (uint_t)at[0], (uint_t)at[1]); }
