/* SPDX-License-Identifier: MIT */
/* Reading and writing BMP files, hostile ones among them. */
#include "image_test.h"

#include <errno.h>
#include <limits.h>

/* Pixels (top row first, red green blue): 1 2 3, 4 5 6; 7 8 9, 10 11 12. */
static const uint8_t file_24[] = {
    'B', 'M', 70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0,                                    /* file header */
    40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0, 0, 0, 0, 0, 16, 0, 0, 0,         /* info header */
    0x13, 0x0b, 0, 0, 0x13, 0x0b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                        /* ... */
    9, 8, 7, 12, 11, 10, 0, 0,                                                         /* bottom row */
    3, 2, 1, 6, 5, 4, 0, 0,                                                            /* top row */
};

/* Makes a file in `out` with the indices or samples 0, 1, 2 ... in file order, and a palette of greys. */
static size_t make_bmp(uint8_t *out, int bits, int width, int height, int colours)
{
    const int row = (width * bits / 8 + 3) / 4 * 4, rows = height < 0 ? -height : height;
    const int pixels = 54 + 4 * colours;

    memcpy(out, file_24, 54);
    out[10] = (uint8_t)pixels;
    out[11] = (uint8_t)(pixels >> 8);
    out[18] = (uint8_t)width;
    memset(out + 22, height < 0 ? 0xff : 0, 4);
    out[22] = (uint8_t)height;
    out[28] = (uint8_t)bits;
    out[46] = (uint8_t)colours;
    out[47] = (uint8_t)(colours >> 8);
    for (int i = 0; i < 4 * colours; i++) {
        out[54 + i] = i % 4 == 3 ? 0 : (uint8_t)(255 - i / 4);
    }
    for (int i = 0; i < row * rows; i++) {
        out[pixels + i] = (uint8_t)(i % row / (bits / 8) < width ? i % row + width * bits / 8 * (i / row) : 0);
    }
    return (size_t)(pixels + row * rows);
}

static image_status read_bytes(const uint8_t *bytes, size_t count, image_t **out)
{
    put_file("bytes.bmp", bytes, count);
    const image_status status = image_read(scratch("bytes.bmp"), out);
    CHECK((status == IMAGE_OK) == (*out != NULL));
    return status;
}

/* Reads a file that is refused or not, and forgets the image. */
static image_status try_bytes(const uint8_t *bytes, size_t count)
{
    image_t *image;
    const image_status status = read_bytes(bytes, count, &image);

    image_unref(image);
    return status;
}

static void test_images_with_24_bits_are_read(void)
{
    static const uint8_t expected[2][6] = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
    uint8_t bytes[sizeof file_24];
    image_t *image;

    CHECK(read_bytes(file_24, sizeof file_24, &image) == IMAGE_OK);
    CHECK(image && image->width == 2 && image->height == 2 && image->channels == 3);
    CHECK(memcmp(image_row(image, 0), expected[0], 6) == 0 && memcmp(image_row(image, 1), expected[1], 6) == 0);
    image_unref(image);

    memcpy(bytes, file_24, sizeof bytes);
    memcpy(bytes + 22, "\xfe\xff\xff\xff", 4); /* height -2: top row first */
    CHECK(read_bytes(bytes, sizeof bytes, &image) == IMAGE_OK);
    CHECK(image->height == 2);
    CHECK(memcmp(image_row(image, 1), expected[0], 6) == 0 && memcmp(image_row(image, 0), expected[1], 6) == 0);
    image_unref(image);

    uint8_t longer[sizeof file_24 + 90 + 8] = {0}; /* a version 5 header, and bytes before and after the pixels */
    memcpy(longer, file_24, 54);
    longer[10] = 54 + 90;
    longer[14] = 124;
    memcpy(longer + 54 + 90, file_24 + 54, 16);
    CHECK(read_bytes(longer, sizeof longer, &image) == IMAGE_OK);
    CHECK(image && memcmp(image_row(image, 0), expected[0], 6) == 0);
    image_unref(image);
}

