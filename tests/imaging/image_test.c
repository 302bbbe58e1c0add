/* SPDX-License-Identifier: MIT */
/* Tests of the image library: image_test DIRECTORY, a place for scratch files. Exits with 1 if a check fails. */
#include "image_test.h"

#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>

static int checks, failures;

void check(int passed, const char *condition, const char *file, int line)
{
    checks++;
    if (!passed) {
        failures++;
        printf("%s:%d: failed: %s\n", file, line, condition);
    }
}

int allocations;
int failing = -1;

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

const char *directory;

const char *scratch(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

void put_file(const char *name, const uint8_t *bytes, size_t count)
{
    FILE *file = fopen(scratch(name), "wb");

    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
        perror(scratch(name));
        exit(2);
    }
}

size_t get_file(const char *name, uint8_t *bytes, size_t limit)
{
    FILE *file = fopen(scratch(name), "rb");

    if (!file) {
        return 0;
    }
    const size_t count = fread(bytes, 1, limit, file);
    fclose(file);
    return count;
}

void fill(image_t *image, unsigned seed)
{
    for (int y = 0; y < image->height; y++) {
        for (int i = 0; i < image->width * image->channels; i++) {
            seed = seed * 1103515245u + 12345u;
            image_row(image, y)[i] = (uint8_t)(seed >> 16);
        }
    }
}

image_t *noise(int width, int height, int channels)
{
    image_t *image = image_create(width, height, channels);

    if (!image) {
        exit(2);
    }
    fill(image, (unsigned)(width + 100 * height + 10000 * channels));
    return image;
}

int same(const image_t *a, const image_t *b)
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

static void test_a_new_image_has_aligned_rows(void)
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

static void test_an_image_can_wrap_memory(void)
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

static void test_the_last_reference_releases_the_memory(void)
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

static void test_threads_can_share_an_image(void)
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

static void test_a_copy_has_memory_of_its_own(void)
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

static void test_each_status_has_a_message(void)
{
    for (int a = IMAGE_OK; a <= IMAGE_ERROR_CORRUPT; a++) {
        CHECK(strlen(image_strerror((image_status)a)) > 5);
        for (int b = IMAGE_OK; b < a; b++) {
            CHECK(strcmp(image_strerror((image_status)a), image_strerror((image_status)b)) != 0);
        }
    }
    CHECK(strcmp(image_strerror((image_status)(IMAGE_ERROR_CORRUPT + 1)), "unknown error") == 0);
}

/* Every function, with each of its allocations failing in turn. */
static void test_a_failing_allocation_is_reported(void)
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
    test_a_new_image_has_aligned_rows();
    test_an_image_can_wrap_memory();
    test_the_last_reference_releases_the_memory();
    test_threads_can_share_an_image();
    test_a_copy_has_memory_of_its_own();
    test_each_status_has_a_message();
    test_bmp_files();
    test_operations();
    test_a_failing_allocation_is_reported();
    printf("%d checks, %d failed\n", checks, failures);
    return failures != 0;
}
