/* SPDX-License-Identifier: MIT */
/* Tests of the image library: image_test DIRECTORY, a place for scratch files. The library is compiled with its
 * allocation functions renamed to the ones below. Exits with 1 if a check fails. */
#include "image.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int checks, failures;

#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static void check(int passed, const char *condition, int line)
{
    checks++;
    if (!passed) {
        failures++;
        printf("image_test.c:%d: failed: %s\n", line, condition);
    }
}

/* Allocation that can be made to fail. */

void *test_malloc(size_t size);
void *test_calloc(size_t count, size_t size);
void *test_aligned_alloc(size_t alignment, size_t size);

static int allocations;        /* so far */
static int failing = -1;       /* the number of the allocation that fails */

void *test_malloc(size_t size)
{
    return allocations++ == failing ? NULL : malloc(size);
}

void *test_calloc(size_t count, size_t size)
{
    return allocations++ == failing ? NULL : calloc(count, size);
}

void *test_aligned_alloc(size_t alignment, size_t size)
{
    return allocations++ == failing ? NULL : aligned_alloc(alignment, size);
}

/* Helpers */

static const char *directory;

static const char *scratch(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void put_file(const char *name, const uint8_t *bytes, size_t count)
{
    FILE *file = fopen(scratch(name), "wb");

    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
        perror(scratch(name));
        exit(2);
    }
}

static size_t get_file(const char *name, uint8_t *bytes, size_t limit)
{
    FILE *file = fopen(scratch(name), "rb");

    if (!file) {
        return 0;
    }
    const size_t count = fread(bytes, 1, limit, file);
    fclose(file);
    return count;
}

static void fill(image_t *image, unsigned seed)
{
    for (int y = 0; y < image->height; y++) {
        for (int i = 0; i < image->width * image->channels; i++) {
            seed = seed * 1103515245u + 12345u;
            image_row(image, y)[i] = (uint8_t)(seed >> 16);
        }
    }
}

static image_t *noise(int width, int height, int channels)
{
    image_t *image = image_create(width, height, channels);

    if (!image) {
        exit(2);
    }
    fill(image, (unsigned)(width + 100 * height + 10000 * channels));
    return image;
}

static int same(const image_t *a, const image_t *b)
{
    if (!a || !b || a->width != b->width || a->height != b->height || a->channels != b->channels) {
        return 0;
    }
    for (int y = 0; y < a->height; y++) {
        if (memcmp(image_row(a, y), image_row(b, y), (size_t)(a->width * a->channels)) != 0) {
            return 0;
        }
    }
    return 1;
}

/* The life of an image */

static void test_create(void)
{
    static const int channels[] = {1, 3, 4};

    for (int i = 0; i < 3; i++) {
        image_t *image = image_create(33, 5, channels[i]);
        CHECK(image != NULL);
        CHECK(image->width == 33 && image->height == 5 && image->channels == channels[i]);
        CHECK(image->pitch == (33 * channels[i] + 63) / 64 * 64);
        CHECK((uintptr_t)image->pixels % IMAGE_ALIGNMENT == 0);
        CHECK(image_row(image, 4) == image->pixels + 4 * image->pitch);
        for (int b = 0; b < 5 * image->pitch; b++) {
            CHECK(image->pixels[b] == 0);
        }
        image_unref(image);
    }
    for (int height = 1; height < 3; height++) {
        image_t *exact = image_create(64, height, 1), *over = image_create(65, height, 1);
        CHECK(exact->pitch == 64 && over->pitch == 128);
        image_unref(exact);
        image_unref(over);
    }
    image_t *widest = image_create(IMAGE_MAX_SIDE, 1, 1), *tallest = image_create(1, IMAGE_MAX_SIDE, 1);
    CHECK(widest != NULL && tallest != NULL);
    image_unref(widest);
    image_unref(tallest);

    static const int refused[][3] = {{0, 1, 1},       {1, 0, 1},       {-1, 1, 1},      {1, -1, 1},
                                     {1, 1, 0},       {1, 1, 2},       {1, 1, 5},       {1, 1, -1},
                                     {65536, 1, 1},   {1, 65536, 1},   {INT_MAX, 1, 4}, {1, INT_MAX, 1},
                                     {INT_MIN, 1, 1}, {1, 1, INT_MAX}, {1, INT_MIN, 1}, {1, 1, INT_MIN}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(image_create(refused[i][0], refused[i][1], refused[i][2]) == NULL);
    }
}