static void test_images_with_32_bits_are_read(void)
{
    uint8_t bytes[100];
    const size_t count = make_bmp(bytes, 32, 2, -2, 0);
    image_t *image;

    CHECK(read_bytes(bytes, count, &image) == IMAGE_OK);
    CHECK(image && image->channels == 4);
    CHECK(memcmp(image_row(image, 0), "\2\1\0\3\6\5\4\7", 8) == 0);
    CHECK(memcmp(image_row(image, 1), "\12\11\10\13\16\15\14\17", 8) == 0);
    image_unref(image);

    bytes[54 + 3] = bytes[54 + 7] = bytes[54 + 11] = bytes[54 + 15] = 0; /* alpha not used */
    CHECK(read_bytes(bytes, count, &image) == IMAGE_OK);
    CHECK(memcmp(image_row(image, 0), "\2\1\0\377\6\5\4\377", 8) == 0);
    CHECK(memcmp(image_row(image, 1), "\12\11\10\377\16\15\14\377", 8) == 0);
    image_unref(image);

    bytes[54 + 15] = 1; /* used by the last pixel, so by all */
    CHECK(read_bytes(bytes, count, &image) == IMAGE_OK);
    CHECK(memcmp(image_row(image, 0), "\2\1\0\0\6\5\4\0", 8) == 0);
    CHECK(memcmp(image_row(image, 1), "\12\11\10\0\16\15\14\1", 8) == 0);
    image_unref(image);
}

static void test_images_with_8_bits_are_read(void)
{
    static uint8_t bytes[54 + 1024 + 100];
    image_t *image;
    size_t count = make_bmp(bytes, 8, 3, 2, 6);

    CHECK(read_bytes(bytes, count, &image) == IMAGE_OK);
    CHECK(image && image->width == 3 && image->height == 2 && image->channels == 1);
    CHECK(memcmp(image_row(image, 0), "\374\373\372", 3) == 0); /* 255 less the indices 3 4 5 */
    CHECK(memcmp(image_row(image, 1), "\377\376\375", 3) == 0);
    image_unref(image);

    memmove(bytes + 60, bytes + 54, count - 54); /* a longer header before the palette */
    bytes[10] += 6;
    bytes[14] += 6;
    CHECK(read_bytes(bytes, count + 6, &image) == IMAGE_OK);
    CHECK(image && image->channels == 1 && memcmp(image_row(image, 0), "\374\373\372", 3) == 0);
    image_unref(image);

    count = make_bmp(bytes, 8, 3, 2, 6);
    bytes[54 + 2] = 1; /* the red of colour 0: no longer a grey palette */
    CHECK(read_bytes(bytes, count, &image) == IMAGE_OK);
    CHECK(image && image->channels == 3);
    CHECK(memcmp(image_row(image, 1), "\1\377\377\376\376\376\375\375\375", 9) == 0);
    image_unref(image);

    count = make_bmp(bytes, 8, 3, 2, 6);
    bytes[54 + 4 * 5] = 1; /* the blue of colour 5 */
    CHECK(read_bytes(bytes, count, &image) == IMAGE_OK);
    CHECK(image && image->channels == 3);
    CHECK(memcmp(image_row(image, 0), "\374\374\374\373\373\373\372\372\1", 9) == 0);
    image_unref(image);

    bytes[54 + 24] = 6; /* an index beyond the palette of 6 */
    CHECK(try_bytes(bytes, count) == IMAGE_ERROR_CORRUPT);

    count = make_bmp(bytes, 8, 3, 2, 256);
    CHECK(try_bytes(bytes, count) == IMAGE_OK);
    bytes[46] = bytes[47] = 0; /* no number means 256 */
    bytes[54 + 1024] = 255;
    CHECK(read_bytes(bytes, count, &image) == IMAGE_OK);
    CHECK(image_row(image, 1)[0] == 0 && image_row(image, 1)[1] == 254);
    image_unref(image);
    bytes[10] = 0; /* pixels at 1024, within the palette */
    CHECK(try_bytes(bytes, count) == IMAGE_ERROR_CORRUPT);
}

