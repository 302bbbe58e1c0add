#include "mlx.h"

#include <stdlib.h>
#include <string.h>

struct array {
    int references;
    mlx_dtype dtype;
    int ndim;
    int dims[8];
    size_t strides[8];
    unsigned char *data;
    bool evaluated, frozen;
    void *payload;
    void (*dtor)(void *payload);
};

struct handle {
    struct array *array;
};

static int handles;
static int arrays;

static struct array *of(mlx_array arr)
{
    return ((struct handle *)arr.ctx)->array;
}

mlx_array mlx_array_new(void)
{
    mlx_array arr = {calloc(1, sizeof(struct handle))};

    handles++;
    return arr;
}

static void forget(struct array *array)
{
    if (array == NULL || --array->references > 0) {
        return;
    }
    if (array->dtor != NULL) {
        array->dtor(array->payload);
    }
    free(array);
    arrays--;
}

mlx_array mlx_array_new_data_managed_payload(void *data, const int *shape, int dim, mlx_dtype dtype, void *payload,
                                             void (*dtor)(void *))
{
    mlx_array arr = mlx_array_new();
    struct array *array = calloc(1, sizeof *array);
    size_t step = 1;

    array->references = 1;
    array->dtype = dtype;
    array->ndim = dim;
    for (int i = dim; i-- > 0;) {
        array->dims[i] = shape[i];
        array->strides[i] = step;
        step *= (size_t)shape[i];
    }
    array->data = data;
    array->evaluated = true;
    array->payload = payload;
    array->dtor = dtor;
    arrays++;
    ((struct handle *)arr.ctx)->array = array;
    return arr;
}

int mlx_array_set(mlx_array *arr, const mlx_array src)
{
    if (of(src)->frozen) {
        return 1;
    }
    of(src)->references++;
    forget(of(*arr));
    ((struct handle *)arr->ctx)->array = of(src);
    return 0;
}

int mlx_array_free(mlx_array arr)
{
    forget(of(arr));
    free(arr.ctx);
    handles--;
    return 0;
}

int mlx_array_eval(mlx_array arr)
{
    struct array *array = of(arr);

    if (!array->evaluated) {
        for (int i = 0; i < array->dims[0] * array->dims[1]; i++) {
            ((int32_t *)(void *)array->payload)[i] = i;
        }
        array->evaluated = true;
    }
    return 0;
}

size_t mlx_array_ndim(const mlx_array arr)
{
    return (size_t)of(arr)->ndim;
}

int mlx_array_dim(const mlx_array arr, int dim)
{
    return of(arr)->dims[dim];
}

const size_t *mlx_array_strides(const mlx_array arr)
{
    return of(arr)->strides;
}

mlx_dtype mlx_array_dtype(const mlx_array arr)
{
    return of(arr)->dtype;
}

const uint8_t *mlx_array_data_uint8(const mlx_array arr)
{
    return of(arr)->data;
}

const int32_t *mlx_array_data_int32(const mlx_array arr)
{
    return (const int32_t *)(const void *)of(arr)->data;
}

const float *mlx_array_data_float32(const mlx_array arr)
{
    return (const float *)(const void *)of(arr)->data;
}

mlx_array mlx_range(int rows, int columns, int step)
{
    int32_t *values = calloc((size_t)(rows * columns), sizeof *values);
    mlx_array arr = mlx_array_new_data_managed_payload(values, (const int[]){rows, columns}, 2, MLX_INT32, values, free);

    of(arr)->strides[0] = (size_t)step;
    of(arr)->data += step < 0 ? sizeof *values * (size_t)(rows - 1) * (size_t)-step : 0;
    of(arr)->evaluated = false;
    return arr;
}

int mlx_sharers(mlx_array arr)
{
    return of(arr) == NULL ? 0 : of(arr)->references;
}

void mlx_freeze(mlx_array arr)
{
    of(arr)->frozen = true;
}

mlx_array mlx_copy_of(mlx_array src)
{
    mlx_array arr = mlx_array_new();

    if (mlx_array_set(&arr, src) != 0) {
        mlx_array_free(arr);
        arr.ctx = NULL;
    }
    return arr;
}

int mlx_handles(void)
{
    return handles;
}

int mlx_arrays(void)
{
    return arrays;
}
