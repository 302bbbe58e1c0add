/* SPDX-License-Identifier: MIT */
/* Reads and writes BMP files. They have little-endian headers, then rows of blue, green, red (and alpha). Each row is
 * padded to a multiple of four bytes. Usually the bottom row comes first. */
#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_HEADER = 14,
    INFO_HEADER = 40,     /* BITMAPINFOHEADER; later headers begin in the same way */
    INFO_HEADER_V5 = 124, /* the longest of them */
    HEADERS = FILE_HEADER + INFO_HEADER,
    PALETTE = 256 * 4
};

/* The checked content of the headers of a file. */
struct layout {
    int width, height, channels, top_down;
    int bytes;                /* per pixel in the file */
    size_t row_size;          /* bytes per row in the file, with padding */
    long pixels;              /* offset of the first row in the file */
    uint32_t colours;         /* entries in the palette, 0 without one */
    uint8_t palette[PALETTE]; /* blue, green, red and an unused byte for each entry */
};

static uint32_t get16(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get32(const uint8_t *p)
{
    return get16(p) | get16(p + 2) << 16;
}

static int64_t get_signed32(const uint8_t *p)
{
    const int64_t value = get32(p);

    return value <= INT32_MAX ? value : value - ((int64_t)1 << 32);
}

static void put32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> 8 * i);
    }
}

static size_t padded_row(int width, int bytes)
{
    return ((size_t)width * (size_t)bytes + 3) / 4 * 4;
}

static image_status read_at(FILE *file, long offset, uint8_t *bytes, size_t count)
{
    if (fseek(file, offset, SEEK_SET) == 0 && fread(bytes, 1, count, file) == count) {
        return IMAGE_OK;
    }
    return feof(file) ? IMAGE_ERROR_CORRUPT : IMAGE_ERROR_READ;
}

static image_status read_layout(FILE *file, struct layout *layout)
{
    uint8_t header[HEADERS] = {0};
    image_status status = read_at(file, 0, header, sizeof header);

    if (status != IMAGE_ERROR_READ && memcmp(header, "BM", 2) != 0) {
        status = IMAGE_ERROR_FORMAT;
    }
    if (status != IMAGE_OK) {
        return status;
    }
    const uint32_t pixels = get32(header + 10), info_size = get32(header + 14);
    const int64_t width = get_signed32(header + 18), height = get_signed32(header + 22);
    const uint32_t bits = get16(header + 28), compression = get32(header + 30), colours = get32(header + 46);

    if (info_size < INFO_HEADER || info_size > INFO_HEADER_V5 || compression != 0 ||
        (bits != 8 && bits != 24 && bits != 32)) {
        return IMAGE_ERROR_UNSUPPORTED;
    }
    if (width <= 0 || height == 0 || (bits == 8 && colours > 256)) {
        return IMAGE_ERROR_CORRUPT;
    }
    if (width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE || height < -IMAGE_MAX_SIDE) {
        return IMAGE_ERROR_UNSUPPORTED;
    }
    layout->width = (int)width;
    layout->height = (int)(height < 0 ? -height : height);
    layout->top_down = height < 0;
    layout->bytes = (int)bits / 8;
    layout->row_size = padded_row(layout->width, layout->bytes);
    layout->colours = bits != 8 ? 0 : colours ? colours : 256;

    const uint64_t end = pixels + (uint64_t)layout->row_size * (uint64_t)layout->height;
    const long file_size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (file_size < 0) {
        return IMAGE_ERROR_READ;
    }
    if (pixels < FILE_HEADER + info_size + 4 * layout->colours || end > (uint64_t)file_size) {
        return IMAGE_ERROR_CORRUPT;
    }
    layout->pixels = (long)pixels;

    status = read_at(file, (long)(FILE_HEADER + info_size), layout->palette, 4 * layout->colours);
    layout->channels = bits == 8 ? 1 : layout->bytes;
    for (uint32_t i = 0; status == IMAGE_OK && i < layout->colours; i++) {
        const uint8_t *colour = layout->palette + 4 * i;
        if (colour[0] != colour[1] || colour[1] != colour[2]) {
            layout->channels = 3;
        }
    }
    return status;
}

/* Converts one row of the file to samples. Returns 0 if an index is outside of the palette, else 1. */
static int decode_row(const struct layout *layout, const uint8_t *in, uint8_t *out)
{
    for (int x = 0; x < layout->width; x++, in += layout->bytes, out += layout->channels) {
        if (layout->bytes == 1 && *in >= layout->colours) {
            return 0;
        }
        const uint8_t *colour = layout->bytes == 1 ? layout->palette + 4 * *in : in;
        if (layout->channels == 1) {
            out[0] = colour[0];
            continue;
        }
        out[0] = colour[2];
        out[1] = colour[1];
        out[2] = colour[0];
        if (layout->channels == 4) {
            out[3] = colour[3];
        }
    }
    return 1;
}

