/* A struct whose dtype and rank nothing decides. */
#include <stddef.h>

typedef struct {
    void *data;
    size_t elemsize;
    const size_t *shape;
} blob;

blob *blob_new(size_t n);
void blob_free(blob *b);
size_t blob_get_count(const blob *b);