static void test_wrap(void)
{
    uint8_t bytes[3 * 8 + 6];
    memset(bytes, 7, sizeof bytes);

    image_t *image = image_wrap(bytes + 1, 2, 3, 3, 8);
    CHECK(image && image->pixels == bytes + 1 && image->pitch == 8);
    CHECK(image->width == 2 && image->height == 3 && image->channels == 3);
    CHECK(image_row(image, 2) == bytes + 17);
    image_unref(image);

    image = image_wrap(bytes + 16, 2, 3, 3, -8); /* stored bottom row first */
    CHECK(image && image->pitch == -8 && image_row(image, 2) == bytes);
    image_unref(image);

    image = image_wrap(bytes, 2, 3, 3, 6);
    CHECK(image != NULL);
    image_unref(image);

    image = image_wrap(bytes, 2, 1, 3, 0); /* the pitch of a single row says nothing */
    CHECK(image && image->pitch == 6);
    image_unref(image);

    for (size_t i = 0; i < sizeof bytes; i++) {
        CHECK(bytes[i] == 7);
    }
    CHECK(image_wrap(NULL, 2, 3, 3, 8) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 2, 8) == NULL);
    CHECK(image_wrap(bytes, 0, 3, 3, 8) == NULL);
    CHECK(image_wrap(bytes, 2, IMAGE_MAX_SIDE + 1, 3, 8) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 3, 5) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 3, -5) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 3, 0) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 3, PTRDIFF_MAX) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 3, PTRDIFF_MAX / 2) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 3, PTRDIFF_MIN) == NULL);
    CHECK(image_wrap(bytes, 2, 3, 3, PTRDIFF_MIN / 2) == NULL);
}

static void count_call(void *user)
{
    ++*(int *)user;
}

static void test_references(void)
{
    uint8_t pixel = 0;
    int released = 0;

    image_t *image = image_adopt(&pixel, 1, 1, 1, 1, count_call, &released);
    CHECK(image != NULL);
    CHECK(image_ref(image) == image);
    image_unref(image);
    CHECK(released == 0);
    image_unref(image);
    CHECK(released == 1);
    image_unref(NULL);

    CHECK(image_adopt(&pixel, 1, 1, 2, 1, count_call, &released) == NULL);
    CHECK(released == 1);
}

enum { THREADS = 4, ROUNDS = 100000 };

static void *take_and_drop(void *image)
{
    for (int i = 0; i < ROUNDS; i++) {
        image_ref(image);
        image_unref(image);
    }
    image_unref(image);
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    uint8_t pixel = 0;
    int released = 0;
    image_t *image = image_adopt(&pixel, 1, 1, 1, 1, count_call, &released);

    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, take_and_drop, image_ref(image)) != 0) {
            exit(2);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK(released == 0);
    image_unref(image);
    CHECK(released == 1);
}

static void test_copy(void)
{
    image_t *image = noise(5, 4, 3), *copy = image_copy(image);

    CHECK(same(image, copy));
    CHECK(copy->pixels != image->pixels);
    image_unref(image);
    image_unref(copy);

    uint8_t bytes[] = {1, 2, 3, 4};
    image = image_wrap(bytes + 2, 2, 2, 1, -2);
    copy = image_copy(image);
    CHECK(same(image, copy));
    CHECK(copy->pitch == 64);
    image_unref(image);
    image_unref(copy);
}

static void test_strerror(void)
{
    for (int a = IMAGE_OK; a <= IMAGE_ERROR_CORRUPT; a++) {
        CHECK(strlen(image_strerror((image_status)a)) > 5);
        for (int b = IMAGE_OK; b < a; b++) {
            CHECK(strcmp(image_strerror((image_status)a), image_strerror((image_status)b)) != 0);
        }
    }
    CHECK(strcmp(image_strerror((image_status)(IMAGE_ERROR_CORRUPT + 1)), "unknown error") == 0);
}

/* BMP files */

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

static void test_read_24(void)
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

static void test_read_32(void)
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

static void test_read_8(void)
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

static void test_hostile(void)
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

static void test_truncated(void)
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

static void test_write(void)
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

static void test_round_trip(void)
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

static void test_files(void)
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

/* Operations */