static image_status read_rows(FILE *file, const struct layout *layout, image_t *image, uint8_t *buffer)
{
    if (fseek(file, layout->pixels, SEEK_SET) != 0) {
        return IMAGE_ERROR_READ;
    }
    for (int i = 0; i < layout->height; i++) {
        const int y = layout->top_down ? i : layout->height - 1 - i;
        if (fread(buffer, 1, layout->row_size, file) != layout->row_size) {
            return feof(file) ? IMAGE_ERROR_CORRUPT : IMAGE_ERROR_READ;
        }
        if (!decode_row(layout, buffer, image_row(image, y))) {
            return IMAGE_ERROR_CORRUPT;
        }
    }
    return IMAGE_OK;
}

/* Makes the image opaque if its alpha is 0 everywhere: then the writer of the file did not use the alpha byte. */
static void repair_alpha(image_t *image)
{
    for (int y = 0; y < image->height; y++) {
        for (int x = 3; x < 4 * image->width; x += 4) {
            if (image_row(image, y)[x] != 0) {
                return;
            }
        }
    }
    for (int y = 0; y < image->height; y++) {
        for (int x = 3; x < 4 * image->width; x += 4) {
            image_row(image, y)[x] = 255;
        }
    }
}

image_status image_read(const char *path, image_t **out)
{
    struct layout layout;

    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file) {
        return IMAGE_ERROR_OPEN;
    }
    image_status status = read_layout(file, &layout);
    if (status == IMAGE_OK) {
        image_t *image = image_create(layout.width, layout.height, layout.channels);
        uint8_t *buffer = malloc(layout.row_size);
        status = image && buffer ? read_rows(file, &layout, image, buffer) : IMAGE_ERROR_MEMORY;
        free(buffer);
        if (status != IMAGE_OK) {
            image_unref(image);
        } else {
            if (layout.channels == 4) {
                repair_alpha(image);
            }
            *out = image;
        }
    }
    fclose(file);
    return status;
}

static int write_rows(FILE *file, const image_t *image, uint8_t *buffer, size_t row_size)
{
    const int channels = image->channels;

    for (int y = image->height - 1; y >= 0; y--) {
        const uint8_t *in = image_row(image, y);
        for (int i = 0; i < image->width * channels; i++) {
            const int channel = i % channels;
            buffer[i] = in[channels == 1 || channel == 3 ? i : i + 2 - 2 * channel];
        }
        if (fwrite(buffer, 1, row_size, file) != row_size) {
            return 0;
        }
    }
    return 1;
}

image_status image_write(const image_t *image, const char *path)
{
    const size_t row_size = padded_row(image->width, image->channels);
    const uint32_t colours = image->channels == 1 ? 256 : 0, headers = HEADERS + 4 * colours;
    const uint64_t size = headers + (uint64_t)row_size * (uint64_t)image->height;

    if (size > UINT32_MAX) {
        return IMAGE_ERROR_UNSUPPORTED;
    }
    uint8_t header[HEADERS + PALETTE] = {'B', 'M'};
    put32(header + 2, (uint32_t)size);
    put32(header + 10, headers);
    put32(header + 14, INFO_HEADER);
    put32(header + 18, (uint32_t)image->width);
    put32(header + 22, (uint32_t)image->height);
    header[26] = 1; /* planes */
    header[28] = (uint8_t)(8 * image->channels);
    put32(header + 34, (uint32_t)(size - headers));
    put32(header + 38, 2835); /* pixels in a metre: 72 in an inch */
    put32(header + 42, 2835);
    put32(header + 46, colours);
    for (uint32_t i = 0; i < colours; i++) {
        put32(header + HEADERS + 4 * i, i * 0x010101);
    }
    uint8_t *buffer = calloc(row_size, 1); /* zeros, for the padding in the file */
    if (!buffer) {
        return IMAGE_ERROR_MEMORY;
    }
    FILE *file = fopen(path, "wb");
    if (!file) {
        free(buffer);
        return IMAGE_ERROR_OPEN;
    }
    int written = fwrite(header, 1, headers, file) == headers && write_rows(file, image, buffer, row_size);
    written = fclose(file) == 0 && written;
    free(buffer);
    return written ? IMAGE_OK : IMAGE_ERROR_WRITE;
}
