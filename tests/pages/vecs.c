#include "vecs.h"

#include <stdlib.h>

vec *vec_new(size_t count)
{
    vec *const v = count <= 64 ? calloc(1, sizeof *v) : NULL;
    if (v != NULL) {
        v->references = 1;
        v->count = count;
    }
    return v;
}

void vec_ref(vec *v)
{
    v->references++;
}

void vec_unref(vec *v)
{
    if (--v->references == 0) {
        free(v);
    }
}
