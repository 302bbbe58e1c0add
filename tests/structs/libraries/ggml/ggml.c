#include "ggml.h"

#include <stdlib.h>
#include <string.h>

struct ggml_backend_buffer_type {
    const char *name;
};

struct ggml_backend_buffer {
    ggml_backend_buffer_type_t type;
    int device;
};

static struct ggml_backend_buffer_type types[] = {{"CPU"}, {"CUDA0"}, {"CUDA1"}, {"unknown"}};
static struct ggml_backend_buffer buffers[] = {{&types[3], 0}, {&types[1], 0}, {&types[2], 1}};
static int live;
static int synchronized;

struct ggml_tensor *ggml_new_2d(enum ggml_type type, int64_t ne0, int64_t ne1)
{
    const size_t size = type == GGML_TYPE_F32 ? 4 : type == GGML_TYPE_F16 ? 2 : 1;
    struct ggml_tensor *tensor = calloc(1, sizeof *tensor);

    tensor->type = type;
    tensor->ne[0] = ne0;
    tensor->ne[1] = ne1;
    tensor->ne[2] = tensor->ne[3] = 1;
    tensor->nb[0] = size;
    tensor->nb[1] = tensor->nb[0] * (size_t)ne0;
    tensor->nb[2] = tensor->nb[3] = tensor->nb[1] * (size_t)ne1;
    tensor->data = calloc((size_t)(ne0 * ne1), size);
    live++;
    return tensor;
}

void ggml_transpose(struct ggml_tensor *tensor)
{
    const int64_t ne = tensor->ne[0];
    const size_t nb = tensor->nb[0];

    tensor->ne[0] = tensor->ne[1];
    tensor->nb[0] = tensor->nb[1];
    tensor->ne[1] = ne;
    tensor->nb[1] = nb;
}

void ggml_free(struct ggml_tensor *tensor)
{
    free(tensor->data);
    free(tensor);
    live--;
}

int ggml_n_dims(const struct ggml_tensor *tensor)
{
    for (int i = GGML_MAX_DIMS - 1; i > 0; i--) {
        if (tensor->ne[i] > 1) {
            return i + 1;
        }
    }
    return 1;
}

bool ggml_is_quantized(enum ggml_type type)
{
    return type == GGML_TYPE_Q4_0;
}

float ggml_get_f32(const struct ggml_tensor *tensor, int64_t i0, int64_t i1)
{
    const char *data = tensor->data;

    return *(const float *)(const void *)(data + (size_t)i0 * tensor->nb[0] + (size_t)i1 * tensor->nb[1]);
}

ggml_backend_buffer_type_t ggml_backend_cpu_buffer_type(void)
{
    return &types[0];
}

ggml_backend_buffer_type_t ggml_backend_cuda_buffer_type(int device)
{
    return &types[device + 1];
}

ggml_backend_buffer_type_t ggml_backend_buffer_get_type(ggml_backend_buffer_t buffer)
{
    return buffer == NULL ? &types[0] : buffer->type;
}

void ggml_backend_tensor_get(const struct ggml_tensor *tensor, void *data, size_t offset, size_t size)
{
    memcpy(data, (const char *)tensor->data + offset, size);
}

void ggml_backend_synchronize(ggml_backend_buffer_t buffer)
{
    synchronized += buffer != NULL;
}

void ggml_offload(struct ggml_tensor *tensor, int device)
{
    tensor->buffer = &buffers[device + 1];
}

int ggml_device(const struct ggml_tensor *tensor)
{
    return tensor->buffer == NULL ? 0 : tensor->buffer->device;
}

int ggml_synchronized(void)
{
    return synchronized;
}

int ggml_live(void)
{
    return live;
}
