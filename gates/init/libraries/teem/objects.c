/* SPDX-License-Identifier: MIT */
#include <teem/nrrd.h>

Nrrd *new_volume(void)
{
    Nrrd *n = nrrdNew();
    if (nrrdAlloc_va(n, nrrdTypeUShort, 3, (size_t)4, (size_t)3, (size_t)2))
        return NULL;
    for (size_t i = 0; i < 24; i++)
        ((unsigned short *)n->data)[i] = (unsigned short)(100 * (i / 12) + 10 * (i / 4 % 3) + i % 4);
    return n;
}

Nrrd *new_image(void)
{
    Nrrd *n = nrrdNew();
    if (nrrdAlloc_va(n, nrrdTypeFloat, 2, (size_t)3, (size_t)2))
        return NULL;
    for (size_t i = 0; i < 6; i++)
        ((float *)n->data)[i] = (float)(10 * (i / 3) + i % 3);
    return n;
}

const void *first_nrrd(Nrrd *n) { return n->data; }
double at_nrrd(Nrrd *n, const size_t *at)
{
    size_t place = 0;
    for (unsigned int axis = 0; axis < n->dim; axis++)
        place = place * n->axis[n->dim - 1 - axis].size + at[axis];
    return nrrdDLookup[n->type](n->data, place);
}