static void test_hostile_files_are_refused(void)
{
    static const struct {
        int offset;
        uint32_t value;
        image_status status;
    } cases[] = {
        {0, 0x46464952, IMAGE_ERROR_FORMAT},      {10, 53, IMAGE_ERROR_CORRUPT},
        {10, 0, IMAGE_ERROR_CORRUPT},             {10, 55, IMAGE_ERROR_CORRUPT},
        {10, 0x7fffffff, IMAGE_ERROR_CORRUPT},    {10, 0xffffffff, IMAGE_ERROR_CORRUPT},
        {14, 12, IMAGE_ERROR_UNSUPPORTED},        {14, 39, IMAGE_ERROR_UNSUPPORTED},
        {14, 41, IMAGE_ERROR_CORRUPT},            {14, 125, IMAGE_ERROR_UNSUPPORTED},
        {14, 0xffffffff, IMAGE_ERROR_UNSUPPORTED}, {18, 0, IMAGE_ERROR_CORRUPT},
        {18, 0xffffffff, IMAGE_ERROR_CORRUPT},    {18, 0x80000000, IMAGE_ERROR_CORRUPT},
        {18, 3, IMAGE_ERROR_CORRUPT},             {18, 65535, IMAGE_ERROR_CORRUPT},
        {18, 65536, IMAGE_ERROR_UNSUPPORTED},     {18, 0x7fffffff, IMAGE_ERROR_UNSUPPORTED},
        {22, 0, IMAGE_ERROR_CORRUPT},             {22, 3, IMAGE_ERROR_CORRUPT},
        {22, 0xfffffffd, IMAGE_ERROR_CORRUPT},    {22, 65535, IMAGE_ERROR_CORRUPT},
        {22, 65536, IMAGE_ERROR_UNSUPPORTED},     {22, 0x7fffffff, IMAGE_ERROR_UNSUPPORTED},
        {22, 0x80000000, IMAGE_ERROR_UNSUPPORTED}, {22, 0xffff0000, IMAGE_ERROR_UNSUPPORTED},
        {26, 0x00100001, IMAGE_ERROR_UNSUPPORTED}, {26, 0x00000001, IMAGE_ERROR_UNSUPPORTED},
        {26, 0xffff0001, IMAGE_ERROR_UNSUPPORTED}, {26, 0x00010001, IMAGE_ERROR_UNSUPPORTED},
        {26, 0x00080001, IMAGE_ERROR_CORRUPT},    {26, 0x00200001, IMAGE_OK},
        {30, 1, IMAGE_ERROR_UNSUPPORTED},         {30, 3, IMAGE_ERROR_UNSUPPORTED},
        {46, 0xffffffff, IMAGE_OK}, /* a palette that nobody needs */
    };
    uint8_t bytes[sizeof file_24];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(bytes, file_24, sizeof bytes);
        for (int b = 0; b < 4; b++) {
            bytes[cases[i].offset + b] = (uint8_t)(cases[i].value >> 8 * b);
        }
        allocations = 0;
        const image_status status = try_bytes(bytes, sizeof bytes);
        if (status != cases[i].status) {
            printf("case %zu: %s\n", i, image_strerror(status));
        }
        CHECK(status == cases[i].status);
        CHECK(status == IMAGE_OK || allocations == 0); /* refused before memory is taken */
    }

    for (int colours = 257; colours > 0; colours *= 2) { /* as far as INT_MAX */
        memcpy(bytes, file_24, sizeof bytes);
        bytes[28] = 8;
        for (int b = 0; b < 4; b++) {
            bytes[46 + b] = (uint8_t)((uint32_t)colours >> 8 * b);
        }
        CHECK(try_bytes(bytes, sizeof bytes) == IMAGE_ERROR_CORRUPT);
        if (colours > INT_MAX / 2) {
            break;
        }
    }
}

static void test_truncated_files_are_refused(void)
{
    static const int kinds[][2] = {{8, 10}, {24, 0}, {32, 0}};
    uint8_t bytes[200];

    for (int k = 0; k < 3; k++) {
        const size_t count = make_bmp(bytes, kinds[k][0], 3, 2, kinds[k][1]);
        for (size_t length = 0; length < count; length++) {
            CHECK(try_bytes(bytes, length) == (length < 2 ? IMAGE_ERROR_FORMAT : IMAGE_ERROR_CORRUPT));
        }
        CHECK(try_bytes(bytes, count) == IMAGE_OK);
        /* Whatever one byte says, nothing breaks (the sanitizers watch). */
        for (size_t i = 0; i < count; i++) {
            static const uint8_t values[] = {0, 1, 2, 4, 0x7f, 0x80, 0xff};
            const uint8_t before = bytes[i];
            for (size_t v = 0; v < sizeof values; v++) {
                bytes[i] = values[v];
                try_bytes(bytes, count);
            }
            bytes[i] = before;
        }
    }
}

