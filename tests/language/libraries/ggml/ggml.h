/* In the style of ggml: a rank that follows from the extents, fastest axis first, strides in bytes. */
#ifndef GGML_H
#define GGML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GGML_MAX_DIMS 4

enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_F16 = 1, GGML_TYPE_Q4_0 = 2, GGML_TYPE_I8 = 24 };

struct ggml_tensor {
    enum ggml_type type;
    int64_t ne[GGML_MAX_DIMS]; /* number of elements */
    size_t nb[GGML_MAX_DIMS];  /* stride in bytes */
    void *data;
    char name[64];
};

struct ggml_tensor *ggml_new_2d(enum ggml_type type, int64_t ne0, int64_t ne1);
void ggml_transpose(struct ggml_tensor *tensor);
void ggml_free(struct ggml_tensor *tensor);
int ggml_n_dims(const struct ggml_tensor *tensor);
bool ggml_is_quantized(enum ggml_type type);
float ggml_get_f32(const struct ggml_tensor *tensor, int64_t i0, int64_t i1);
int ggml_live(void);

#endif
