#include "ipl.h"

#include <stdlib.h>

static int live;

IplFrame *cvCreateFrame(int width, int height, int depth, int channels)
{
    IplFrame *image = calloc(1, sizeof *image);

    image->width = width;
    image->height = height;
    image->depth = depth;
    image->nChannels = channels;
    image->widthStep = (width * channels * ((depth & 255) / 8) + 3) / 4 * 4;
    image->imageData = calloc((size_t)height, (size_t)image->widthStep);
    live++;
    return image;
}

void cvReleaseFrame(IplFrame **image)
{
    free((*image)->imageData);
    free(*image);
    *image = NULL;
    live--;
}

double cvGetReal2D(const IplFrame *image, int row, int column)
{
    return ((const unsigned short *)(const void *)(image->imageData + row * image->widthStep))[column];
}

CvGrid *cvCreateMat(int rows, int cols, int type)
{
    CvGrid *mat = calloc(1, sizeof *mat);

    mat->type = type;
    mat->rows = rows;
    mat->cols = cols;
    mat->step = cols * CV_MAT_CN(type) * ((type & CV_MAT_DEPTH_MASK) == CV_64F ? 8 : 1);
    mat->data.ptr = calloc((size_t)rows, (size_t)mat->step);
    live++;
    return mat;
}

void cvReleaseMat(CvGrid **mat)
{
    free((*mat)->data.ptr);
    free(*mat);
    *mat = NULL;
    live--;
}

int cvLive(void)
{
    return live;
}
