/* In the style of OpenCV's C interface: rows with a pitch in bytes, types packed into one integer. */
#ifndef IPL_H
#define IPL_H

#define IPL_DEPTH_SIGN 0x80000000u
#define IPL_DEPTH_8U 8
#define IPL_DEPTH_16U 16
#define IPL_DEPTH_32F 32
#define IPL_DEPTH_8S ((int)(IPL_DEPTH_SIGN | 8))

typedef struct IplFrame {
    int nChannels;
    int depth;
    int origin; /* 0: top-left, 1: bottom-left */
    int width;
    int height;
    char *imageData;
    int widthStep;
} IplFrame;

#define CV_8U 0
#define CV_16U 2
#define CV_64F 6
#define CV_MAT_DEPTH_MASK 7
#define CV_MAT_CN(type) ((((type) >> 3) & 511) + 1)

typedef struct CvGrid {
    int type;
    int step;
    union {
        unsigned char *ptr;
        double *db;
    } data;
    int rows;
    int cols;
} CvGrid;

IplFrame *cvCreateFrame(int width, int height, int depth, int channels);
void cvReleaseFrame(IplFrame **image);
double cvGetReal2D(const IplFrame *image, int row, int column); /* of one channel of 16 bits */

CvGrid *cvCreateMat(int rows, int cols, int type);
void cvReleaseMat(CvGrid **mat);
int cvLive(void);

#endif
