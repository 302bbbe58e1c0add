/* Images whose formats decide the dtype and the last axis: planes, bits of channels, an enum by name or by comment. */
#include <stdint.h>

typedef enum {
    PXL_FMT_NONE,
    PXL_FMT_I420, /**< planar */
    PXL_FMT_GRAY8,
    PXL_FMT_RGB24, /**< packed RGB, 24 bpp */
    PXL_FMT_RGB8   /**< packed RGB 3:3:2, 8 bpp */
} pxl_fmt;

typedef struct {
    pxl_fmt fmt;
    unsigned w, h;
    unsigned d_w; /* displayed width */
    unsigned d_h; /* displayed height */
    unsigned char *planes[4];
    int stride[4];
    int channels;
    unsigned char *buffer; /* private */
} pxl_frame;
int pxl_frame_check(const pxl_frame *frame);

typedef enum { PXL_a8, PXL_a8r8g8b8, PXL_r5g6b5, PXL_r8g8b8, PXL_a8r8g8b8_sRGB, PXL_yuy2 } pxl_code;
typedef struct pxl_image pxl_image;
void pxl_image_free(pxl_image *image);
uint32_t *pxl_image_get_data(pxl_image *image);
int pxl_image_get_width(pxl_image *image);
int pxl_image_get_height(pxl_image *image);
int pxl_image_get_depth(pxl_image *image);
int pxl_image_get_stride(pxl_image *image);
pxl_code pxl_image_get_format(pxl_image *image);

typedef enum { PXL_PIXEL_MODE_NONE, PXL_PIXEL_MODE_MONO, PXL_PIXEL_MODE_GRAY, PXL_PIXEL_MODE_BGRA } Pxl_Pixel_Mode;
typedef struct {
    unsigned rows, width;
    int pitch;
    unsigned char *buffer;
    unsigned char pixel_mode;
} pxl_glyph;
int pxl_glyph_check(const pxl_glyph *glyph);

typedef struct {
    int width, height;
    int format; /* values correspond to pxl_code */
    char *data;
    int depth, bytes_per_line, bits_per_pixel;
} pxl_picture;
int pxl_picture_check(const pxl_picture *picture);

typedef struct {
    int width, height, depth;
    char *data;
    int bytes_per_line, bits_per_pixel;
} pxl_screen;
int pxl_screen_check(const pxl_screen *screen);

typedef struct {
    int width, height, bitsPerPixel, bytesPerPixel, rowBytes;
    unsigned char *pixels;
} pxl_scan;
int pxl_scan_check(const pxl_scan *scan);
