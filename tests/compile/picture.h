/* The library that the specs in this folder get wrong: a public struct with members of all kinds, an opaque type with accessors. */
#ifndef PICTURE_H_
#define PICTURE_H_

#include <stddef.h>
#include <stdint.h>

typedef enum picture_format { PICTURE_GRAY, PICTURE_RGB, PICTURE_RGBA } picture_format;
typedef enum picture_place { PICTURE_HOST, PICTURE_GPU } picture_place;

typedef struct picture_size {
    int rows, columns;
} picture_size;

typedef struct picture_axis {
    int64_t extent;
    ptrdiff_t step;
    const char *unit;
} picture_axis;

typedef struct picture {
    uint8_t *pixels;
    const uint16_t *palette;
    uint8_t **lines;
    const char *name;
    picture_size size;
    unsigned pitch;
    unsigned channels : 3;
    unsigned locked : 1;
    uint8_t depth;
    double gamma;
    float gain[4];
    double matrix[3][3];
    volatile double *levels;
    double _Complex *spectrum;
    int *counts;
    struct picture_layer **layers;
    picture_format format;
    picture_place place;
    int device;
    int64_t dims[4];
    ptrdiff_t steps[4];
    picture_axis axis[3];
} picture_t;

/* C can initialise these members, but not assign them. */
typedef struct picture_view {
    uint8_t *pixels;
    const int rows, columns;
    const unsigned channels : 3;
} picture_view_t;

picture_t *picture_create(int rows, int columns);
picture_t *picture_wrap(void *pixels, int rows, int columns, ptrdiff_t pitch);
picture_t *picture_adopt(void *pixels, int rows, int columns, void (*done)(void *pixels, void *user), void *user);
int picture_init(picture_t *picture, void *pixels, int rows, int columns);
int picture_attach(picture_t *picture, void *user, void (*done)(void *user));
picture_t *picture_copy(const picture_t *picture);
void picture_ref(picture_t *picture);
void picture_free(picture_t *picture);
int picture_lock(picture_t *picture);
void picture_unlock(picture_t *picture);
void picture_touch(picture_t *picture);
int picture_wait(picture_t *picture, void *stream);
int picture_download(picture_t *picture, void *to, size_t bytes);
const char *picture_strerror(int code);
int picture_pages(const picture_t *picture);
double picture_total(const picture_size *sizes, int count);
void picture_outline(const double *x, int count, picture_size *sizes);
typedef int wide_t;
void picture_wide(const wide_t *what);
const wide_t *const *picture_names(int *count);
int picture_area(picture_size size);
const picture_size *picture_sizes(int *count);
typedef double level_t;
typedef struct picture_color {
    double red, green, blue;
} picture_color;
picture_color picture_mean(const double *x, int n);
typedef uint32_t picture_rune;
int picture_draw(picture_rune rune);
picture_rune picture_shown(int at);
void picture_last(picture_rune *rune);
double picture_measure(const level_t *levels, size_t count);
int picture_encode(picture_format format, uint8_t quality);

typedef struct scan scan_t;
typedef struct roll *roll_t;
roll_t roll_open(void);
void roll_close(roll_t roll);

scan_t *scan_open(const char *path);
void scan_close(scan_t *scan);
uint8_t *scan_pixels(scan_t *scan);
int scan_rows(const scan_t *scan);
int scan_columns(const scan_t *scan);
unsigned scan_pitch(const scan_t *scan);
double scan_resolution(const scan_t *scan);
const char *scan_kind(const scan_t *scan);
picture_size scan_size(const scan_t *scan);
int scan_get_size(const scan_t *scan, int *rows, int *columns);

#endif
