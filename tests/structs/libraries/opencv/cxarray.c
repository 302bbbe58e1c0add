#include "cxtypes.h"

#include <stdlib.h>

static int live;

IplImage *cv_image(int width, int height, int depth, int channels, int origin)
{
    IplImage *image = calloc(1, sizeof *image);

    image->nSize = (int)sizeof *image;
    image->width = width;
    image->height = height;
    image->depth = depth;
    image->nChannels = channels;
    image->origin = origin;
    image->align = 4;
    image->widthStep = (width * channels * (depth / 8) + 3) / 4 * 4;
    image->imageSize = image->widthStep * height;
    image->imageData = image->imageDataOrigin = calloc((size_t)image->imageSize + 1, 1);
    live++;
    return image;
}

void cv_set_roi(IplImage *image, int x, int y, int width, int height, int coi)
{
    image->roi = image->roi ? image->roi : malloc(sizeof *image->roi);
    *image->roi = (IplROI){coi, x, y, width, height};
}

void cvReleaseImage(IplImage **image)
{
    free((*image)->roi);
    free((*image)->imageDataOrigin);
    free(*image);
    *image = NULL;
    live--;
}

CvMat cvMat(int rows, int cols, int type, void *data)
{
    CvMat mat = {.type = type, .rows = rows, .cols = cols};
    const unsigned size = ((type & 7) == CV_64F ? 8 : (type & 7) == CV_32S ? 4 : 1) * ((unsigned)type / 8 + 1);

    mat.step = (int)((unsigned)cols * size); /* an import sets the step of its rows afterwards */
    mat.data.ptr = data;
    return mat;
}

/* The count and the data lie in one block, the count first. */
CvMat cv_create(int rows, int cols, int type)
{
    CvMat mat = cvMat(rows, cols, type, NULL);

    mat.refcount = calloc(1, 64 + (size_t)mat.step * (size_t)rows);
    *mat.refcount = 1;
    mat.data.ptr = (unsigned char *)mat.refcount + 64;
    live++;
    return mat;
}

void cvReleaseData(CvMat mat)
{
    if (mat.refcount != NULL && --*mat.refcount == 0) {
        free(mat.refcount);
        live--;
    }
}

int cv_references(CvMat mat)
{
    return *mat.refcount;
}

int cv_live(void)
{
    return live;
}
