#include "columns.h"

#include <stdlib.h>

column *column_new(int type, size_t count)
{
    column *const c = malloc(sizeof *c);
    if (c != NULL) {
        *c = (column){calloc(count, type == COLUMN_F32 ? sizeof(float) : 1), type, count};
    }
    return c;
}

void column_free(column *c)
{
    free(c->data);
    free(c);
}
