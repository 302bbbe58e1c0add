/* OpenCV's C structs with all their fields: images with a region of interest, upside down or not, matrices that are counted. */
#ifndef CXTYPES_H
#define CXTYPES_H

#define IPL_ORIGIN_TL 0
#define IPL_ORIGIN_BL 1
#define IPL_DEPTH_8U 8
#define IPL_DEPTH_16U 16
#define IPL_DEPTH_32F 32
#define IPL_DEPTH_64F 64
#define IPL_DATA_ORDER_PIXEL 0

typedef struct _IplROI {
    int coi; /* 0: all channels */
    int xOffset, yOffset;
    int width, height;
} IplROI;

typedef struct _IplImage {
    int nSize;
    int ID;
    int nChannels;
    int alphaChannel;
    int depth;
    char colorModel[4];
    char channelSeq[4];
    int dataOrder;
    int origin;
    int align;
    int width;
    int height;
    struct _IplROI *roi;
    struct _IplImage *maskROI;
    void *imageId;
    void *tileInfo;
    int imageSize;
    char *imageData;
    int widthStep;
    int BorderMode[4];
    int BorderConst[4];
    char *imageDataOrigin;
} IplImage;

#define CV_8U 0
#define CV_32S 4
#define CV_64F 6
#define CV_MAKETYPE(depth, cn) ((depth) + (((cn) - 1) << 3))
#define CV_MAT_TYPE(flags) ((flags) & 0xfff)

typedef struct CvMat {
    int type;
    int step;
    int *refcount;
    int hdr_refcount;
    union {
        unsigned char *ptr;
        double *db;
    } data;
    int rows;
    int cols;
} CvMat;

IplImage *cv_image(int width, int height, int depth, int channels, int origin);
void cv_set_roi(IplImage *image, int x, int y, int width, int height, int coi);
void cvReleaseImage(IplImage **image);
CvMat cvMat(int rows, int cols, int type, void *data);
CvMat cv_create(int rows, int cols, int type);
void cvReleaseData(CvMat mat);
int cv_references(CvMat mat);
int cv_live(void);

#endif
