#include "strips.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int buffers;
static int files;
static char message[200];

static void keep_message(const char *module, const char *format, va_list values)
{
    (void)module;
    vsnprintf(message, sizeof message, format, values);
}

int strips_write(const char *path, int width, int height, int samples, int bits, int format, int planar)
{
    TIFF *tiff = TIFFOpen(path, "w");
    const int planes = planar == PLANARCONFIG_SEPARATE ? samples : 1;
    int done = 0;

    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, planar);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 4);
    for (int plane = 0; plane < planes; plane++) {
        for (int row = 0; row < height; row++) {
            const tmsize_t bytes = TIFFScanlineSize(tiff);
            unsigned char *line = malloc((size_t)bytes);

            for (tmsize_t i = 0; i < bytes; i++) {
                line[i] = (unsigned char)(row + i + 100 * plane);
            }
            done += TIFFWriteScanline(tiff, line, (uint32_t)row, (uint16_t)plane);
            free(line);
        }
    }
    TIFFClose(tiff);
    return done == planes * height;
}

TIFF *strips_open(const char *path)
{
    TIFF *tiff;

    TIFFSetErrorHandler(keep_message);
    TIFFSetWarningHandler(NULL);
    tiff = TIFFOpen(path, "rm"); /* not mapped: files are cut in the tests */
    files += tiff != NULL;
    return tiff;
}

void strips_cut(const char *path, int bytes)
{
    char *kept = malloc((size_t)bytes);
    FILE *file = fopen(path, "rb");
    const size_t size = fread(kept, 1, (size_t)bytes, file);

    fclose(file);
    file = fopen(path, "wb");
    fwrite(kept, 1, size, file);
    fclose(file);
    free(kept);
}

void *strips_read(TIFF *tiff, uint32_t strip)
{
    void *buffer = malloc((size_t)TIFFStripSize(tiff));

    if (TIFFReadEncodedStrip(tiff, strip, buffer, -1) < 0) {
        free(buffer);
        return NULL;
    }
    buffers++;
    return buffer;
}

void strips_forget(void *buffer)
{
    free(buffer);
    buffers--;
}

uint32_t strips_rows(TIFF *tiff, uint32_t strip)
{
    uint32_t height = 0;
    uint32_t rows = 0;

    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    strip %= (height + rows - 1) / rows;
    return (strip + 1) * rows > height ? height - strip * rows : rows;
}

void strips_close(TIFF *tiff)
{
    TIFFClose(tiff);
    files--;
}

const char *strips_error(void)
{
    return message;
}

int strips_buffers(void)
{
    return buffers;
}

int strips_files(void)
{
    return files;
}