static int blurred_sample(const image_t *image, int x, int y, int channel, int radius)
{
    int sum = 0, count = 0;

    for (int v = y - radius; v <= y + radius; v++) {
        for (int u = x - radius; u <= x + radius; u++) {
            if (u >= 0 && u < image->width && v >= 0 && v < image->height) {
                sum += image_row(image, v)[u * image->channels + channel];
                count++;
            }
        }
    }
    return (2 * sum + count) / (2 * count);
}

static int is_blurred(const image_t *src, const image_t *dst, int radius)
{
    for (int y = 0; y < src->height; y++) {
        for (int x = 0; x < src->width; x++) {
            for (int c = 0; c < src->channels; c++) {
                if (image_row(dst, y)[x * src->channels + c] != blurred_sample(src, x, y, c, radius)) {
                    return 0;
                }
            }
        }
    }
    return 1;
}

static void test_blur(void)
{
    static const int shapes[][3] = {{1, 1, 1}, {9, 7, 1}, {7, 9, 3}, {5, 5, 4}, {1, 6, 3}, {6, 1, 4}};

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        image_t *src = noise(shapes[s][0], shapes[s][1], shapes[s][2]), *before = image_copy(src);
        image_t *dst = noise(shapes[s][0], shapes[s][1], shapes[s][2]);
        for (int radius = 0; radius < 12; radius++) {
            CHECK(image_blur(src, dst, radius) == IMAGE_OK);
            CHECK(is_blurred(src, dst, radius));
        }
        CHECK(same(src, before));
        CHECK(image_blur(src, dst, INT_MAX) == IMAGE_OK);
        CHECK(is_blurred(src, dst, 12));
        CHECK(image_blur(src, src, 2) == IMAGE_OK); /* in place */
        CHECK(is_blurred(before, src, 2));
        image_unref(src);
        image_unref(dst);
        image_unref(before);
    }

    /* Within a larger picture: only the pixels of `dst` change, which are a row below those of `src`, upside down. */
    image_t *canvas = noise(12, 9, 3), *before = image_copy(canvas);
    image_t *src = image_wrap(image_row(canvas, 1) + 6, 5, 6, 3, canvas->pitch);
    image_t *dst = image_wrap(image_row(canvas, 7) + 6, 5, 6, 3, -canvas->pitch);
    image_t *was = image_copy(src);
    CHECK(image_blur(src, dst, 1) == IMAGE_OK);
    CHECK(is_blurred(was, dst, 1));
    for (int y = 0; y < 9; y++) {
        for (int i = 0; i < 36; i++) {
            if (y < 2 || y > 7 || i < 6 || i >= 21) {
                CHECK(image_row(canvas, y)[i] == image_row(before, y)[i]);
            }
        }
    }
    CHECK(image_blur(src, dst, -1) == IMAGE_ERROR_ARGUMENT);
    CHECK(image_blur(src, dst, INT_MIN) == IMAGE_ERROR_ARGUMENT);
    image_unref(src);
    image_unref(dst);
    image_unref(was);
    image_unref(before);

    static const int other[][3] = {{13, 9, 3}, {12, 8, 3}, {12, 9, 4}};
    for (int i = 0; i < 3; i++) {
        image_t *wrong = image_create(other[i][0], other[i][1], other[i][2]);
        CHECK(image_blur(canvas, wrong, 1) == IMAGE_ERROR_MISMATCH);
        CHECK(image_blur(wrong, canvas, 1) == IMAGE_ERROR_MISMATCH);
        image_unref(wrong);
    }
    image_unref(canvas);
}

static void test_blur_large(void)
{
    uint8_t *white = malloc(IMAGE_MAX_SIDE), sample;
    if (!white) {
        exit(2);
    }
    memset(white, 255, IMAGE_MAX_SIDE);
    image_t *tall = image_wrap(white, 1, IMAGE_MAX_SIDE, 1, 1), *wide = image_wrap(white, IMAGE_MAX_SIDE, 1, 1, 0);
    CHECK(image_blur(tall, tall, 40000) == IMAGE_OK);
    CHECK(image_blur(wide, wide, 40000) == IMAGE_OK);
    sample = 255;
    for (int i = 0; i < IMAGE_MAX_SIDE; i++) {
        sample &= white[i];
    }
    CHECK(sample == 255);
    image_unref(tall);
    image_unref(wide);
    free(white);

    /* The total of a window goes beyond 32 bits. */
    image_t *image = image_create(5000, 4000, 1);
    if (!image) {
        exit(2);
    }
    for (int y = 0; y < 4000; y++) {
        memset(image_row(image, y), 251, 5000);
    }
    CHECK(image_blur(image, image, 5000) == IMAGE_OK);
    CHECK(image_row(image, 0)[0] == 251 && image_row(image, 3999)[4999] == 251);
    image_unref(image);
}