static void test_images_are_written(void)
{
    uint8_t bytes[2000], samples[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, greys[] = {200, 100};

    image_t *image = image_wrap(samples, 2, 2, 3, 6);
    CHECK(image_write(image, scratch("written.bmp")) == IMAGE_OK);
    image_unref(image);
    CHECK(get_file("written.bmp", bytes, sizeof bytes) == sizeof file_24);
    CHECK(memcmp(bytes, file_24, sizeof file_24) == 0);

    image = image_wrap(greys, 2, 1, 1, 2);
    CHECK(image_write(image, scratch("written.bmp")) == IMAGE_OK);
    image_unref(image);
    CHECK(get_file("written.bmp", bytes, sizeof bytes) == 54 + 1024 + 4);
    CHECK(bytes[2] == 0x3a && bytes[3] == 4 && bytes[10] == 0x36 && bytes[11] == 4 && bytes[28] == 8);
    CHECK(memcmp(bytes + 46, "\0\1\0\0", 4) == 0);
    for (int i = 0; i < 256; i++) {
        const uint8_t colour[] = {(uint8_t)i, (uint8_t)i, (uint8_t)i, 0};
        CHECK(memcmp(bytes + 54 + 4 * i, colour, 4) == 0);
    }
    CHECK(memcmp(bytes + 54 + 1024, "\310\144\0\0", 4) == 0);
}

static void test_a_written_image_is_read_back(void)
{
    static const int channels[] = {1, 3, 4};

    for (int c = 0; c < 3; c++) {
        for (int width = 1; width < 9; width++) {
            image_t *image = noise(width, 3, channels[c]), *back = NULL;
            CHECK(image_write(image, scratch("round.bmp")) == IMAGE_OK);
            CHECK(image_read(scratch("round.bmp"), &back) == IMAGE_OK);
            CHECK(same(image, back));
            image_unref(image);
            image_unref(back);
        }
    }
}

static void test_errors_of_files_are_reported(void)
{
    uint8_t pixel = 0;
    image_t *image = &(image_t){0}, *const before = image, *one = image_wrap(&pixel, 1, 1, 1, 1);

    errno = 0;
    CHECK(image_read(scratch("missing.bmp"), &image) == IMAGE_ERROR_OPEN && errno == ENOENT && image == NULL);
    image = before;
    CHECK(image_read(directory, &image) == IMAGE_ERROR_READ && image == NULL);
    errno = 0;
    CHECK(image_write(one, directory) == IMAGE_ERROR_OPEN && errno == EISDIR);

    FILE *full = fopen("/dev/full", "wb");
    if (full) {
        fclose(full);
        CHECK(image_write(one, "/dev/full") == IMAGE_ERROR_WRITE); /* found when the file is closed */
        image_t *large = noise(100, 100, 4);
        CHECK(image_write(large, "/dev/full") == IMAGE_ERROR_WRITE);
        image_unref(large);
    }
    image_unref(one);

    image_t *huge = image_wrap(&pixel, IMAGE_MAX_SIDE, IMAGE_MAX_SIDE, 4, 4 * IMAGE_MAX_SIDE); /* 16 GiB, if it were */
    if (huge) {
        CHECK(image_write(huge, scratch("huge.bmp")) == IMAGE_ERROR_UNSUPPORTED);
        CHECK(get_file("huge.bmp", &pixel, 1) == 0);
        image_unref(huge);
    }
}

void test_bmp_files(void)
{
    test_images_with_24_bits_are_read();
    test_images_with_32_bits_are_read();
    test_images_with_8_bits_are_read();
    test_hostile_files_are_refused();
    test_truncated_files_are_refused();
    test_images_are_written();
    test_a_written_image_is_read_back();
    test_errors_of_files_are_reported();
}
