/* SPDX-License-Identifier: MIT */
/* malloc() counted and made to fail, for one file of a program linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=free.
 * The runtime uses malloc() alone, the libraries under test calloc(), which never fails here. */
#ifndef MALLOCS_H_
#define MALLOCS_H_

#include <stdbool.h>
#include <stddef.h>

static int mallocs;              /* calls so far */
static int blocks;               /* of both that are not freed yet */
static int mallocs_to_fail = -1; /* how many calls succeed before one fails; -1: all */
static bool mallocs_fail_for_ever;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
    void *block;

    mallocs++;
    if (mallocs_to_fail == 0) {
        mallocs_to_fail = mallocs_fail_for_ever ? 0 : -1;
        return NULL;
    }
    if (mallocs_to_fail > 0) {
        mallocs_to_fail--;
    }
    block = __real_malloc(size);
    blocks += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    blocks++;
    return __real_calloc(count, size);
}

void __wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
}

#endif
