/* TensorFlow's C interface: opaque tensors of dense memory, which is freed by whoever brought it. */
#ifndef TF_H
#define TF_H

#include <stddef.h>
#include <stdint.h>

typedef enum TF_DataType {
    TF_FLOAT = 1,
    TF_DOUBLE = 2,
    TF_INT32 = 3,
    TF_UINT8 = 4,
    TF_INT64 = 9,
    TF_BOOL = 10,
    TF_BFLOAT16 = 14,
    TF_HALF = 19
} TF_DataType;

typedef struct TF_Tensor TF_Tensor;

TF_Tensor *TF_NewTensor(TF_DataType type, const int64_t *dims, int num_dims, void *data, size_t len,
                        void (*deallocator)(void *data, size_t len, void *arg), void *deallocator_arg);
TF_Tensor *TF_AllocateTensor(TF_DataType type, const int64_t *dims, int num_dims, size_t len);
void TF_DeleteTensor(TF_Tensor *tensor);
TF_DataType TF_TensorType(const TF_Tensor *tensor);
int TF_NumDims(const TF_Tensor *tensor);
int64_t TF_Dim(const TF_Tensor *tensor, int index);
size_t TF_TensorByteSize(const TF_Tensor *tensor);
void *TF_TensorData(const TF_Tensor *tensor);

/* Not of TensorFlow. */
void tf_session_keep(TF_Tensor *tensor); /* a session keeps the memory until tf_session_close() */
void tf_session_close(void);
int tf_live(void);
int tf_deallocated(void);
size_t tf_length(void); /* that the last deallocator was called with */

#endif
