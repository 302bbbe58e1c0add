/* SPDX-License-Identifier: MIT */
#include <glib.h>

GByteArray *new_bytes(void)
{
    const guint8 bytes[] = {7, 8, 255};
    return g_byte_array_append(g_byte_array_new(), bytes, 3);
}

const void *first_bytes(GByteArray *a) { return a->data; }
double at_bytes(GByteArray *a, const size_t *at) { return a->data[at[0]]; }
