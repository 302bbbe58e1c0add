/* SPDX-License-Identifier: MIT */
#include <libswscale/swscale.h>
#include <stddef.h>

SwsVector *new_vector(void)
{
    SwsVector *v = sws_allocVec(3);
    v->coeff[0] = 0.25;
    v->coeff[1] = 0.5;
    v->coeff[2] = 0.125;
    return v;
}

const void *first_vector(SwsVector *v) { return v->coeff; }
double at_vector(SwsVector *v, const size_t *at) { return v->coeff[at[0]]; }
