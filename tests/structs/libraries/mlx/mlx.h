/* MLX's C interface: handles by value, lazily computed arrays, one accessor for each type. */
#ifndef MLX_H
#define MLX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mlx_array_ {
    void *ctx;
} mlx_array;

typedef enum mlx_dtype_ { MLX_BOOL, MLX_UINT8, MLX_INT32, MLX_FLOAT32, MLX_COMPLEX64 } mlx_dtype;

mlx_array mlx_array_new(void);
mlx_array mlx_array_new_data_managed_payload(void *data, const int *shape, int dim, mlx_dtype dtype, void *payload,
                                             void (*dtor)(void *));
int mlx_array_set(mlx_array *arr, const mlx_array src); /* fails when src is frozen */
int mlx_array_free(mlx_array arr);
int mlx_array_eval(mlx_array arr);
size_t mlx_array_ndim(const mlx_array arr);
int mlx_array_dim(const mlx_array arr, int dim);
const size_t *mlx_array_strides(const mlx_array arr); /* of signed steps, in elements */
mlx_dtype mlx_array_dtype(const mlx_array arr);
const uint8_t *mlx_array_data_uint8(const mlx_array arr);
const int32_t *mlx_array_data_int32(const mlx_array arr);
const float *mlx_array_data_float32(const mlx_array arr);

/* Not of MLX. */
mlx_array mlx_range(int rows, int columns, int step); /* int32, rows that step that far; computed when evaluated */
int mlx_sharers(mlx_array arr); /* handles of the same array; 0 without one */
void mlx_freeze(mlx_array arr);
mlx_array mlx_copy_of(mlx_array src);
int mlx_handles(void);
int mlx_arrays(void);

#endif
