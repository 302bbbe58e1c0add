/* An array as an .npy file describes it: a type string, a flag for the order, extents as they come. */
#ifndef NPY_H
#define NPY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct npy {
    char descr[8];
    bool fortran_order;
    int ndim;
    size_t shape[8];
    void *data;
    bool view; /* of somebody else's data */
} npy;

/* The order of a NIfTI header: dim[0] is the rank, dim[1] the fastest axis. */
typedef struct nifti {
    short dim[8];
    short datatype;
    short bitpix;
    char *image;
    int slow_first; /* the extents were written the other way round */
} nifti;

npy *npy_new(const char *descr, bool fortran_order, int ndim, const size_t *shape);
void npy_free(npy *array);
nifti *nifti_new(int datatype, int bitpix, int ndim, const short *dim, int slow_first);
void nifti_free(nifti *image);
int npy_live(void);

#endif
