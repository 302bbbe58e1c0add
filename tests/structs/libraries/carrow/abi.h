/* The C data interface of Arrow: a schema that names the type, an array whose end is a function inside of it. */
#ifndef ABI_H
#define ABI_H

#include <stdint.h>

#define ARROW_FLAG_NULLABLE 2

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

/* A column is both; `storage` is what `buffers` points to where the column made it itself. */
typedef struct column {
    struct ArrowSchema schema;
    struct ArrowArray array;
    const void *storage[2];
} column;

column *column_new(const char *format, int64_t length, int64_t offset, int64_t nulls, const void *values);
void column_free(column *c);
void *column_ended(struct ArrowArray *array); /* marks the array as released, as its release() must; the private data */
void column_end(column *c);
struct ArrowArray *column_move(column *c); /* the array moves out: whoever has it now must release it */
void column_finish(struct ArrowArray *moved);
int column_live(void);

#endif
