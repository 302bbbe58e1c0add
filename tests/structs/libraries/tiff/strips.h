/* libtiff itself; here only what makes files to read, and a buffer for one strip. */
#ifndef STRIPS_H
#define STRIPS_H

#include <tiffio.h>

/* A file of `height` rows in strips of four; the byte at (row, column) is row + column, whatever the samples are. */
int strips_write(const char *path, int width, int height, int samples, int bits, int format, int planar);
TIFF *strips_open(const char *path);
void strips_cut(const char *path, int bytes); /* the file ends there */
void *strips_read(TIFF *tiff, uint32_t strip);
void strips_forget(void *buffer);
uint32_t strips_rows(TIFF *tiff, uint32_t strip);
void strips_close(TIFF *tiff);
const char *strips_error(void);
int strips_buffers(void);
int strips_files(void);

#endif
