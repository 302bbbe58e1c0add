/* ONNX Runtime's C interface: everything by a table of functions, errors as objects, memory of named kinds. */
#ifndef ORT_H
#define ORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct OrtStatus OrtStatus;
typedef struct OrtValue OrtValue;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;

typedef enum ONNXTensorElementDataType {
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE
} ONNXTensorElementDataType;

/* What frees memory that was given to a value. */
typedef struct OrtAllocator {
    uint32_t version;
    void *(*Alloc)(struct OrtAllocator *allocator, size_t size);
    void (*Free)(struct OrtAllocator *allocator, void *p);
} OrtAllocator;

/* A status is NULL where all went well; otherwise ReleaseStatus takes it back. */
typedef struct OrtApi {
    const char *(*GetErrorMessage)(const OrtStatus *status);
    void (*ReleaseStatus)(OrtStatus *status);
    OrtStatus *(*GetTensorMutableData)(OrtValue *value, void **out);
    OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *value, OrtTensorTypeAndShapeInfo **out);
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *info);
    OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *info, ONNXTensorElementDataType *out);
    OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *info, size_t *out);
    OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *info, int64_t *dims, size_t count);
    OrtStatus *(*GetTensorMemoryInfo)(const OrtValue *value, const OrtMemoryInfo **out);
    OrtStatus *(*MemoryInfoGetName)(const OrtMemoryInfo *info, const char **out);
    OrtStatus *(*MemoryInfoGetId)(const OrtMemoryInfo *info, int *out);
    OrtStatus *(*CreateTensorWithDataAndDeleterAsOrtValue)(OrtAllocator *deleter, void *data, size_t size, const int64_t *shape,
                                                           size_t rank, ONNXTensorElementDataType type, OrtValue **out);
    void (*ReleaseValue)(OrtValue *value);
} OrtApi;

const OrtApi *OrtGetApi(void);

/* Not of ONNX Runtime: what a binding of it needs beside the spec. */
enum { ORT_RANK = 8 };

typedef struct ort_dims {
    int64_t size[ORT_RANK];
} ort_dims;

typedef struct ort_lease {
    OrtAllocator base;
    void *user;
} ort_lease;

const char *ort_told(OrtStatus *status); /* the message; the status is released */
ort_lease *ort_lease_new(void (*release)(struct OrtAllocator *allocator, void *data), void *user);
void ort_lease_drop(ort_lease *lease);
void *ort_lease_end(OrtAllocator *allocator); /* its user */

/* Not of ONNX Runtime: for the tests. */
OrtValue *ort_make(int type, const char *memory, int id, size_t rank, const int64_t *dims, void *data);
OrtValue *ort_keep(OrtValue *value); /* a session does that */
int ort_values(void);
int ort_infos(void);
int ort_statuses(void);
int ort_leases(void);

#endif
