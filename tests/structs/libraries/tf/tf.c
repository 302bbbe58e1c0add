#include "tf.h"

#include <stdlib.h>
#include <string.h>

struct TF_Tensor {
    int references;
    TF_DataType type;
    int num_dims;
    int64_t dims[16];
    void *data;
    size_t len;
    void (*deallocator)(void *data, size_t len, void *arg);
    void *arg;
};

static int live;
static int deallocated;
static size_t length;
static TF_Tensor *session;

static void deallocate(void (*deallocator)(void *data, size_t len, void *arg), void *data, size_t len, void *arg)
{
    deallocated++;
    length = len;
    deallocator(data, len, arg);
}

/* As the real one: memory that cannot be used is given back at once. */
TF_Tensor *TF_NewTensor(TF_DataType type, const int64_t *dims, int num_dims, void *data, size_t len,
                        void (*deallocator)(void *data, size_t len, void *arg), void *deallocator_arg)
{
    TF_Tensor *tensor;

    if (num_dims == 7) {
        deallocate(deallocator, data, len, deallocator_arg);
        return NULL;
    }
    tensor = calloc(1, sizeof *tensor);
    *tensor = (TF_Tensor){1, type, num_dims, {0}, data, len, deallocator, deallocator_arg};
    for (int i = 0; i < num_dims; i++) {
        tensor->dims[i] = dims[i];
    }
    live++;
    return tensor;
}

static void free_memory(void *data, size_t len, void *arg)
{
    (void)len;
    (void)arg;
    free(data);
}

TF_Tensor *TF_AllocateTensor(TF_DataType type, const int64_t *dims, int num_dims, size_t len)
{
    return len > 1 << 20 ? NULL : TF_NewTensor(type, dims, num_dims, calloc(len + 1, 1), len, free_memory, NULL);
}

void TF_DeleteTensor(TF_Tensor *tensor)
{
    if (--tensor->references > 0) {
        return;
    }
    deallocate(tensor->deallocator, tensor->data, tensor->len, tensor->arg);
    free(tensor);
    live--;
}

TF_DataType TF_TensorType(const TF_Tensor *tensor)
{
    return tensor->type;
}

int TF_NumDims(const TF_Tensor *tensor)
{
    return tensor->num_dims;
}

int64_t TF_Dim(const TF_Tensor *tensor, int index)
{
    return tensor->dims[index];
}

size_t TF_TensorByteSize(const TF_Tensor *tensor)
{
    return tensor->len;
}

void *TF_TensorData(const TF_Tensor *tensor)
{
    return tensor->data;
}

void tf_session_keep(TF_Tensor *tensor)
{
    tensor->references++;
    session = tensor;
}

void tf_session_close(void)
{
    TF_DeleteTensor(session);
    session = NULL;
}

int tf_live(void)
{
    return live;
}

int tf_deallocated(void)
{
    return deallocated;
}

size_t tf_length(void)
{
    return length;
}