static void test_adjust(void)
{
    static const double parameters[][2] = {{0, 1}, {10, 1}, {-255, 1}, {255, 1}, {0, 0}, {0.4, 1.5}, {-7, 0.3}, {3, 255}};

    for (size_t p = 0; p < sizeof parameters / sizeof *parameters; p++) {
        const double brightness = parameters[p][0], contrast = parameters[p][1];
        for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
            image_t *image = noise(30, 20, channels), *before = image_copy(image);
            int right = 1;
            CHECK(image_adjust(image, brightness, contrast) == IMAGE_OK);
            for (int y = 0; y < 20; y++) {
                for (int i = 0; i < 30 * channels; i++) {
                    const uint8_t old = image_row(before, y)[i], new = image_row(image, y)[i];
                    double value = floor((old - 128) * contrast + 128 + brightness + 0.5);
                    value = value < 0 ? 0 : value > 255 ? 255 : value;
                    right = right && new == (channels == 4 && i % 4 == 3 ? old : (int)value);
                }
            }
            CHECK(right);
            image_unref(image);
            image_unref(before);
        }
    }

    static const double refused[][2] = {{-256, 1}, {256, 1}, {0, -0.1}, {0, 256}, {NAN, 1}, {0, NAN}, {INFINITY, 1},
                                        {0, INFINITY}};
    image_t *image = noise(3, 3, 3), *before = image_copy(image);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(image_adjust(image, refused[i][0], refused[i][1]) == IMAGE_ERROR_ARGUMENT);
    }
    CHECK(same(image, before));
    image_unref(image);
    image_unref(before);
}

static void test_flip(void)
{
    for (int height = 1; height < 6; height++) {
        image_t *image = noise(4, height, 3), *before = image_copy(image);
        image_flip(image);
        for (int y = 0; y < height; y++) {
            CHECK(memcmp(image_row(image, y), image_row(before, height - 1 - y), 12) == 0);
        }
        image_unref(image);
        image_unref(before);
    }
}

/* Every function, with each of its allocations failing in turn. */
static void test_out_of_memory(void)
{
    image_t *image = noise(4, 4, 3), *result;
    image_status status;

    CHECK(image_write(image, scratch("memory.bmp")) == IMAGE_OK);
    for (int which = 0; which < 3; which++) {
        for (int n = 0;; n++) {
            allocations = 0;
            failing = n;
            result = NULL;
            if (which == 0) {
                result = image_copy(image);
                status = result ? IMAGE_OK : IMAGE_ERROR_MEMORY;
            } else if (which == 1) {
                status = image_read(scratch("memory.bmp"), &result);
                CHECK((status == IMAGE_OK) == (result != NULL));
            } else {
                status = image_blur(image, image, 1);
            }
            failing = -1;
            image_unref(result);
            if (allocations <= n) { /* none was left to fail */
                CHECK(status == IMAGE_OK && n >= 2);
                break;
            }
            CHECK(status == IMAGE_ERROR_MEMORY);
        }
    }
    /* Writing: the file is not touched before the memory is there. */
    allocations = failing = 0;
    CHECK(image_write(image, scratch("untouched.bmp")) == IMAGE_ERROR_MEMORY);
    failing = -1;
    uint8_t byte;
    CHECK(get_file("untouched.bmp", &byte, 1) == 0);
    image_unref(image);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: image_test DIRECTORY\n");
        return 2;
    }
    directory = argv[1];
    if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){32, 32}) != 0) { /* so that files left open are missed soon */
        return 2;
    }
    test_create();
    test_wrap();
    test_references();
    test_threads();
    test_copy();
    test_strerror();
    test_read_24();
    test_read_32();
    test_read_8();
    test_hostile();
    test_truncated();
    test_write();
    test_round_trip();
    test_files();
    test_blur();
    test_blur_large();
    test_adjust();
    test_flip();
    test_out_of_memory();
    printf("%d checks, %d failed\n", checks, failures);
    return failures != 0;
}
