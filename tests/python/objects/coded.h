/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef struct coded { void *data; int64_t count; int kind; char name[4]; const char *tag; double room[2]; } coded;
static inline coded *coded_new(void)
{
    coded *made = calloc(1, sizeof *made);
    if (made != NULL) {
        memcpy(made->name, "abcd", 4);
        made->tag = "tagged";
        made->kind = 2;
        made->count = 2;
    }
    return made;
}
static inline void coded_load(coded *self) { self->data = self->room; }
static inline void coded_hide(coded *self) { self->data = NULL; }
static inline size_t coded_size(coded *self, size_t bytes) { return self->data != NULL ? bytes : 0; }
