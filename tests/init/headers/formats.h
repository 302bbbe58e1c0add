/* An opaque image whose format decides the dtype and the last axis, and structs with the sizes of their pixels. */
typedef struct fmt_image fmt_image;
typedef enum { FMT_FORMAT_A8, FMT_FORMAT_GRAY16, FMT_FORMAT_RGB24, FMT_FORMAT_RGB, FMT_FORMAT_ARGB32 } fmt_format;

fmt_image *fmt_image_create(fmt_format format, int width, int height);
void fmt_image_destroy(fmt_image *image);
unsigned char *fmt_image_get_data(fmt_image *image);
int fmt_image_get_width(fmt_image *image);
int fmt_image_get_height(fmt_image *image);
int fmt_image_get_stride(fmt_image *image);
fmt_format fmt_image_get_format(fmt_image *image);

typedef struct {
    unsigned char *pixels;
    int width, height, pitch, pixelSize;
} fmt_block;
int fmt_block_check(const fmt_block *block);

typedef struct {
    unsigned char *image;
    unsigned size[2];
    unsigned stride;
} fmt_frame;
int fmt_frame_check(const fmt_frame *frame);
