/* A tensor whose rank, dtype and device are known only at run time. */
#include <stdbool.h>
#include <stdint.h>

enum { TEN_MAX_DIMS = 8 };

typedef enum ten_dtype { TEN_DTYPE_U8, TEN_DTYPE_I32, TEN_DTYPE_F16, TEN_DTYPE_F32, TEN_DTYPE_F64, TEN_DTYPE_Q4 } ten_dtype;
typedef enum ten_device { TEN_DEVICE_CPU, TEN_DEVICE_CUDA, TEN_DEVICE_NPU } ten_device;

typedef struct ten_tensor {
    void *data;
    ten_dtype dtype;
    int32_t ndim;
    int64_t shape[TEN_MAX_DIMS];
    int64_t strides[TEN_MAX_DIMS]; /* in elements */
    ten_device device;
    int device_id;
    int refcount;
} ten_tensor;

ten_tensor *ten_new(ten_dtype dtype, int32_t ndim, const int64_t *shape);
void ten_ref(ten_tensor *tensor);
void ten_unref(ten_tensor *tensor);
bool ten_is_contiguous(const ten_tensor *tensor);
int ten_add(const ten_tensor *a, const ten_tensor *b, ten_tensor *sum);
