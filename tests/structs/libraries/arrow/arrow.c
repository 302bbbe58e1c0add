#include "arrow.h"

#include <stdlib.h>

static int live;

static void release(ArrowColumn *column)
{
    free(column);
    live--;
}

ArrowColumn *arrow_column(const char *format, uint64_t length, uint32_t list_size, const void *values)
{
    ArrowColumn *column = calloc(1, sizeof *column);

    *column = (ArrowColumn){format, length, list_size, {NULL, values}, release};
    live++;
    return column;
}

int arrow_live(void)
{
    return live;
}
