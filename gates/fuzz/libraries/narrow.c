/* SPDX-License-Identifier: MIT */
/* The functions of tests/runtime/narrow.h without the checks of the tests. */
#include "narrow.h"

#include <stdlib.h>

narrow *narrow_make(void *data, int64_t rows)
{
    narrow *const made = calloc(1, sizeof *made);

    if (made != NULL) {
        made->data = data;
        made->rows = rows;
    }
    return made;
}

void narrow_destroy(narrow *object) { free(object); }
