/* In the style of ggml: a rank that follows from the extents, fastest axis first, strides in bytes. */
#ifndef GGML_H
#define GGML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GGML_MAX_DIMS 4

#define GGML_MAX_OP_PARAMS 64
#define GGML_MAX_SRC 10
#define GGML_MAX_NAME 64

enum ggml_op { GGML_OP_NONE = 0 };
enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_F16 = 1, GGML_TYPE_Q4_0 = 2, GGML_TYPE_I8 = 24 };

typedef struct ggml_backend_buffer_type *ggml_backend_buffer_type_t;
typedef struct ggml_backend_buffer *ggml_backend_buffer_t;

struct ggml_tensor {
    enum ggml_type type;
    ggml_backend_buffer_t buffer; /* NULL: plain memory */
    int64_t ne[GGML_MAX_DIMS]; /* number of elements */
    size_t nb[GGML_MAX_DIMS];  /* stride in bytes */
    enum ggml_op op;
    int32_t op_params[GGML_MAX_OP_PARAMS / 4];
    int32_t flags;
    struct ggml_tensor *src[GGML_MAX_SRC];
    struct ggml_tensor *view_src;
    size_t view_offs;
    void *data;
    char name[GGML_MAX_NAME];
    void *extra;
    char padding[8];
};

struct ggml_tensor *ggml_new_2d(enum ggml_type type, int64_t ne0, int64_t ne1);
void ggml_transpose(struct ggml_tensor *tensor);
void ggml_free(struct ggml_tensor *tensor);
int ggml_n_dims(const struct ggml_tensor *tensor);
bool ggml_is_quantized(enum ggml_type type);
float ggml_get_f32(const struct ggml_tensor *tensor, int64_t i0, int64_t i1);
ggml_backend_buffer_type_t ggml_backend_cpu_buffer_type(void);
ggml_backend_buffer_type_t ggml_backend_cuda_buffer_type(int device);
ggml_backend_buffer_type_t ggml_backend_buffer_get_type(ggml_backend_buffer_t buffer);
void ggml_backend_tensor_get(const struct ggml_tensor *tensor, void *data, size_t offset, size_t size);
void ggml_backend_synchronize(ggml_backend_buffer_t buffer);

void ggml_offload(struct ggml_tensor *tensor, int device); /* to a pretended GPU; -1: to one that nobody knows */
int ggml_device(const struct ggml_tensor *tensor);
int ggml_synchronized(void);
int ggml_live(void);

#endif
