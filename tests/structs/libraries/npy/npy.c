#include "npy.h"

#include <stdlib.h>
#include <string.h>

static int live;

npy *npy_new(const char *descr, bool fortran_order, int ndim, const size_t *shape)
{
    npy *array = calloc(1, sizeof *array);
    size_t count = 1;

    strncpy(array->descr, descr, sizeof array->descr - 1);
    array->fortran_order = fortran_order;
    array->ndim = ndim;
    for (int i = 0; i < ndim; i++) {
        array->shape[i] = shape[i];
        count *= shape[i];
    }
    array->data = calloc(count + 1, 16);
    live++;
    return array;
}

void npy_free(npy *array)
{
    free(array->data);
    free(array);
    live--;
}

nifti *nifti_new(int datatype, int bitpix, int ndim, const short *dim, int slow_first)
{
    nifti *image = calloc(1, sizeof *image);
    size_t bytes = (size_t)bitpix / 8;

    image->datatype = (short)datatype;
    image->bitpix = (short)bitpix;
    image->dim[0] = (short)ndim;
    for (int i = 0; i < ndim; i++) {
        image->dim[i + 1] = dim[i];
        bytes *= (size_t)dim[i];
    }
    image->image = calloc(bytes + 1, 1);
    image->slow_first = slow_first;
    live++;
    return image;
}

void nifti_free(nifti *image)
{
    free(image->image);
    free(image);
    live--;
}

int npy_live(void)
{
    return live;
}
