/* Functions that free, move, keep and borrow. */
#include <stddef.h>

typedef struct own_array {
    double *data;
    size_t length;
} own_array;

typedef struct own_pool own_pool;

own_array *own_array_create(size_t length);
own_array *own_array_wrap(double *data, size_t length);
void own_array_free(own_array *array);
int own_array_resize(own_array *array, size_t length);
void own_array_swap(own_array *a, own_array *b);
own_pool *own_pool_new(void);
void own_pool_free(own_pool *pool);
int own_pool_get(own_pool *pool, size_t index, own_array **array);
own_array *own_pool_first(own_pool *pool);
void own_pool_destroy_array(own_pool *pool, own_array *array);
int own_pool_merge(own_pool *pool, const own_array *const *arrays, size_t count);
int own_pool_parse(own_pool *pool, const char *record, int recbuflen);
int own_pool_list(own_pool *pool, own_array *found, int max_entries);

typedef struct own_view own_view;
own_view *own_view_create(int n);
int own_view_count(const own_view *view);
int own_view_is_free(const own_view *view);
void own_view_release(const own_view *view);
