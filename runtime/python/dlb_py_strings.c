/* SPDX-License-Identifier: MIT-0 */
/* Copies the strings among the params of a part or of an import. Its object may refer to them until it is destroyed. */
#include "dlb_py_internal.h"

#include <stdlib.h>

struct dlb_py_strings {
    dlb_kept kept; /* the other dependencies of the owner */
    char characters[];
};

static void free_texts(void *keeper)
{
    dlb_py_strings *const texts = keeper;

    if (texts->kept.let_go != NULL) {
        texts->kept.let_go(texts->kept.keeper);
    }
    free(texts);
}

static const char **text_at(const dlb_param *param, void *values)
{
    return param->kind == DLB_STRING ? (const char **)(void *)((char *)values + param->offset) : NULL;
}

int dlb_py_copy_strings(const dlb_param *params, size_t count, void *values, dlb_py_strings **out)
{
    size_t size = 0;
    char *next;

    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        const char **const text = text_at(&params[i], values);

        size += text != NULL && *text != NULL ? strlen(*text) + 1 : 0;
    }
    if (size == 0) {
        return 0;
    }
    *out = malloc(sizeof(dlb_py_strings) + size); /* freed by free(), possibly after Python has ended */
    if (*out == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    next = (*out)->characters;
    for (size_t i = 0; i < count; i++) {
        const char **const text = text_at(&params[i], values);

        if (text != NULL && *text != NULL) {
            size = strlen(*text) + 1;
            *text = memcpy(next, *text, size);
            next += size;
        }
    }
    return 0;
}

void dlb_py_keep_strings(dlb_owner *owner, dlb_py_strings *texts)
{
    if (texts != NULL) {
        texts->kept = owner->kept;
        owner->kept = (dlb_kept){free_texts, texts};
        owner->wraps++;
    }
}
