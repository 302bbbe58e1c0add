#include "ggml.h"

#include <stdlib.h>

static int live;

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

int ggml_live(void)
{
    return live;
}
