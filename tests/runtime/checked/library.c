/* SPDX-License-Identifier: MIT */
/* A library under test: functions that allocate, and functions that fail. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define KEEP(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")

int library_read(const char *at, long offset);
void library_write(char *at, long offset);
void library_copy(char *to, const char *from, size_t size);
size_t library_length(const char *string);
void *library_malloc(size_t size);
void *library_aligned(size_t alignment, size_t size);
char *library_strdup(const char *string);
void *library_realloc(void *block, size_t size);
void library_free(void *block);
size_t library_usable(void *block);
int library_recurse(int depth);
int library_divide(int a, int b);
void library_trap(void);
void library_abort(void);
int library_read_file(int file);
int library_run_thread(int (*call)(int), int value);
void *library_read_only(void);
int library_family(void);
int library_most(int count);
int library_threads(int threads, int steps);
void library_leak(int count, size_t size);
void library_leak_hidden(int count, size_t size);
void library_list(int count);
void library_lose_list(void);
double library_pair(int count, size_t size);
int library_print(int count);

int library_read(const char *at, long offset)
{
    return *(const volatile char *)(at + offset);
}

/* A static function has no name for the loader: the report names its caller. */
static __attribute__((noinline)) void write_byte(char *at, long offset)
{
    *(volatile char *)(at + offset) = 1;
}

void library_write(char *at, long offset)
{
    write_byte(at, offset);
    KEEP(at);
}

void library_copy(char *to, const char *from, size_t size)
{
    memcpy(to, from, size);
    KEEP(to);
}

size_t library_length(const char *string)
{
    size_t length = strlen(string);

    KEEP(length);
    return length;
}

void *library_malloc(size_t size)
{
    void *block = malloc(size);

    KEEP(block);
    return block;
}

void *library_aligned(size_t alignment, size_t size)
{
    void *block = aligned_alloc(alignment, size);

    KEEP(block);
    return block;
}

char *library_strdup(const char *string)
{
    char *copy = strdup(string);

    KEEP(copy);
    return copy;
}

void *library_realloc(void *block, size_t size)
{
    block = realloc(block, size);
    KEEP(block);
    return block;
}

void library_free(void *block)
{
    free(block);
    KEEP(block);
}

size_t library_usable(void *block)
{
    return malloc_usable_size(block);
}

int library_recurse(int depth)
{
    volatile char frame[4096];

    frame[depth & 4095] = 1;
    return depth < 0 ? 0 : library_recurse(depth + 1) + frame[0];
}

int library_divide(int a, int b)
{
    volatile int divisor = b;

    return a / divisor;
}

void library_trap(void)
{
    __builtin_trap();
}

void library_abort(void)
{
    volatile int again = 1;

    if (again) {
        abort();
    }
}

/* Reads memory of a file that has no such bytes. */
int library_read_file(int file)
{
    const char *const at = mmap(NULL, 1 << 16, PROT_READ, MAP_SHARED, file, 0);

    return at == MAP_FAILED ? -1 : ((const volatile char *)at)[1 << 15];
}

typedef struct task {
    int (*call)(int);
    int value;
} task;

static void *run_task(void *task_)
{
    task *const own = task_;
    void *block = malloc(1);

    KEEP(block);
    free(block);
    own->value = own->call(own->value);
    return NULL;
}

int library_run_thread(int (*call)(int), int value)
{
    pthread_t thread;
    task own = {call, value};

    if (pthread_create(&thread, NULL, run_task, &own) != 0) {
        return -1;
    }
    (void)pthread_join(thread, NULL);
    return own.value;
}

void *library_read_only(void)
{
    static const int value = 5;

    return (void *)(uintptr_t)&value;
}

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                              \
            failed++;                                                                                                  \
        }                                                                                                              \
    } while (0)

static int is_aligned(const void *block, size_t alignment)
{
    return (uintptr_t)block % alignment == 0;
}

