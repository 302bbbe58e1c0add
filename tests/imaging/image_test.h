/* SPDX-License-Identifier: MIT */
/* What the tests of the image library share. Each group of tests is one function, called by main(). */
#ifndef IMAGE_TEST_H_
#define IMAGE_TEST_H_

#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
void check(int passed, const char *condition, const char *file, int line);

/* The library is compiled with its allocation functions renamed to these, which can be made to fail. */
void *test_malloc(size_t size);
void *test_calloc(size_t count, size_t size);
void *test_aligned_alloc(size_t alignment, size_t size);

extern int allocations; /* so far */
extern int failing;     /* the number of the allocation that fails; -1: none */

/* Where scratch files go. */
extern const char *directory;
/* The path of a scratch file, valid until the next call. */
const char *scratch(const char *name);
void put_file(const char *name, const uint8_t *bytes, size_t count);
size_t get_file(const char *name, uint8_t *bytes, size_t limit);

/* Images of pseudo-random samples, and whether two images show the same. */
void fill(image_t *image, unsigned seed);
image_t *noise(int width, int height, int channels);
int same(const image_t *a, const image_t *b);

void test_bmp_files(void);
void test_operations(void);

#endif
