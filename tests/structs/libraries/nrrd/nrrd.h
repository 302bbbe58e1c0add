/* In the style of NRRD (teem): an axis is a struct, fastest first; the rank and the type are known at run time. */
#ifndef NRRD_H
#define NRRD_H

#include <stddef.h>
#include <stdint.h>

#define NRRD_DIM_MAX 16

enum { nrrdTypeUnknown, nrrdTypeChar, nrrdTypeUChar, nrrdTypeShort, nrrdTypeFloat, nrrdTypeDouble, nrrdTypeBlock };

typedef struct {
    size_t size;
    double spacing;
} NrrdAxis;

typedef struct {
    void *data;
    int type;
    unsigned int dim;
    NrrdAxis axis[NRRD_DIM_MAX];
} Nrrd;

Nrrd *nrrdAlloc(int type, unsigned int dim, const int64_t *size); /* type 0 to 5 */
Nrrd *nrrdWrap(void *data, int type, unsigned int dim, const int64_t *size);
Nrrd *nrrdNix(Nrrd *nrrd);
Nrrd *nrrdNuke(Nrrd *nrrd);
double nrrdLookup(const Nrrd *nrrd, unsigned int x, unsigned int y, unsigned int z); /* of an array of short */
const char *nrrdError(void);
int nrrdLive(void);
int nrrdNixed(void);

#endif