/* Tries the rules of the C standard, POSIX and glibc. Returns how many do not hold. */
int library_family(void)
{
    volatile size_t huge = SIZE_MAX / 2;
    int failed = 0;
    char *block, *other;
    void *out = NULL;

    for (size_t size = 0; size < 9000; size += size < 70 ? 1 : 611) {
        block = malloc(size);
        REQUIRE(block != NULL && is_aligned(block, 16) && malloc_usable_size(block) == size);
        memset(block, 1, size);
        block = realloc(block, size + 5);
        REQUIRE(is_aligned(block, 16) && malloc_usable_size(block) == size + 5);
        for (size_t i = 0; i < size; i++) {
            REQUIRE(block[i] == 1);
        }
        block = realloc(block, size / 2 + 1);
        for (size_t i = 0; i < size / 2; i++) {
            REQUIRE(block[i] == 1);
        }
        free(block);
        block = calloc(size, 3);
        REQUIRE(malloc_usable_size(block) == size * 3);
        for (size_t i = 0; i < size * 3; i++) {
            REQUIRE(block[i] == 0);
        }
        free(block);
        for (size_t alignment = 8; alignment <= 65536; alignment *= 2) {
            block = aligned_alloc(alignment, size);
            REQUIRE(block != NULL && is_aligned(block, alignment));
            memset(block, 2, size);
            other = memalign(alignment, size);
            REQUIRE(other != NULL && other != block && is_aligned(other, alignment));
            free(other);
            REQUIRE(posix_memalign(&out, alignment, size) == 0 && is_aligned(out, alignment));
            free(out);
            free(block);
        }
    }
    block = malloc(0);
    other = malloc(0);
    REQUIRE(block != NULL && other != NULL && block != other);
    free(other);
    REQUIRE(realloc(block, 0) == NULL); /* glibc frees it */
    block = realloc(NULL, 10);
    REQUIRE(block != NULL && malloc_usable_size(block) == 10);
    block = reallocarray(block, 10, 3);
    REQUIRE(malloc_usable_size(block) == 30);
    errno = 0;
    REQUIRE(reallocarray(block, huge, 3) == NULL && errno == ENOMEM);
    memset(block, 3, 30);
    free(block);
    errno = 0;
    REQUIRE(malloc(huge) == NULL && errno == ENOMEM);
    errno = 0;
    REQUIRE(calloc(huge, 3) == NULL && errno == ENOMEM);
    errno = 0;
    REQUIRE(aligned_alloc(64, huge) == NULL && errno == ENOMEM);
    errno = 7;
    out = &failed;
    REQUIRE(posix_memalign(&out, 24, 8) == EINVAL && posix_memalign(&out, 2, 8) == EINVAL && out == &failed);
    REQUIRE(posix_memalign(&out, 64, huge) == ENOMEM && out == &failed && errno == 7);
    block = malloc(100);
    errno = 7;
    free(block);
    free(NULL);
    REQUIRE(errno == 7);
    block = valloc(10);
    REQUIRE(is_aligned(block, (size_t)sysconf(_SC_PAGESIZE)));
    free(block);
    block = malloc((size_t)100 << 20); /* one of the C library */
    REQUIRE(block != NULL && malloc_usable_size(block) >= (size_t)100 << 20);
    block = realloc(block, 10);
    REQUIRE(block != NULL);
    free(block);
    block = strndup("abcdef", 3);
    REQUIRE(strcmp(block, "abc") == 0 && malloc_usable_size(block) == 4);
    block = realloc(block, (size_t)80 << 20);
    REQUIRE(strcmp(block, "abc") == 0);
    free(block);
    REQUIRE(malloc_usable_size(NULL) == 0);
    REQUIRE(asprintf(&block, "%d", 12345) == 5); /* allocated by the C library */
    free(block);
    return failed;
}

/* Allocates many blocks. Returns how many have an exact size. */
int library_most(int count)
{
    char **const blocks = calloc((size_t)count, sizeof *blocks);
    int exact = 0;

    for (int i = 0; i < count; i++) {
        blocks[i] = malloc(10);
        exact += malloc_usable_size(blocks[i]) == 10;
    }
    for (int i = 0; i < count; i++) {
        free(blocks[i]);
    }
    free(blocks);
    return exact;
}

enum { HELD = 32 };
static int steps_of_threads, wrong;

static void *allocate_often(void *seed)
{
    unsigned state = (unsigned)(uintptr_t)seed;
    unsigned char *blocks[HELD] = {NULL};
    size_t sizes[HELD] = {0};

    for (int i = 0; i < steps_of_threads; i++) {
        const unsigned at = (state = state * 1103515245u + 12345u) / 65536 % HELD;

        for (size_t k = 0; k < sizes[at]; k++) {
            wrong += blocks[at][k] != (unsigned char)at;
        }
        sizes[at] = state / 256 % 300;
        if (state % 3 == 0) {
            blocks[at] = realloc(blocks[at], sizes[at] + 1);
        } else {
            free(blocks[at]);
            blocks[at] = malloc(sizes[at] + 1);
        }
        memset(blocks[at], (int)at, sizes[at]);
    }
    for (int i = 0; i < HELD; i++) {
        free(blocks[i]);
    }
    return NULL;
}

/* Returns how many bytes lost their value. */
int library_threads(int threads, int steps)
{
    pthread_t ids[16];

    steps_of_threads = steps;
    for (int i = 0; i < threads; i++) {
        (void)pthread_create(&ids[i], NULL, allocate_often, (void *)(uintptr_t)(i + 1));
    }
    for (int i = 0; i < threads; i++) {
        (void)pthread_join(ids[i], NULL);
    }
    return wrong;
}

static __attribute__((noinline)) void clear_stack(void)
{
    volatile char below[4096];

    memset((char *)(uintptr_t)below, 0, sizeof below);
}

void library_leak(int count, size_t size)
{
    for (int i = 0; i < count; i++) {
        void *block = malloc(size);

        KEEP(block);
        block = NULL;
        KEEP(block);
    }
    clear_stack();
}

/* Calls malloc() in a static function. */
static __attribute__((noinline)) void *allocate_hidden(size_t size)
{
    void *block = malloc(size);

    KEEP(block);
    return block;
}

void library_leak_hidden(int count, size_t size)
{
    for (int i = 0; i < count; i++) {
        void *block = allocate_hidden(size);

        KEEP(block);
        block = NULL;
        KEEP(block);
    }
    clear_stack();
}

typedef struct node {
    struct node *next;
} node;
static node *list;

/* Leads to blocks through blocks. */
void library_list(int count)
{
    for (int i = 0; i < count; i++) {
        node *const next = malloc(sizeof *next);

        next->next = list;
        list = next;
    }
}

void library_lose_list(void)
{
    list = NULL;
    clear_stack();
}

/* Returns how many microseconds a malloc() and a free() take. */
double library_pair(int count, size_t size)
{
    struct timespec begin, end;

    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < count; i++) {
        void *block = malloc(size);

        KEEP(block);
        free(block);
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    return ((double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3) / count;
}

static void fill(volatile char *out, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = '-';
    }
}

/* Has an array on the stack, as a wrapper with an output of fixed size has. */
int library_print(int count)
{
    volatile char out[8];

    fill(out, count);
    return out[0];
}
