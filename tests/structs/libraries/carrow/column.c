#include "abi.h"

#include <stdlib.h>

static int live;

static void release(struct ArrowArray *array)
{
    array->release = NULL;
    live--;
}

column *column_new(const char *format, int64_t length, int64_t offset, int64_t nulls, const void *values)
{
    column *c = calloc(1, sizeof *c);

    c->schema.format = format;
    c->array.length = length;
    c->array.offset = offset;
    c->array.null_count = nulls;
    c->array.n_buffers = 2;
    c->array.buffers = c->storage;
    c->array.release = release;
    c->storage[1] = values;
    live++;
    return c;
}

void column_free(column *c)
{
    column_end(c);
    free(c);
}

void *column_ended(struct ArrowArray *array)
{
    array->release = NULL;
    return array->private_data;
}

void column_end(column *c)
{
    if (c->array.release != NULL) {
        c->array.release(&c->array);
    }
}

struct ArrowArray *column_move(column *c)
{
    struct ArrowArray *moved = malloc(sizeof *moved);

    *moved = c->array;
    c->array.release = NULL;
    return moved;
}

void column_finish(struct ArrowArray *moved)
{
    moved->release(moved);
    free(moved);
}

int column_live(void)
{
    return live;
}
