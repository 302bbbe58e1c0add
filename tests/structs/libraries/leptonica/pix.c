#include "pix.h"

#include <stdlib.h>

static int live, freed;

PIX *pixCreateHeader(int width, int height, int depth)
{
    PIX *pix;

    if (width <= 0 || height <= 0) {
        return NULL;
    }
    pix = calloc(1, sizeof *pix);
    pix->w = (l_uint32)width;
    pix->h = (l_uint32)height;
    pix->d = (l_uint32)depth;
    pix->spp = depth == 32 ? 3 : 1;
    pix->wpl = ((l_uint32)width * (l_uint32)depth + 31) / 32;
    pix->refcount = 1;
    live++;
    return pix;
}

PIX *pixCreate(int width, int height, int depth)
{
    PIX *pix = pixCreateHeader(width, height, depth);

    pix->wpl += 1;
    pix->data = calloc((size_t)pix->wpl * pix->h, sizeof *pix->data);
    return pix;
}

PIX *pixClone(PIX *pix)
{
    pix->refcount++;
    return pix;
}

void pixDestroy(PIX **pix)
{
    PIX *last = *pix;

    *pix = NULL;
    if (--last->refcount == 0) {
        freed += last->data != NULL;
        free(last->data);
        free(last);
        live--;
    }
}

int pixSetData(PIX *pix, l_uint32 *data)
{
    pix->data = data;
    return 0;
}

int pixSetWpl(PIX *pix, int wpl)
{
    pix->wpl = (l_uint32)wpl;
    return wpl <= 0 || wpl > 1000;
}

l_uint32 *pixExtractData(PIX *pix)
{
    l_uint32 *data = pix->data;

    pix->data = NULL;
    return data;
}

int pixFreed(void)
{
    return freed;
}

int pixLive(void)
{
    return live;
}
