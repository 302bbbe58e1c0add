#include "nrrd.h"

#include <stdlib.h>

static int live;
static int nixed;

Nrrd *nrrdWrap(void *data, int type, unsigned int dim, const int64_t *size)
{
    Nrrd *nrrd;

    if (dim == 13) {
        return NULL;
    }
    nrrd = calloc(1, sizeof *nrrd);
    nrrd->data = data;
    nrrd->type = type;
    nrrd->dim = dim;
    for (unsigned int i = 0; i < dim; i++) {
        nrrd->axis[i].size = (size_t)size[i];
    }
    live++;
    return nrrd;
}

Nrrd *nrrdAlloc(int type, unsigned int dim, const int64_t *size)
{
    static const size_t sizes[] = {1, 1, 1, 2, 4, 8, 1};
    size_t count = 1;

    for (unsigned int i = 0; i < dim; i++) {
        count *= (size_t)size[i];
    }
    return nrrdWrap(calloc(count, sizes[type]), type, dim, size);
}

Nrrd *nrrdNix(Nrrd *nrrd)
{
    free(nrrd);
    live--;
    nixed++;
    return NULL;
}

Nrrd *nrrdNuke(Nrrd *nrrd)
{
    free(nrrd->data);
    free(nrrd);
    live--;
    return NULL;
}

double nrrdLookup(const Nrrd *nrrd, unsigned int x, unsigned int y, unsigned int z)
{
    const short *data = nrrd->data;

    return data[x + nrrd->axis[0].size * (y + nrrd->axis[1].size * z)];
}

const char *nrrdError(void)
{
    return "thirteen axes bring bad luck";
}

int nrrdLive(void)
{
    return live;
}

int nrrdNixed(void)
{
    return nixed;
}
