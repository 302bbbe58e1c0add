/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>
static inline const char *text_of(int kind) { return kind ? "text" : NULL; }
static inline int text_into(int kind, const char **text) { *text = text_of(kind); return kind < 0; }
static inline const void *bytes_of(int kind, size_t *size) { *size = kind ? 4 : 0; return text_of(kind); }
static inline int bytes_into(int kind, const unsigned char **bytes, size_t *size)
{
    *bytes = bytes_of(kind, size);
    return kind < 0;
}
static inline const char *text_of_file(int kind, int *status) { *status = kind < 0; return text_of(kind); }
