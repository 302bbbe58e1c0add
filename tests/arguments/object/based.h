/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct set { int size; } *set_handle;
static inline set_handle set_new(int size, const set_handle like)
{
    if (size < 0) { return NULL; }
    set_handle made = calloc(1, sizeof *made);
    made->size = like == NULL ? size : like->size;
    return made;
}
static inline void set_free(set_handle set) { free(set); }
static inline int set_join(set_handle self, set_handle other) { return self->size + (other == NULL ? 0 : other->size); }
